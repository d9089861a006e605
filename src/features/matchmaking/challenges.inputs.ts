import { ArgsType, InputType } from '@nestjs/graphql';
import {
  flag,
  id,
  idempotencyKey,
  json,
  oneOf,
  optional,
  lookupId,
  text,
  wholeNumber,
} from '../../platform/contract/fields.js';
import { argsOf, choiceOf, inputField, inputOf } from '../../platform/contract/inputs.js';
import { pageInput } from '../../platform/contract/page.inputs.js';
import { SideEnum } from '../games/enums.model.js';
import { BoxEnum, DeclineReasonEnum, SeatWishEnum } from './challenges.model.js';

/** Inputs about challenges; in REST the idempotency key is a header instead. */

const SEED =
  'Your client seed, your part in the shuffle: 128 random bits as 32 lower-case hex digits, new for each game.';

const NO_VACATION = {
  noVacation: optional(flag('True if the clocks keep running during vacations; false by default.')),
};

@InputType({ description: 'A time control with a fixed time for each move.' })
export class PerMoveInput extends inputOf({
  seconds: wholeNumber('The time for each move, 60 to 5184000 seconds (60 days).', { example: 259200 }),
  ...NO_VACATION,
}) {}

@InputType({ description: 'A time control with a time bank for each player.' })
export class BankInput extends inputOf({
  initial: wholeNumber('The time in the bank at the start, 60 to 5184000 seconds (60 days).', {
    example: 259200,
  }),
  increment: optional(wholeNumber('The increment that each move adds, 0 to cap seconds; 0 by default.')),
  cap: optional(
    wholeNumber('The most that a bank holds, initial to 5184000 seconds (60 days); initial by default.'),
  ),
  ...NO_VACATION,
}) {}

@InputType({
  description: 'No time control. After 30 days without a move a player can claim the game as abandoned.',
})
export class UntimedInput extends inputOf(NO_VACATION) {}

@InputType({ isOneOf: true, description: 'A time control, by exactly one of these.' })
export class TimeControlInput extends choiceOf({
  perMove: inputField(PerMoveInput, 'A fixed time for each move.'),
  bank: inputField(BankInput, 'A time bank for each player, to which each move adds.'),
  none: inputField(UntimedInput, 'No deadline; an empty object.'),
}) {}

@InputType({ isOneOf: true, description: 'The opponent of a challenge, by exactly one of these.' })
export class OpponentInput extends choiceOf({
  username: text('The username of the user to challenge.', { example: 'ben' }),
  link: flag('True, for a link that the first user who has it may accept.'),
}) {}

export const ANNOUNCED = {
  clientSeedHash: optional(
    text(
      'The SHA-256 of your client seed, as 64 lower-case hex digits. The game then waits until you send the seed with ' +
        'giveClientSeed. Without it you may still send a seed until the challenge is accepted; then your part is left to the server.',
    ),
  ),
};

const TERMS = {
  ruleset: text('The id of the rule set to play.', { example: 'chess' }),
  options: optional(json('The options of the rule set; those left out have their defaults.')),
  timeControl: inputField(TimeControlInput, 'The time control of the game.'),
  rated: optional(flag('True for a rated game, which has no takebacks; false by default.')),
  seat: optional(oneOf(SeatWishEnum, 'The seat that you wish to play; any by default.')),
  side: optional(oneOf(SideEnum, 'The same as `seat`, by its colour.')),
  ...ANNOUNCED,
  expiresIn: optional(
    wholeNumber(
      'The time for which it stays open, 3600 (1 hour) to 1209600 (14 days) seconds; 14 days by default.',
    ),
  ),
};

/** The terms of a challenge whose opponent is not known yet. */
export const OPEN_TERMS = {
  ...TERMS,
  personsOnly: optional(flag('True if no guest may accept it; false by default. For links and seeks only.')),
  minRating: optional(
    wholeNumber(
      'The lowest rating of an opponent in the pool, 0 to 4000; no limit by default. For links and seeks only.',
    ),
  ),
  maxRating: optional(
    wholeNumber(
      'The highest rating of an opponent in the pool, minRating to 4000; no limit by default. For links and seeks only.',
    ),
  ),
};

const NEW_CHALLENGE = {
  opponent: inputField(OpponentInput, 'The user to challenge, or a link.'),
  ...OPEN_TERMS,
};

export class CreateChallengeBody extends inputOf(NEW_CHALLENGE) {}

@InputType({ description: 'The terms of a new challenge.' })
export class CreateChallengeInput extends inputOf({ idempotencyKey, ...NEW_CHALLENGE }) {}

export class CounterChallengeBody extends inputOf(TERMS) {}

@InputType({ description: 'The terms of a counter-offer to a challenge.' })
export class CounterChallengeInput extends inputOf({
  id: id('The id of the challenge to you.'),
  idempotencyKey,
  ...TERMS,
}) {}

const REASON = {
  reason: optional(oneOf(DeclineReasonEnum, 'The reason shown to the creator; generic by default.')),
};

export class DeclineChallengeBody extends inputOf(REASON) {}

@InputType({ description: 'The challenge to decline.' })
export class DeclineChallengeInput extends inputOf({
  id: id('The id of the challenge to you.'),
  ...REASON,
}) {}

@InputType({ description: 'The challenge or seek to cancel.' })
export class CancelChallengeInput extends inputOf({ id: id('The id of your challenge or seek.') }) {}

const LINK = {
  linkToken: optional(text('The secret of the link; required only for a challenge by link.')),
};
const ACCEPT = { ...LINK, clientSeed: optional(text(`${SEED} Without it your part is left to the server.`)) };

export class AcceptChallengeBody extends inputOf(ACCEPT) {}

@InputType({ description: 'The challenge or seek to accept.' })
export class AcceptChallengeInput extends inputOf({
  id: id('The id of a challenge to you, of one whose link you have, or of a seek.'),
  ...ACCEPT,
}) {}

export class GiveClientSeedBody extends inputOf({ clientSeed: text(SEED) }) {}

@InputType({ description: 'Your client seed for a challenge or game.' })
export class GiveClientSeedInput extends inputOf({
  id: id('The id of your challenge or seek, or of the game that waits for your seed.'),
  clientSeed: text(SEED),
}) {}

/** The secret of a link, in the query string. */
export class LinkArgs extends inputOf(LINK) {}

@ArgsType()
export class ChallengeArgs extends inputOf({ id: lookupId('The id of the challenge or seek.'), ...LINK }) {}

export const BOX = 'The challenges to list: those to you or those from you.';

@ArgsType()
export class ChallengesArgs extends argsOf({ box: oneOf(BoxEnum, BOX), ...pageInput() }) {}
