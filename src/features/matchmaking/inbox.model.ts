import { ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar } from '../../platform/contract/scalars.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { shownPlayer } from '../users/users.model.js';
import { INBOX_KINDS } from './inbox.entry.js';

export const INBOX = 'The challenges, rematches and offers in games that await your answer, newest first.';

export const InboxKindEnum = enumOf(INBOX_KINDS, {
  name: 'InboxKind',
  description: 'The kind of an item in the inbox.',
  values: {
    challenge: 'A challenge to you.',
    rematch: 'An offer of a rematch.',
    drawOffer: 'An offer of a draw.',
    takebackOffer: 'A request for a takeback.',
    pauseOffer: 'An offer of a pause.',
    timeRequest: 'A request for more time.',
  },
});

@ObjectType({ description: 'A challenge, rematch or offer that awaits your answer.' })
export class InboxItem extends model({
  kind: shown(InboxKindEnum, { description: 'The kind of the item.' }),
  at: shown(DateTimeScalar, { description: 'The time when it was made.' }),
  gameId: shown(ID, {
    nullable: true,
    description: 'The id of the game with the offer; null for a challenge or rematch.',
  }),
  challengeId: shown(ID, {
    nullable: true,
    description: 'The id of the challenge or rematch; null for an offer in a game.',
  }),
  from: shownPlayer('The player who made it.'),
  expiresAt: shown(DateTimeScalar, {
    nullable: true,
    description:
      'The expiry of the challenge or, for an offer, the deadline of the game as it stands; null for a game without one.',
  }),
  ply: shown(Int, {
    nullable: true,
    description: 'The ply after which play would continue, for a takeback; otherwise null.',
  }),
}) {}

@ObjectType({ description: 'A page of the inbox, newest first.' })
export class InboxConnection extends model({
  ...connectionOf(InboxItem, 'An item on a page.', { edgeName: 'InboxEdge' }),
  totalCount: shown(Int, { description: 'The number of items on all pages.' }),
}) {}

export class InboxPage extends model({
  ...pageFields(InboxItem),
  totalCount: InboxConnection.fields.totalCount,
}) {}
