import { ID, InputType } from '@nestjs/graphql';
import { IsString, IsUUID, MaxLength } from 'class-validator';
import { Given } from '../../platform/model.js';

// Longer keys are refused by the code that knows the right length, with its own words.
const MOST_OF_A_KEY = 500;

@InputType({ description: 'What is written to the opponent.' })
export class MessageInput {
  @Given(() => String, { description: '1 to 500 characters, new lines among them.', example: 'Good game!' })
  @IsString()
  readonly text: string;
}

@InputType({ description: 'A message to the opponent in a game.' })
export class SendMessageInput extends MessageInput {
  @Given(() => ID)
  @IsUUID()
  readonly gameId: string;

  @Given(() => String, { nullable: true, description: 'The same key sent again makes no second message.' })
  @MaxLength(MOST_OF_A_KEY)
  @IsString()
  readonly idempotencyKey?: string | null;
}
