import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Seat } from './notes.store.js';

/** The models of REST; in GraphQL they are fields of the game. */

@ApiSchema({ description: 'Your private note on a game.' })
export class Note {
  @ApiProperty({ type: String, nullable: true, description: 'Your own note, or null if there is none.' })
  readonly note: string | null;
}

@ApiSchema({ description: 'Your choice to mute your opponent in a game.' })
export class Mute {
  @ApiProperty({
    type: Boolean,
    description: 'True if you refuse the messages of your opponent in this game.',
  })
  readonly muted: boolean;
}

export const noteOf = ({ note }: Seat): Note => ({ note: note === '' ? null : note });

export const muteOf = ({ muted }: Seat): Mute => ({ muted });
