import { ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import { TimeControl } from '../games/clocks.model.js';
import { DateTimeScalar, JsonScalar } from '../platform/graphql/scalars.js';
import { enumOf, Shown } from '../platform/model.js';
import { PageInfo } from '../platform/page.js';
import { User } from '../users/users.model.js';
import { CHALLENGE_STATUSES, SIDE_WISHES } from './challenge.row.js';
import { BOXES } from './challenges.store.js';

export const ChallengeStatusEnum = enumOf(CHALLENGE_STATUSES);
export const SideWishEnum = enumOf(SIDE_WISHES);
export const BoxEnum = enumOf(BOXES);
registerEnumType(ChallengeStatusEnum, { name: 'ChallengeStatus' });
registerEnumType(SideWishEnum, { name: 'SideWish', description: 'What the creator wishes to play.' });
registerEnumType(BoxEnum, { name: 'ChallengeBox', description: 'To you, or from you.' });

@ObjectType({ description: 'An invitation to a game. Its id becomes the id of the game.' })
export class Challenge {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => ChallengeStatusEnum)
  readonly status: keyof typeof ChallengeStatusEnum;

  @Shown(() => User)
  readonly creator: User;

  @Shown(() => User, { nullable: true, description: 'Null: open to the first who has the link.' })
  readonly opponent: User | null;

  @Shown(() => String, {
    nullable: true,
    description: 'The secret of the link of an open challenge; for its creator.',
  })
  readonly linkToken: string | null;

  @Shown(() => String, { example: 'chess' })
  readonly ruleset: string;

  @Shown(() => JsonScalar, { description: 'Complete, with the defaults.' })
  readonly options: Readonly<Record<string, unknown>>;

  @Shown(() => TimeControl)
  readonly timeControl: TimeControl;

  @Shown(() => Boolean)
  readonly rated: boolean;

  @Shown(() => SideWishEnum)
  readonly side: keyof typeof SideWishEnum;

  @Shown(() => String, { description: 'SHA-256 of the server seed of the deal.' })
  readonly commitment: string;

  @Shown(() => String, {
    nullable: true,
    description: "SHA-256 of the creator's client seed, given in advance.",
  })
  readonly clientSeedHash: string | null;

  @Shown(() => DateTimeScalar)
  readonly createdAt: Date;

  @Shown(() => DateTimeScalar)
  readonly expiresAt: Date;

  @Shown(() => DateTimeScalar, { nullable: true })
  readonly answeredAt: Date | null;

  @Shown(() => ID, { nullable: true, description: 'The game after which it offers another one.' })
  readonly rematchOf: string | null;
}

@ObjectType({ description: 'A challenge in a page.' })
export class ChallengeEdge {
  @Shown(() => String)
  readonly cursor: string;

  @Shown(() => Challenge)
  readonly node: Challenge;
}

@ObjectType({ description: 'A page of challenges (Relay).' })
export class ChallengeConnection {
  @Shown(() => [ChallengeEdge])
  readonly edges: readonly ChallengeEdge[];

  @Shown(() => PageInfo)
  readonly pageInfo: PageInfo;
}
