import { ArgsType, InputType } from '@nestjs/graphql';
import { STATUSES } from '../../arbiter/state.js';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { SeatEnum, ReasonEnum, StatusEnum } from '../games/enums.model.js';
import {
  MOST_OF_A_NUMBER,
  flag,
  json,
  listOf,
  moment,
  oneOf,
  optional,
  readBy,
  splitAtCommas,
  text,
  wholeNumber,
} from '../../platform/fields.js';
import { argsOf, inputField, inputOf } from '../../platform/inputs.js';
import { RANGE } from '../../platform/page.inputs.js';
import { DirectionEnum, GameResultEnum, OrderEnum } from './history.model.js';

/** What comes in about the history. */

const amount = (description: string) =>
  optional(wholeNumber(description, { least: 0, most: MOST_OF_A_NUMBER }));

/** In the query of an address: JSON, and a list with commas. */
function jsonOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const FILTER = {
  player: optional(text('A username: at either seat, unless `side` says which.', { example: 'ann' })),
  opponent: optional(text('The username of the one whom `player` played.', { example: 'ben' })),
  side: optional(oneOf(SeatEnum, 'The seat of `player`.')),
  ruleset: optional(text('The id of a rule set.', { example: 'chess' })),
  options: optional(
    readBy(
      json('Goes with `ruleset`: games with these options, those left out having their defaults.', {
        rest: { type: String },
        example: '{}',
      }),
      jsonOf,
    ),
  ),
  rated: optional(flag()),
  status: optional(
    readBy(
      listOf(oneOf(StatusEnum), 'One of these.', {
        least: 1,
        most: STATUSES.length,
        rest: { type: 'string', enum: [...STATUSES] },
      }),
      splitAtCommas,
    ),
  ),
  result: optional(oneOf(GameResultEnum, '`won` and `lost` go with `player`.')),
  reason: optional(oneOf(ReasonEnum, 'Why it ended.')),
  timeControl: optional(oneOf(TimeControlTypeEnum)),
  seconds: amount('Whole seconds for each move, where these are the time control.'),
  initial: amount('Whole seconds with which a bank begins.'),
  increment: amount('Whole seconds that each move adds to a bank.'),
  createdFrom: optional(moment('From this moment on.')),
  createdUntil: optional(moment('Up to this moment, and without it.')),
  endedFrom: optional(moment('From this moment on; games that are over.')),
  endedUntil: optional(moment('Up to this moment, and without it; games that are over.')),
  lastActivityFrom: optional(moment('From this moment on.')),
  lastActivityUntil: optional(moment('Up to this moment, and without it.')),
  minPlies: amount('At least so many plies stand.'),
  opening: optional(
    text(
      'Goes with `ruleset`: up to 16 canonical moves with which the game began, with spaces between; without what ' +
        'they turned up.',
      { example: 'e2e4 e7e5' },
    ),
  ),
};

@InputType({ description: 'Which games: those that meet all that is given.' })
export class GamesFilter extends inputOf(FILTER) {}

const direction = optional(oneOf(DirectionEnum, '`desc`, the newest first, by default.'));

@InputType({ description: 'The order of the list.' })
export class GamesOrder extends inputOf({
  by: oneOf(OrderEnum, '`endedAt` lists only games that are over.'),
  direction,
}) {}

@ArgsType()
export class GamesArgs extends argsOf({
  filter: optional(inputField(GamesFilter)),
  orderBy: optional(inputField(GamesOrder, 'By last activity, the newest first, by default.')),
  ...RANGE,
}) {}

/** The query of an address: the filter and the order beside the page. */
export class GamesQuery extends inputOf({
  ...FILTER,
  orderBy: optional(
    oneOf(OrderEnum, '`lastActivityAt` by default; `endedAt` lists only games that are over.'),
  ),
  direction,
  totalCount: optional(flag('Also counts them; false by default.')),
  ...RANGE,
}) {}

const rulesetAlone = optional(text('Of this rule set alone.', { example: 'chess' }));

@ArgsType()
export class HeadToHeadArgs extends argsOf({
  a: text('A username.'),
  b: text('Another one.'),
  ruleset: rulesetAlone,
}) {}

@ArgsType()
export class StatisticsArgs extends argsOf({ username: text('A username.'), ruleset: rulesetAlone }) {}

/** How many, at the head of a list that is not paged. */
const HEAD = { first: optional(wholeNumber('How many; 1 to 100.')) };

export class HeadArgs extends argsOf(HEAD) {}

@ArgsType()
export class OpponentsArgs extends argsOf({ username: text('A username.'), ...HEAD }) {}

/** In the query of an address. */
export class RulesetQuery extends inputOf({ ruleset: rulesetAlone }) {}

export class HeadToHeadQuery extends inputOf({
  ruleset: rulesetAlone,
  first: optional(wholeNumber('How many of the last games; 1 to 100, 5 by default.')),
}) {}

/** The usernames in a path. */
export class UserParam extends argsOf({ username: text() }) {}

export class RivalsParam extends argsOf({ opponent: text(), username: text() }) {}
