import { ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { listed } from '../../platform/listed.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { User } from '../users/users.model.js';
import { INBOX_KINDS } from './inbox.entry.js';

export const InboxKindEnum = enumOf(INBOX_KINDS, { name: 'InboxKind', description: 'What wants an answer.' });

@ObjectType({ description: 'Something that waits for your answer.' })
export class InboxItem extends model({
  kind: shown(InboxKindEnum),
  at: shown(DateTimeScalar, { description: 'Since when it waits.' }),
  gameId: shown(ID, {
    nullable: true,
    description: 'The game in which it is offered; null for a challenge.',
  }),
  challengeId: shown(ID, {
    nullable: true,
    description: 'The challenge, or the rematch; null for an offer.',
  }),
  from: shown(User),
  expiresAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'When nobody waits any more: the end of the challenge, or, as it stands, of the game.',
  }),
  ply: shown(Int, { nullable: true, description: 'takebackOffer: the ply after which play would go on.' }),
}) {}

@ObjectType({ description: 'A page of the inbox (Relay).' })
export class InboxConnection extends model({
  ...connectionOf(InboxItem, 'An item in a page.', { edgeName: 'InboxEdge' }),
  totalCount: shown(Int, { description: 'All that waits, on this page or not.' }),
}) {}

/** The same in REST. */
export class InboxPage extends model({
  ...listed(InboxItem),
  totalCount: InboxConnection.fields.totalCount,
}) {}
