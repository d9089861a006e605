import { ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Shown } from '../../platform/model.js';
import { User } from '../users/users.model.js';
import { INBOX_KINDS } from './inbox.entry.js';

export const InboxKindEnum = enumOf(INBOX_KINDS);
registerEnumType(InboxKindEnum, { name: 'InboxKind', description: 'What wants an answer.' });

@ObjectType({ description: 'Something that waits for your answer.' })
export class InboxItem {
  @Shown(() => InboxKindEnum)
  readonly kind: keyof typeof InboxKindEnum;

  @Shown(() => DateTimeScalar, { description: 'Since when it waits.' })
  readonly at: Date;

  @Shown(() => ID, { nullable: true, description: 'The game in which it is offered; null for a challenge.' })
  readonly gameId: string | null;

  @Shown(() => ID, { nullable: true, description: 'The challenge, or the rematch; null for an offer.' })
  readonly challengeId: string | null;

  @Shown(() => User)
  readonly from: User;

  @Shown(() => DateTimeScalar, {
    nullable: true,
    description: 'When nobody waits any more: the end of the challenge, or, as it stands, of the game.',
  })
  readonly expiresAt: Date | null;

  @Shown(() => Int, { nullable: true, description: 'takebackOffer: the ply after which play would go on.' })
  readonly ply: number | null;
}

@ObjectType({ description: 'A page of the inbox (Relay).' })
export class InboxConnection extends connectionOf(InboxItem, 'An item in a page.', 'InboxEdge') {
  @Shown(() => Int, { description: 'All that waits, on this page or not.' })
  readonly totalCount: number;
}
