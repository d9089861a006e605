import { Float, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { GameConnection, GameDocument } from '../games/games.model.js';
import { SeatEnum, ReasonEnum } from '../games/enums.model.js';
import { enumOf, model, shown } from '../../platform/contract/model.js';
import { pageFields, pageFieldsBothWays } from '../../platform/contract/paginated.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { rulesets } from '../../rules/registry.js';
import { PLAYERS, REASONS } from '../../rules/ruleset.js';
import { RULESET } from '../rulesets/named.js';
import { User } from '../users/users.model.js';
import { LENGTHS, PACES } from './classes.js';
import { DIRECTIONS, ORDERS, RESULTS } from './search.js';

/** Response types for the history. */

const BY_RULESET = 'The counts by rule set, the most played first.';

export const OrderEnum = enumOf(ORDERS, {
  name: 'GamesOrderBy',
  description: 'A time by which games are ordered.',
  values: {
    createdAt: 'The time at which the game was created.',
    endedAt: 'The time at which the game ended; lists only games that are over.',
    lastActivityAt: 'The time of the newest change of the game.',
  },
});
export const DirectionEnum = enumOf(DIRECTIONS, {
  name: 'Direction',
  description: 'A direction of the order.',
  values: { asc: 'The oldest first.', desc: 'The newest first.' },
});
export const GameResultEnum = enumOf(RESULTS, {
  name: 'GameResult',
  description: 'A result of a finished game.',
  values: {
    firstWon: 'A win for the player who made ply 1.',
    secondWon: 'A win for the player who made ply 2.',
    drawn: 'A draw.',
    won: 'A win for the player in the filter.',
    lost: 'A loss of the player in the filter.',
  },
});

const TOTAL =
  'The number of games in the list, counted up to 10,000 and among the first 10,000 that the search looks at.';
const FOUND =
  'A page of found games. The server looks at a few thousand games per page at most, so a page may be short or even ' +
  'empty although more follow. Players, rule set, options, reason, opening and times are looked up; all other conditions ' +
  'are tried on one game after the other, so that one of those beside them makes a search short.';
const CAPPED = 'True if the count stopped early, so that there may be more games than totalCount.';

@ObjectType({
  description:
    `${FOUND} Continue from endCursor while hasNextPage is true, or backwards from startCursor while hasPreviousPage is ` +
    'true.',
})
export class GameSearchConnection extends model({
  ...GameConnection.fields,
  totalCount: shown(Int, { onDemand: true, description: TOTAL }),
  totalCountCapped: shown(Boolean, { onDemand: true, description: CAPPED }),
}) {}

@ApiSchema({ description: `${FOUND} Continue with \`next\` or \`previous\` while it is not null.` })
export class GameSearchPage extends model(pageFieldsBothWays(GameDocument)) {
  @ApiProperty({
    type: 'integer',
    required: false,
    description: `${TOTAL} Left out unless totalCount is asked for.`,
  })
  readonly totalCount?: number;

  @ApiProperty({ type: Boolean, required: false, description: `${CAPPED} Left out with totalCount.` })
  readonly totalCountCapped?: boolean;
}

@ObjectType({ description: "The counts of a player's finished games." })
export class Tally extends model({
  games: shown(Int, { description: 'The number of finished games.' }),
  wins: shown(Int, { description: 'The number of games that the player won.' }),
  draws: shown(Int, { description: 'The number of draws.' }),
  losses: shown(Int, { description: 'The number of games that the player lost.' }),
}) {}

@ObjectType({ description: "The counts of a player's finished games in a rule set." })
export class RulesetTally extends model({
  ...Tally.fields,
  ruleset: RULESET,
}) {}

@ObjectType({ description: "The counts of a player's finished games in one seat." })
export class SeatTally extends model({
  ...Tally.fields,
  seat: shown(SeatEnum, { description: 'The seat of the player.' }),
}) {}

@ObjectType({ description: "The counts of a player's finished games that ended for one reason." })
export class ReasonTally extends model({
  ...Tally.fields,
  reason: shown(ReasonEnum, { description: 'The reason why these games ended.' }),
}) {}

@ObjectType({ description: "The counts of a player's finished games in a range of lengths." })
export class LengthTally extends model({
  ...Tally.fields,
  fromPlies: shown(Int, { description: 'The lower end of the range in plies of both players, inclusive.' }),
  untilPlies: shown(Int, {
    nullable: true,
    description: 'The upper end of the range in plies of both players, exclusive; null without one.',
  }),
}) {}

@ObjectType({
  description: "The counts of a player's finished games in a range of the player's average time per ply.",
})
export class PaceTally extends model({
  ...Tally.fields,
  fromSeconds: shown(Int, { description: 'The lower end of the range in seconds per own ply, inclusive.' }),
  untilSeconds: shown(Int, {
    nullable: true,
    description: 'The upper end of the range in seconds per own ply, exclusive; null without one.',
  }),
}) {}

@ObjectType({ description: 'The lengths of finished games in plies of both players.' })
export class Lengths extends model({
  average: shown(Float, { nullable: true, description: 'The mean length; null without games.' }),
  shortest: shown(Int, { nullable: true, description: 'The smallest length; null without games.' }),
  longest: shown(Int, { nullable: true, description: 'The greatest length; null without games.' }),
}) {}

@ObjectType({ description: 'The time that a player used in finished games, in seconds.' })
export class TimeUsed extends model({
  total: shown(Float, {
    description: 'The sum over all own plies, also those taken back, in whole seconds.',
  }),
  perPly: shown(Float, { nullable: true, description: 'The mean time per own ply; null without plies.' }),
}) {}

@ObjectType({ description: "The statistics of a player's finished games." })
export class Statistics extends model({
  user: shown(User, { description: 'The player.' }),
  all: shown(Tally, { description: 'The counts of all finished games.' }),
  calledOff: shown(Int, {
    onDemand: true,
    description:
      'The number of games that the player aborted, or that were aborted because the player withheld an announced client seed.',
  }),
  byRuleset: shown([RulesetTally], { description: BY_RULESET }, Cost(rowsAtMost(rulesets().length))),
  bySeat: shown(
    [SeatTally],
    { description: 'The counts by the seat of the player.' },
    Cost(rowsAtMost(PLAYERS.length)),
  ),
  byReason: shown(
    [ReasonTally],
    { description: 'The counts by the reason of the end, the most frequent first.' },
    Cost(rowsAtMost(REASONS.length)),
  ),
  byLength: shown(
    [LengthTally],
    {
      description:
        'The counts by the length of the game, the shortest first; ranges without a game are included.',
    },
    Cost(rowsAtMost(LENGTHS.length + 1)),
  ),
  byTimeUsed: shown(
    [PaceTally],
    {
      description:
        "The counts by the player's average time per ply, the quickest first; ranges without a game are included.",
    },
    Cost(rowsAtMost(PACES.length + 1)),
  ),
  plies: shown(Lengths, { description: 'The lengths of the games.' }),
  timeUsed: shown(TimeUsed, { description: 'The time that the player used.' }),
}) {}

const PLAYER_A = 'The first player.';
const PLAYER_B = 'The second player.';
const BETWEEN_TWO = 'The counts of all their finished games; wins are those of `a`, losses those of `b`.';

@ObjectType({
  description: 'The finished games of two players against each other, from the point of view of the first.',
})
export class HeadToHead extends model({
  a: shown(User, { description: PLAYER_A }),
  b: shown(User, { description: PLAYER_B }),
  all: shown(Tally, { description: BETWEEN_TWO }),
  byRuleset: shown([RulesetTally], { description: BY_RULESET }, Cost(rowsAtMost(rulesets().length))),
}) {
  /** Not in the schema. */
  readonly ruleset: string | null;
}

export class HeadToHeadDocument {
  @ApiProperty({ type: User, description: PLAYER_A })
  readonly a: User;

  @ApiProperty({ type: User, description: PLAYER_B })
  readonly b: User;

  @ApiProperty({ type: Tally, description: BETWEEN_TWO })
  readonly all: Tally;

  @ApiProperty({ type: [RulesetTally], description: BY_RULESET })
  readonly byRuleset: readonly RulesetTally[];

  @ApiProperty({ type: [GameDocument], description: 'The last finished games, the newest first.' })
  readonly lastGames: readonly GameDocument[];
}

@ObjectType({ description: "An opponent of a player, with the counts of the player's games against them." })
export class Opponent extends model({
  ...Tally.fields,
  user: shown(User, { description: 'The opponent.' }),
}) {}

@ApiSchema({ description: 'The opponents of a player, the most frequent first.' })
export class OpponentPage extends model(pageFields(Opponent)) {}
