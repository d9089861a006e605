import { ArgsType, InputType } from '@nestjs/graphql';
import { STATUSES } from '../../arbiter/state.js';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { SeatEnum, SideEnum, ReasonEnum, StatusEnum } from '../games/enums.model.js';
import {
  MOST_OF_A_NUMBER,
  flag,
  json,
  listOf,
  moment,
  oneOf,
  optional,
  readBy,
  splitList,
  text,
  wholeNumber,
} from '../../platform/contract/fields.js';
import { argsOf, inputField, inputOf } from '../../platform/contract/inputs.js';
import { DEFAULT_PAGE_SIZE } from '../../platform/contract/page.js';
import { itemCount, pageInput, rangeInput } from '../../platform/contract/page.inputs.js';
import { USERNAME } from '../games/descriptions.js';
import { RULESET_ID } from '../rulesets/descriptions.js';
import { DirectionEnum, GameResultEnum, OrderEnum } from './history.model.js';

/** Inputs about the history. */

/** The default sizes of the two short lists. */
export const OPPONENTS = 20;
export const LAST_GAMES = 5;

const amount = (description: string) =>
  optional(wholeNumber(description, { least: 0, most: MOST_OF_A_NUMBER }));

/** Parses JSON in the query string; leaves anything else to the check. */
function jsonOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

const FILTER = {
  player: optional(
    text('The username of a player, in either seat unless `seat` is given.', { example: 'ann' }),
  ),
  opponent: optional(text('The username of the other player; requires `player`.', { example: 'ben' })),
  seat: optional(oneOf(SeatEnum, 'The seat of `player`, which it requires.')),
  side: optional(oneOf(SideEnum, 'The same as `seat`, by its colour, which requires `ruleset`.')),
  ruleset: optional(text(RULESET_ID, { example: 'chess' })),
  options: optional(
    readBy(
      json('The exact options of the games, those left out having their defaults; requires `ruleset`.', {
        rest: { type: String },
        example: '{}',
      }),
      jsonOf,
    ),
  ),
  rated: optional(flag('True for rated games, false for casual ones; both when left out.')),
  status: optional(
    readBy(
      listOf(oneOf(StatusEnum), 'The statuses of the games; any when left out.', {
        least: 1,
        most: STATUSES.length,
        rest: {
          type: 'string',
          enum: [...STATUSES],
          description: 'The statuses of the games, separated by commas; any when left out.',
        },
      }),
      splitList,
    ),
  ),
  result: optional(oneOf(GameResultEnum, 'The result; a win or a loss of `player` requires that field.')),
  reason: optional(oneOf(ReasonEnum, 'The reason why the games ended.')),
  timeControl: optional(oneOf(TimeControlTypeEnum, 'The type of the time control.')),
  seconds: amount('The time for each move in whole seconds, of games with a time per move.'),
  initial: amount('The initial time in whole seconds, of games with a time bank.'),
  increment: amount('The increment in whole seconds, of games with a time bank.'),
  createdFrom: optional(moment('The earliest time of creation, inclusive.')),
  createdUntil: optional(moment('The latest time of creation, exclusive.')),
  endedFrom: optional(moment('The earliest time of the end, inclusive; leaves out running games.')),
  endedUntil: optional(moment('The latest time of the end, exclusive; leaves out running games.')),
  lastActivityFrom: optional(moment('The earliest time of the last activity, inclusive.')),
  lastActivityUntil: optional(moment('The latest time of the last activity, exclusive.')),
  minPlies: amount('The smallest number of plies, without those taken back.'),
  opening: optional(
    text(
      'The first moves of the games in coordinates, at most 16, separated by spaces and without the pieces that they ' +
        'turned up; requires `ruleset`. Moves with which no game can begin are refused.',
      { example: 'e2e4 e7e5' },
    ),
  ),
};

@InputType({ description: 'The conditions on games; a game must meet all of them.' })
export class GamesFilter extends inputOf(FILTER) {}

const ORDERED_BY =
  'The time by which the games are ordered; by the time of their end only games that are over are listed.';
const direction = optional(oneOf(DirectionEnum, 'The direction of the order; the newest first by default.'));

@InputType({ description: 'The order of the list.' })
export class GamesOrder extends inputOf({
  by: oneOf(OrderEnum, ORDERED_BY),
  direction,
}) {}

@ArgsType()
export class GamesArgs extends argsOf({
  filter: optional(inputField(GamesFilter, 'The conditions on the games; all games when left out.')),
  orderBy: optional(
    inputField(GamesOrder, 'The order of the list; by last activity, the newest first, by default.'),
  ),
  ...rangeInput(DEFAULT_PAGE_SIZE),
}) {}

/** The query string beside the filter: order and page. */
const LISTED = {
  orderBy: optional(oneOf(OrderEnum, `${ORDERED_BY} The time of the last activity by default.`)),
  direction,
  totalCount: optional(flag('True to have the games counted, which costs more; false by default.')),
  ...rangeInput(DEFAULT_PAGE_SIZE),
};

export class GamesQuery extends inputOf({ ...FILTER, ...LISTED }) {}

const { player: _, ...OF_ONE } = FILTER;

/** The player is in the path. */
export class GamesOfUserQuery extends inputOf({ ...OF_ONE, ...LISTED }) {}

const rulesetAlone = optional(
  text('The id of the only rule set that counts; all count when left out.', { example: 'chess' }),
);

@ArgsType()
export class HeadToHeadArgs extends argsOf({
  a: text('The username of the first player.'),
  b: text('The username of the second player.'),
  ruleset: rulesetAlone,
}) {}

@ArgsType()
export class LastGamesArgs extends argsOf(pageInput(LAST_GAMES)) {}

@ArgsType()
export class StatisticsArgs extends argsOf({ username: text(USERNAME), ruleset: rulesetAlone }) {}

export const HEAD_SIZE = itemCount('opponents', OPPONENTS);
/** The length of a list that has only one page. */
const HEAD = { first: optional(wholeNumber(HEAD_SIZE)) };

export class HeadArgs extends argsOf(HEAD) {}

@ArgsType()
export class OpponentsArgs extends argsOf({ username: text(USERNAME), ...HEAD }) {}

export class RulesetQuery extends inputOf({ ruleset: rulesetAlone }) {}

export class HeadToHeadQuery extends inputOf({
  ruleset: rulesetAlone,
  first: optional(wholeNumber(itemCount('last games', LAST_GAMES))),
}) {}

export class UserParam extends argsOf({ username: text(USERNAME) }) {}

export class HeadToHeadParam extends argsOf({
  opponent: text('The username of the opponent.'),
  username: text(USERNAME),
}) {}
