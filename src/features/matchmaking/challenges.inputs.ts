import { ArgsType, InputType } from '@nestjs/graphql';
import { flag, id, json, oneOf, optional, soughtId, text, wholeNumber } from '../../platform/fields.js';
import { argsOf, choiceOf, inputField, inputOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';
import { BoxEnum, DeclineReasonEnum, SideWishEnum } from './challenges.model.js';

/** What comes in about challenges; the idempotency keys of REST come as headers. */

const SEED =
  'Your part in the shuffle: 128 random bits as 32 lower-case hex digits, a new one for each game.';

const NO_VACATION = {
  noVacation: optional(flag('The clocks run on through vacations; false by default.')),
};

@InputType({ description: 'So long for each move; nothing is carried over.' })
export class PerMoveInput extends inputOf({
  seconds: wholeNumber('Whole seconds for each move, from 60 to 5184000 (60 days).', { example: 259200 }),
  ...NO_VACATION,
}) {}

@InputType({ description: 'A bank for each player.' })
export class BankInput extends inputOf({
  initial: wholeNumber('Whole seconds that each player begins with, from 60 to 5184000 (60 days).', {
    example: 259200,
  }),
  increment: optional(wholeNumber('Seconds that each move adds; 0 by default.')),
  cap: optional(wholeNumber('Seconds that are kept at most; initial by default.')),
  ...NO_VACATION,
}) {}

@InputType({ description: 'No deadline; after 30 days without a move the game may be claimed as abandoned.' })
export class UntimedInput extends inputOf(NO_VACATION) {}

@InputType({ isOneOf: true, description: 'How long a move may take: one of these.' })
export class TimeControlInput extends choiceOf({
  perMove: inputField(PerMoveInput, 'A time for each move.'),
  bank: inputField(BankInput, 'A bank, to which each move adds.'),
  none: inputField(UntimedInput, 'No deadline: {}.'),
}) {}

@InputType({ isOneOf: true, description: 'Whom a challenge is for: one of these.' })
export class OpponentInput extends choiceOf({
  username: text('The user who may accept it.', { example: 'ben' }),
  link: flag('true: the first who has its link.'),
}) {}

export const ANNOUNCED = {
  clientSeedHash: optional(
    text(
      'The SHA-256 (hex) of your client seed, your part in the shuffle: then the game waits for it (giveClientSeed).',
    ),
  ),
};

const TERMS = {
  ruleset: text('The id of a rule set.', { example: 'chess' }),
  options: optional(json('Options of the rule set; the rest has its default.')),
  timeControl: inputField(TimeControlInput),
  rated: optional(flag('A rated game, in which no move is taken back; false by default.')),
  side: optional(oneOf(SideWishEnum, 'What you wish to play; any by default.')),
  ...ANNOUNCED,
  expiresIn: optional(
    wholeNumber('Seconds that it stays open, from 3600 to 1209600 (14 days, the default).'),
  ),
};

/** Terms for somebody who is not known yet. */
export const OPEN_TERMS = {
  ...TERMS,
  minRating: optional(wholeNumber('The lowest rating that the opponent may have in the pool, 0 to 4000.')),
  maxRating: optional(wholeNumber('The highest rating that the opponent may have in the pool, 0 to 4000.')),
};

const NEW_CHALLENGE = {
  opponent: inputField(OpponentInput),
  ...OPEN_TERMS,
};

const idempotencyKey = optional(text('The same key sent again makes no second challenge.'));

export class CreateChallengeBody extends inputOf(NEW_CHALLENGE) {}

@InputType({ description: 'An invitation to a game. A range of ratings goes with a link alone.' })
export class CreateChallengeInput extends inputOf({ idempotencyKey, ...NEW_CHALLENGE }) {}

export class CounterChallengeBody extends inputOf(TERMS) {}

@InputType({ description: 'Other terms than those of a challenge to you.' })
export class CounterChallengeInput extends inputOf({
  id: id('The challenge that it answers.'),
  idempotencyKey,
  ...TERMS,
}) {}

const REASON = { reason: optional(oneOf(DeclineReasonEnum, 'Why; generic by default.')) };

export class DeclineChallengeBody extends inputOf(REASON) {}

@InputType({ description: 'A challenge to you that you do not take.' })
export class DeclineChallengeInput extends inputOf({ id: id(), ...REASON }) {}

@InputType({ description: 'A challenge or a seek of yours.' })
export class CancelChallengeInput extends inputOf({ id: id() }) {}

const LINK = { linkToken: optional(text('The secret of the link of an open challenge.')) };
const ACCEPT = { ...LINK, clientSeed: optional(text(`${SEED} Without it your part is left to the server.`)) };

export class AcceptChallengeBody extends inputOf(ACCEPT) {}

@InputType({ description: 'A challenge to you, or one whose link you have, or a seek.' })
export class AcceptChallengeInput extends inputOf({ id: id(), ...ACCEPT }) {}

export class GiveClientSeedBody extends inputOf({ clientSeed: text(SEED) }) {}

@InputType({ description: 'Your part in the shuffle.' })
export class GiveClientSeedInput extends inputOf({
  id: id('Your challenge or seek, or the game that waits for your seed.'),
  clientSeed: text(SEED),
}) {}

/** The secret of a link in the query of an address. */
export class LinkArgs extends inputOf(LINK) {}

@ArgsType()
export class ChallengeArgs extends inputOf({ id: soughtId(), ...LINK }) {}

@ArgsType()
export class ChallengesArgs extends argsOf({ box: oneOf(BoxEnum), ...PAGE }) {}
