import { ArgsType, Field, ID } from '@nestjs/graphql';
import { IsString, IsUUID, MaxLength } from 'class-validator';
import { Given } from '../../platform/model.js';

// Longer texts are refused by the code that knows the right length, with its own words.
const MOST_OF_A_TEXT = 500;

@ArgsType()
export class RematchInput {
  @Given(() => String, {
    nullable: true,
    description: 'Your part in the shuffle: up to 64 printable ASCII characters.',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly clientSeed?: string | null;

  @Given(() => String, {
    nullable: true,
    description: 'In place of the seed its SHA-256 in hex; then the game waits for revealClientSeed.',
  })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly clientSeedHash?: string | null;
}

@ArgsType()
export class RematchArgs extends RematchInput {
  @Field(() => ID, { description: 'The game that is over.' })
  @IsUUID()
  readonly gameId: string;
}
