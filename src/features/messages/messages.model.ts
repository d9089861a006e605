import { ID, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Shown } from '../../platform/model.js';
import { PlayerEnum } from '../games/enums.model.js';

@ObjectType({ description: 'What one player of a game wrote to the other.' })
export class Message {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => PlayerEnum, { description: 'Who wrote it.' })
  readonly player: keyof typeof PlayerEnum;

  @Shown(() => String, { example: 'Good game!' })
  readonly text: string;

  @Shown(() => DateTimeScalar)
  readonly createdAt: Date;
}

@ObjectType({ description: 'A page of messages (Relay).' })
export class MessageConnection extends connectionOf(Message, 'A message in a page.') {}
