import { ApiProperty } from '@nestjs/swagger';
import type { Seat } from './notes.store.js';

/** What leaves in REST; in GraphQL they are fields of the game. */

export class Note {
  @ApiProperty({ type: String, nullable: true, description: 'Your own; null: there is none.' })
  readonly note: string | null;
}

export class Mute {
  @ApiProperty({ type: Boolean, description: 'Are the messages of your opponent refused?' })
  readonly muted: boolean;
}

export const noteOf = ({ note }: Seat): Note => ({ note: note === '' ? null : note });

export const muteOf = ({ muted }: Seat): Mute => ({ muted });
