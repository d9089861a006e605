import { ID, Int, ObjectType } from '@nestjs/graphql';
import { TimeControl } from '../games/clocks.model.js';
import { SEAT_WISHES } from '../games/given-seat.js';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar, UrlScalar } from '../../platform/contract/scalars.js';
import { Node } from '../../platform/contract/node.js';
import { pageFields } from '../../platform/contract/paginated.js';
import { enumOf, model, shown, shownJson } from '../../platform/contract/model.js';
import { RULESET } from '../rulesets/named.js';
import { shownPlayer, shownPlayerOrNull } from '../users/users.model.js';
import { CHALLENGE_KINDS, CHALLENGE_STATUSES, DECLINE_REASONS } from './challenge.row.js';
import { BOXES } from './challenges.store.js';

export const ChallengeStatusEnum = enumOf(CHALLENGE_STATUSES, {
  name: 'ChallengeStatus',
  description: 'The state of a challenge.',
  values: {
    open: 'Open: it can be accepted.',
    accepted: 'Accepted: it has become a game.',
    declined: 'Declined by the challenged user.',
    countered: 'Declined by the challenged user with a counter-offer.',
    cancelled: 'Cancelled by its creator.',
    expired: 'Expired: it was not accepted in time.',
  },
});
export const ChallengeKindEnum = enumOf(CHALLENGE_KINDS, {
  name: 'ChallengeKind',
  description: 'The kind of a challenge: who can accept it.',
  values: {
    direct: 'A challenge to one user.',
    link: 'A challenge by link, for the first user who has the link and accepts it.',
    seek: 'A seek in the lobby, for any user who fits.',
  },
});
export const DeclineReasonEnum = enumOf(DECLINE_REASONS, {
  name: 'DeclineReason',
  description: 'The reason for declining a challenge.',
  values: {
    later: 'Not now; a later challenge may be accepted.',
    timeControl: 'Another time control is wanted.',
    rated: 'A rated game is wanted.',
    casual: 'A casual game is wanted.',
    ruleset: 'Another rule set is wanted.',
    options: 'Other options of the rule set are wanted.',
    generic: 'No reason is given.',
  },
});
export const SeatWishEnum = enumOf(SEAT_WISHES, {
  name: 'SeatWish',
  description: 'The seat that the creator of a challenge wishes to play.',
  values: {
    first: 'The first seat, which makes ply 1.',
    second: 'The second seat, which makes ply 2.',
    any: 'Either seat. If the opponent has no wish either, the player who has been first less often with this rule set is first (aborted games do not count); if that is equal, the seeds decide.',
  },
});
export const BoxEnum = enumOf(BOXES, {
  name: 'ChallengeBox',
  description: 'The direction of your challenges.',
  values: { incoming: 'Challenges to you.', outgoing: 'Challenges and seeks from you.' },
});

@ObjectType({ description: 'A rating in the pool of a challenge.' })
export class PoolRating extends model({
  rating: shown(Int, {
    description: 'The rating, rounded to a whole number; rating ranges compare this number.',
  }),
  provisional: shown(Boolean, { description: 'True while the rating deviation is above 110.' }),
}) {}

@ObjectType({ description: 'The range of ratings that an opponent may have.' })
export class RatingRange extends model({
  min: shown(Int, { nullable: true, description: 'The lowest rating, or null if there is no lower limit.' }),
  max: shown(Int, { nullable: true, description: 'The highest rating, or null if there is no upper limit.' }),
}) {}

@ObjectType({
  description:
    'A challenge to a user or by link, or a seek. Its id becomes the id of the game; of two paired seeks, the id of one.',
  implements: () => [Node],
})
export class Challenge extends model({
  id: shown(ID, { description: 'The id of the challenge.' }),
  kind: shown(ChallengeKindEnum, { description: 'The kind: who can accept it.' }),
  status: shown(ChallengeStatusEnum, { description: 'The state as of now.' }),
  creator: shownPlayer('The player who made it.'),
  creatorRating: shown(PoolRating, {
    description: 'The present rating of the creator in the pool of the challenge.',
  }),
  opponent: shownPlayerOrNull('The challenged user or the player who accepted; null while there is none.'),
  linkToken: shown(String, {
    nullable: true,
    description:
      'The secret of its link, shown to its creator until the challenge is accepted; otherwise null. Needs the scope ' +
      '`challenges:read`, except in the answer to its creation.',
  }),
  url: shown(UrlScalar, {
    nullable: true,
    description:
      'The page to share, on which whoever has it can accept the challenge; what stands behind the `#` is `linkToken`. Null wherever `linkToken` is null.',
  }),
  ruleset: RULESET,
  options: shownJson<Readonly<Record<string, unknown>>>({
    description: 'The options of the rule set, complete with the defaults.',
  }),
  timeControl: shown(TimeControl, { description: 'The time control of the game.' }),
  rated: shown(Boolean, { description: 'True for a rated game, false for a casual one.' }),
  personsOnly: shown(Boolean, { description: 'True if no guest may accept it.' }),
  ratingRange: shown(RatingRange, {
    description: 'The range of ratings that the opponent may have; without limits for a direct challenge.',
  }),
  seat: shown(SeatWishEnum, { description: 'The seat that the creator wishes to play.' }),
  commitment: shown(String, {
    description: 'The commitment: SHA-256 of the server seed of the deal, in hex.',
  }),
  clientSeedHash: shown(String, {
    nullable: true,
    description:
      "The SHA-256 of the creator's client seed in hex, given or announced; null while it is left to the server.",
  }),
  receipt: shown(String, {
    nullable: true,
    description:
      'The signed receipt of what the server has committed itself to (docs/fairness.md, "Receipts"), for you to keep. Null ' +
      'once it has become a game of the same id, which has its own.',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time when it was made.' }),
  expiresAt: shown(DateTimeScalar, { description: 'The time until which it can be accepted.' }),
  answeredAt: shown(DateTimeScalar, {
    nullable: true,
    description:
      'The time when it was accepted, declined, countered or cancelled, or noted as expired; null before.',
  }),
  rematchOf: shown(ID, {
    nullable: true,
    description: 'The id of the game whose rematch it is; null if it is no rematch.',
  }),
  gameId: shown(ID, {
    nullable: true,
    description: 'The id of the game that it became; null if it has become none.',
  }),
  declineReason: shown(DeclineReasonEnum, {
    nullable: true,
    description: 'The reason for declining it; null if it was not declined.',
  }),
  counterTo: shown(ID, {
    nullable: true,
    description: 'The id of the challenge to which it is a counter-offer; null if it is none.',
  }),
}) {}

@ObjectType({ description: 'A page of challenges, newest first.' })
export class ChallengeConnection extends model(connectionOf(Challenge, 'A challenge on a page.')) {}

export class ChallengePage extends model(pageFields(Challenge)) {}
