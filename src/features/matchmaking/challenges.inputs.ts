import { ArgsType, InputType } from '@nestjs/graphql';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { flag, id, json, oneOf, optional, text, wholeNumber } from '../../platform/fields.js';
import { argsOf, inputField, inputOf } from '../../platform/inputs.js';
import { PAGE } from '../../platform/page.inputs.js';
import { BoxEnum, DeclineReasonEnum, SideWishEnum } from './challenges.model.js';

/** What comes in about challenges; the idempotency keys of REST come as headers. */

const SEED =
  'Your part in the shuffle: 128 random bits as 32 lower-case hex digits, a new one for each game.';
const CHALLENGE = { description: 'An invitation to a game. A range of ratings goes with a link alone.' };
const COUNTER = { description: 'Other terms than those of a challenge to you.' };
const ANSWER = { description: 'The answer to a challenge.' };

@InputType({ description: 'How long a move may take.' })
export class TimeControlInput extends inputOf({
  type: oneOf(TimeControlTypeEnum),
  seconds: optional(
    wholeNumber('perMove: whole seconds for each move, from 60 to 5184000 (60 days).', { example: 259200 }),
  ),
  initial: optional(
    wholeNumber('bank: whole seconds that each player begins with, from 60 to 5184000 (60 days).'),
  ),
  increment: optional(wholeNumber('bank: seconds that each move adds; 0 by default.')),
  cap: optional(wholeNumber('bank: seconds that are kept at most; initial by default.')),
  noVacation: optional(flag('The clocks run on through vacations; false by default.')),
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
  opponent: optional(
    text('A username. Without it the challenge is open to the first who has its link.', { example: 'ben' }),
  ),
  ...OPEN_TERMS,
};

const idempotencyKey = optional(text('The same key sent again makes no second challenge.'));

@InputType(CHALLENGE)
export class CreateChallengeInput extends inputOf(NEW_CHALLENGE) {}

@InputType(CHALLENGE)
export class CreateChallengeMutationInput extends inputOf({ idempotencyKey, ...NEW_CHALLENGE }) {}

@InputType(COUNTER)
export class CounterInput extends inputOf(TERMS) {}

@InputType(COUNTER)
export class CounterChallengeInput extends inputOf({
  id: id('The challenge that it answers.'),
  idempotencyKey,
  ...TERMS,
}) {}

const REASON = { reason: optional(oneOf(DeclineReasonEnum, 'Why; generic by default.')) };

export class DeclineInput extends inputOf(REASON) {}

@ArgsType()
export class DeclineArgs extends inputOf({ id: id(), ...REASON }) {}

const LINK = { linkToken: optional(text('The secret of the link of an open challenge.')) };
const ACCEPT = { ...LINK, clientSeed: optional(text(`${SEED} Without it your part is left to the server.`)) };

@InputType(ANSWER)
export class AcceptInput extends inputOf(ACCEPT) {}

@InputType(ANSWER)
export class AcceptChallengeInput extends inputOf({ id: id(), ...ACCEPT }) {}

export class SeedInput extends inputOf({ clientSeed: text(SEED) }) {}

@InputType({ description: 'Your part in the shuffle.' })
export class GiveClientSeedInput extends inputOf({
  id: id('Your challenge or seek, or the game that waits for your seed.'),
  clientSeed: text(SEED),
}) {}

/** The secret of a link in the query of an address. */
export class LinkArgs extends inputOf(LINK) {}

@ArgsType()
export class ChallengeArgs extends inputOf({ id: id(), ...LINK }) {}

@ArgsType()
export class ChallengesArgs extends argsOf({ box: oneOf(BoxEnum), ...PAGE }) {}
