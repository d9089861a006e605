import { ArgsType, Field } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString } from 'class-validator';
import { GameArgs } from '../games/games.inputs.js';

const NOTE = 'Up to 2,000 characters, new lines among them; empty: no note.';
const MUTED = 'Are the messages of the opponent refused?';

/** The two as bodies of REST. */
export class NoteInput {
  @ApiProperty({ type: String, description: NOTE })
  @IsString()
  readonly note: string;
}

export class MuteInput {
  @ApiProperty({ type: Boolean, description: MUTED })
  @IsBoolean()
  readonly muted: boolean;
}

@ArgsType()
export class NoteArgs extends GameArgs {
  @Field(() => String, { description: NOTE })
  @IsString()
  readonly note: string;
}

@ArgsType()
export class MuteArgs extends GameArgs {
  @Field(() => Boolean, { description: MUTED })
  @IsBoolean()
  readonly muted: boolean;
}
