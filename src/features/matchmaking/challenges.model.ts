import { ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { TimeControl } from '../games/clocks.model.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar, JsonScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Shown } from '../../platform/model.js';
import { User } from '../users/users.model.js';
import { CHALLENGE_KINDS, CHALLENGE_STATUSES, DECLINE_REASONS, SIDE_WISHES } from './challenge.row.js';
import { BOXES } from './challenges.store.js';

export const ChallengeStatusEnum = enumOf(CHALLENGE_STATUSES);
export const ChallengeKindEnum = enumOf(CHALLENGE_KINDS);
export const DeclineReasonEnum = enumOf(DECLINE_REASONS);
export const SideWishEnum = enumOf(SIDE_WISHES);
export const BoxEnum = enumOf(BOXES);
registerEnumType(ChallengeStatusEnum, { name: 'ChallengeStatus' });
registerEnumType(ChallengeKindEnum, {
  name: 'ChallengeKind',
  description: 'To one user; to whoever has its link; to whoever fits, in the lobby.',
});
registerEnumType(DeclineReasonEnum, {
  name: 'DeclineReason',
  description: 'Why a challenge was declined: not now, or what it should have been otherwise.',
});
registerEnumType(SideWishEnum, { name: 'SideWish', description: 'What the creator wishes to play.' });
registerEnumType(BoxEnum, { name: 'ChallengeBox', description: 'To you, or from you.' });

@ObjectType({ description: 'The rating of somebody in the pool that this is about.' })
export class PoolRating {
  @Shown(() => Int, { description: 'Rounded to a whole number, as ranges are about it.' })
  readonly rating: number;

  @Shown(() => Boolean, { description: 'Too uncertain yet to say much.' })
  readonly provisional: boolean;
}

@ObjectType({ description: 'The ratings that an opponent may have. Null: no bound.' })
export class RatingRange {
  @Shown(() => Int, { nullable: true })
  readonly min: number | null;

  @Shown(() => Int, { nullable: true })
  readonly max: number | null;
}

@ObjectType({
  description:
    'An invitation to a game, or a seek. Its id becomes the id of the game; of two seeks that were paired, the id of one.',
})
export class Challenge {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => ChallengeKindEnum)
  readonly kind: keyof typeof ChallengeKindEnum;

  @Shown(() => ChallengeStatusEnum)
  readonly status: keyof typeof ChallengeStatusEnum;

  @Shown(() => User)
  readonly creator: User;

  @Shown(() => PoolRating, { description: 'Of the creator, now.' })
  readonly creatorRating: PoolRating;

  @Shown(() => User, { nullable: true, description: 'Null: nobody yet.' })
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

  @Shown(() => RatingRange, { description: 'The ratings that the opponent may have; of links and seeks.' })
  readonly ratingRange: RatingRange;

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

  @Shown(() => ID, { nullable: true, description: 'The game that it became; null when it became none.' })
  readonly gameId: string | null;

  @Shown(() => DeclineReasonEnum, { nullable: true, description: 'Null: it was not declined.' })
  readonly declineReason: keyof typeof DeclineReasonEnum | null;

  @Shown(() => ID, { nullable: true, description: 'The challenge that it answers with other terms.' })
  readonly counterTo: string | null;
}

@ObjectType({ description: 'A page of challenges (Relay).' })
export class ChallengeConnection extends connectionOf(Challenge, 'A challenge in a page.') {}
