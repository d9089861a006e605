import { Float, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { GameConnection, GameDocument } from '../games/games.model.js';
import { SeatEnum, ReasonEnum } from '../games/enums.model.js';
import { enumOf, model, shown } from '../../platform/model.js';
import { listed, listedBothWays } from '../../platform/listed.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { rulesets } from '../../rules/registry.js';
import { PLAYERS, REASONS } from '../../rules/ruleset.js';
import { User } from '../users/users.model.js';
import { LENGTHS, PACES } from './classes.js';
import { DIRECTIONS, ORDERS, RESULTS } from './search.js';

/** What leaves the server about the history. */

export const OrderEnum = enumOf(ORDERS, {
  name: 'GamesOrderBy',
  description: 'By which of their moments games are listed.',
});
export const DirectionEnum = enumOf(DIRECTIONS, { name: 'Direction', description: 'asc: the oldest first.' });
export const GameResultEnum = enumOf(RESULTS, {
  name: 'GameResult',
  description: 'Of a finished game: by who makes ply 1, or as the player who is looked for has it.',
});

const TOTAL = 'How many games there are, counted up to 10,000 and among the first 10,000 that are looked at.';
const CAPPED = 'May there be more than totalCount?';

@ObjectType({
  description:
    'A page of games. A page looks at a few thousand games at most: when few of them fit, it may be short or even ' +
    'empty, and yet have a next one. Go on from endCursor (or startCursor, backwards) as long as there is one.',
})
export class GameSearchConnection extends model({
  ...GameConnection.fields,
  totalCount: shown(Int, { onDemand: true, description: TOTAL }),
  totalCountCapped: shown(Boolean, { onDemand: true, description: CAPPED }),
}) {}

/** A page of games in REST. */
export class GameSearchPage extends model(listedBothWays(GameDocument)) {
  @ApiProperty({ type: 'integer', required: false, description: `${TOTAL} Only when asked for.` })
  readonly totalCount?: number;

  @ApiProperty({ type: Boolean, required: false, description: CAPPED })
  readonly totalCountCapped?: boolean;
}

@ObjectType({ description: 'How finished games went for a player.' })
export class Tally extends model({
  games: shown(Int),
  wins: shown(Int),
  draws: shown(Int),
  losses: shown(Int),
}) {}

@ObjectType({ description: 'How they went in a rule set.' })
export class RulesetTally extends model({
  ...Tally.fields,
  ruleset: shown(String, { description: 'Its id.', example: 'chess' }),
}) {}

@ObjectType({ description: 'How they went at a seat.' })
export class SideTally extends model({
  ...Tally.fields,
  side: shown(SeatEnum),
}) {}

@ObjectType({ description: 'How those went that ended in one way.' })
export class ReasonTally extends model({
  ...Tally.fields,
  reason: shown(ReasonEnum),
}) {}

@ObjectType({ description: 'How those went that were so long.' })
export class LengthTally extends model({
  ...Tally.fields,
  fromPlies: shown(Int, { description: 'Plies of both players, from this number on.' }),
  untilPlies: shown(Int, {
    nullable: true,
    description: 'Up to this number, and without it; null: any number.',
  }),
}) {}

@ObjectType({ description: 'How those went in which the player took so long for a ply, on average.' })
export class PaceTally extends model({
  ...Tally.fields,
  fromSeconds: shown(Int, { description: 'Seconds for each own ply, from this number on.' }),
  untilSeconds: shown(Int, {
    nullable: true,
    description: 'Up to this number, and without it; null: any number.',
  }),
}) {}

@ObjectType({ description: 'How long finished games were, in plies of both players. Null without games.' })
export class Lengths extends model({
  average: shown(Float, { nullable: true }),
  shortest: shown(Int, { nullable: true }),
  longest: shown(Int, { nullable: true }),
}) {}

@ObjectType({ description: 'The time that a player has used in finished games, in seconds.' })
export class TimeUsed extends model({
  total: shown(Float, { description: 'Whole seconds, over all plies that were ever played.' }),
  perPly: shown(Float, { nullable: true, description: 'For each own ply; null without plies.' }),
}) {}

@ObjectType({ description: 'What the finished games of a player add up to.' })
export class Statistics extends model({
  user: shown(User),
  all: shown(Tally),
  calledOff: shown(Int, {
    description: 'Games that this player called off, or for which their announced client seed never came.',
  }),
  byRuleset: shown(
    [RulesetTally],
    { description: 'The most played first.' },
    Cost(rowsAtMost(rulesets().length)),
  ),
  bySide: shown(
    [SideTally],
    { description: 'By the seat that the player had.' },
    Cost(rowsAtMost(PLAYERS.length)),
  ),
  byReason: shown(
    [ReasonTally],
    { description: 'The most frequent first.' },
    Cost(rowsAtMost(REASONS.length)),
  ),
  byLength: shown(
    [LengthTally],
    { description: 'The shortest first; also classes without a game.' },
    Cost(rowsAtMost(LENGTHS.length + 1)),
  ),
  byTimeUsed: shown(
    [PaceTally],
    { description: 'By the time that the player used: the quickest first; also classes without a game.' },
    Cost(rowsAtMost(PACES.length + 1)),
  ),
  plies: shown(Lengths),
  timeUsed: shown(TimeUsed),
}) {}

@ObjectType({ description: 'What two players have played against each other, as the first of them has it.' })
export class HeadToHead extends model({
  a: shown(User),
  b: shown(User),
  all: shown(Tally, { description: "Wins are a's, losses b's wins." }),
  byRuleset: shown(
    [RulesetTally],
    { description: 'The most played first.' },
    Cost(rowsAtMost(rulesets().length)),
  ),
}) {
  /** In no schema. */
  readonly ruleset: string | null;
}

/** The same in REST. */
export class HeadToHeadDocument {
  @ApiProperty({ type: User })
  readonly a: User;

  @ApiProperty({ type: User })
  readonly b: User;

  @ApiProperty({ type: Tally, description: "Wins are a's, losses b's wins." })
  readonly all: Tally;

  @ApiProperty({ type: [RulesetTally], description: 'The most played first.' })
  readonly byRuleset: readonly RulesetTally[];

  @ApiProperty({ type: [GameDocument], description: 'The last finished ones, the newest first.' })
  readonly lastGames: readonly GameDocument[];
}

@ObjectType({ description: 'Somebody whom a player has played, and how it went for the player.' })
export class Opponent extends model({
  ...Tally.fields,
  opponent: shown(User),
}) {}

/** Opponents in REST. */
export class OpponentPage extends model(listed(Opponent)) {}
