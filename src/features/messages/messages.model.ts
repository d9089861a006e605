import { ID, ObjectType } from '@nestjs/graphql';
import { MOST_ON_A_PAGE } from '../../platform/page.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { listedBothWays } from '../../platform/listed.js';
import { model, shown } from '../../platform/model.js';
import { SeatEnum } from '../games/enums.model.js';

@ObjectType({ description: 'What one player of a game wrote to the other.' })
export class Message extends model({
  id: shown(ID),
  player: shown(SeatEnum, { description: 'Who wrote it.' }),
  text: shown(String, { example: 'Good game!' }),
  createdAt: shown(DateTimeScalar),
}) {}

@ObjectType({ description: 'A page of messages (Relay).' })
export class MessageConnection extends model(
  connectionOf(Message, 'A message in a page.', { page: MOST_ON_A_PAGE }),
) {}

/** The same in REST. */
export class MessagePage extends model(listedBothWays(Message)) {}
