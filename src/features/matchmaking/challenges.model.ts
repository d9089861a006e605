import { ID, Int, ObjectType } from '@nestjs/graphql';
import { TimeControl } from '../games/clocks.model.js';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { listed } from '../../platform/listed.js';
import { enumOf, model, shown, shownJson } from '../../platform/model.js';
import { User } from '../users/users.model.js';
import { CHALLENGE_KINDS, CHALLENGE_STATUSES, DECLINE_REASONS, SIDE_WISHES } from './challenge.row.js';
import { BOXES } from './challenges.store.js';

export const ChallengeStatusEnum = enumOf(CHALLENGE_STATUSES, {
  name: 'ChallengeStatus',
  description: 'Where a challenge is in its life.',
});
export const ChallengeKindEnum = enumOf(CHALLENGE_KINDS, {
  name: 'ChallengeKind',
  description: 'To one user; to whoever has its link; to whoever fits, in the lobby.',
});
export const DeclineReasonEnum = enumOf(DECLINE_REASONS, {
  name: 'DeclineReason',
  description: 'Why a challenge was declined: not now, or what it should have been otherwise.',
});
export const SideWishEnum = enumOf(SIDE_WISHES, {
  name: 'SideWish',
  description: 'What the creator wishes to play.',
});
export const BoxEnum = enumOf(BOXES, { name: 'ChallengeBox', description: 'To you, or from you.' });

@ObjectType({ description: 'The rating of somebody in the pool that this is about.' })
export class PoolRating extends model({
  rating: shown(Int, { description: 'Rounded to a whole number, as ranges are about it.' }),
  provisional: shown(Boolean, { description: 'Too uncertain yet to say much.' }),
}) {}

@ObjectType({ description: 'The ratings that an opponent may have. Null: no bound.' })
export class RatingRange extends model({
  min: shown(Int, { nullable: true }),
  max: shown(Int, { nullable: true }),
}) {}

@ObjectType({
  description:
    'An invitation to a game, or a seek. Its id becomes the id of the game; of two seeks that were paired, the id of one.',
})
export class Challenge extends model({
  id: shown(ID),
  kind: shown(ChallengeKindEnum),
  status: shown(ChallengeStatusEnum),
  creator: shown(User),
  creatorRating: shown(PoolRating, { description: 'Of the creator, now.' }),
  opponent: shown(User, { nullable: true, description: 'Null: nobody yet.' }),
  linkToken: shown(String, {
    nullable: true,
    description: 'The secret of the link of an open challenge; for its creator.',
  }),
  ruleset: shown(String, { example: 'chess' }),
  options: shownJson<Readonly<Record<string, unknown>>>({ description: 'Complete, with the defaults.' }),
  timeControl: shown(TimeControl),
  rated: shown(Boolean),
  ratingRange: shown(RatingRange, {
    description: 'The ratings that the opponent may have; of links and seeks.',
  }),
  side: shown(SideWishEnum),
  commitment: shown(String, { description: 'SHA-256 of the server seed of the deal.' }),
  clientSeedHash: shown(String, {
    nullable: true,
    description: "SHA-256 of the creator's client seed, given or announced; null: left to the server so far.",
  }),
  receipt: shown(String, {
    nullable: true,
    description:
      'What the server has committed itself to, signed (docs/fairness.md, "Receipts"): keep it. Null once it has become ' +
      'a game of the same id, which has its own.',
  }),
  createdAt: shown(DateTimeScalar),
  expiresAt: shown(DateTimeScalar),
  answeredAt: shown(DateTimeScalar, { nullable: true }),
  rematchOf: shown(ID, { nullable: true, description: 'The game after which it offers another one.' }),
  gameId: shown(ID, { nullable: true, description: 'The game that it became; null when it became none.' }),
  declineReason: shown(DeclineReasonEnum, { nullable: true, description: 'Null: it was not declined.' }),
  counterTo: shown(ID, { nullable: true, description: 'The challenge that it answers with other terms.' }),
}) {}

@ObjectType({ description: 'A page of challenges (Relay).' })
export class ChallengeConnection extends model(connectionOf(Challenge, 'A challenge in a page.')) {}

/** The same in REST. */
export class ChallengePage extends model(listed(Challenge)) {}
