import { Float, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { GameConnection, GameDocument } from '../games/games.model.js';
import { PlayerEnum, ReasonEnum } from '../games/enums.model.js';
import { enumOf, Shown } from '../../platform/model.js';
import { PageInfo } from '../../platform/page.js';
import { User } from '../users/users.model.js';
import { DIRECTIONS, ORDERS, RESULTS, type Count } from './search.js';

/** What leaves the server about the history. */

export const OrderEnum = enumOf(ORDERS);
export const DirectionEnum = enumOf(DIRECTIONS);
export const GameResultEnum = enumOf(RESULTS);
registerEnumType(OrderEnum, {
  name: 'GamesOrderBy',
  description: 'By which of their moments games are listed.',
});
registerEnumType(DirectionEnum, { name: 'Direction', description: 'asc: the oldest first.' });
registerEnumType(GameResultEnum, {
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
export class GameSearch extends GameConnection {
  /** Where the counts start from, when they are asked for; in no schema. */
  readonly counted: () => Promise<Count>;
}

/** A page of games in REST. */
export class GameSearchPage {
  @ApiProperty({ type: [GameDocument] })
  readonly games: readonly GameDocument[];

  @ApiProperty({ type: PageInfo })
  readonly pageInfo: PageInfo;

  @ApiProperty({ type: 'integer', required: false, description: `${TOTAL} Only when asked for.` })
  readonly totalCount?: number;

  @ApiProperty({ type: Boolean, required: false, description: CAPPED })
  readonly totalCountCapped?: boolean;
}

export const COUNTS = { total: TOTAL, capped: CAPPED } as const;

@ObjectType({ description: 'How finished games went for a player.' })
export class Tally {
  @Shown(() => Int)
  readonly games: number;

  @Shown(() => Int)
  readonly wins: number;

  @Shown(() => Int)
  readonly draws: number;

  @Shown(() => Int)
  readonly losses: number;
}

@ObjectType({ description: 'How they went in a rule set.' })
export class RulesetTally extends Tally {
  @Shown(() => String, { description: 'Its id.', example: 'chess' })
  readonly ruleset: string;
}

@ObjectType({ description: 'How they went at a seat.' })
export class SideTally extends Tally {
  @Shown(() => PlayerEnum)
  readonly side: keyof typeof PlayerEnum;
}

@ObjectType({ description: 'How those went that ended in one way.' })
export class ReasonTally extends Tally {
  @Shown(() => ReasonEnum)
  readonly reason: keyof typeof ReasonEnum;
}

@ObjectType({ description: 'How those went that were so long.' })
export class LengthTally extends Tally {
  @Shown(() => Int, { description: 'Plies of both players, from this number on.' })
  readonly fromPlies: number;

  @Shown(() => Int, { nullable: true, description: 'Up to this number, and without it; null: any number.' })
  readonly untilPlies: number | null;
}

@ObjectType({ description: 'How those went in which the player took so long for a ply, on average.' })
export class PaceTally extends Tally {
  @Shown(() => Int, { description: 'Seconds for each own ply, from this number on.' })
  readonly fromSeconds: number;

  @Shown(() => Int, { nullable: true, description: 'Up to this number, and without it; null: any number.' })
  readonly untilSeconds: number | null;
}

@ObjectType({ description: 'How long finished games were, in plies of both players. Null without games.' })
export class Lengths {
  @Shown(() => Float, { nullable: true })
  readonly average: number | null;

  @Shown(() => Int, { nullable: true })
  readonly shortest: number | null;

  @Shown(() => Int, { nullable: true })
  readonly longest: number | null;
}

@ObjectType({ description: 'The time that a player has used in finished games, in seconds.' })
export class TimeUsed {
  @Shown(() => Float, { description: 'Whole seconds, over all plies that were ever played.' })
  readonly total: number;

  @Shown(() => Float, { nullable: true, description: 'For each own ply; null without plies.' })
  readonly perPly: number | null;
}

@ObjectType({ description: 'What the finished games of a player add up to.' })
export class Statistics {
  @Shown(() => User)
  readonly user: User;

  @Shown(() => Tally)
  readonly all: Tally;

  @Shown(() => [RulesetTally], { description: 'The most played first.' })
  readonly byRuleset: readonly RulesetTally[];

  @Shown(() => [SideTally])
  readonly bySide: readonly SideTally[];

  @Shown(() => [ReasonTally], { description: 'The most frequent first.' })
  readonly byReason: readonly ReasonTally[];

  @Shown(() => [LengthTally], { description: 'The shortest first; also classes without a game.' })
  readonly byLength: readonly LengthTally[];

  @Shown(() => [PaceTally], {
    description: 'By the time that the player used: the quickest first; also classes without a game.',
  })
  readonly byTimeUsed: readonly PaceTally[];

  @Shown(() => Lengths)
  readonly plies: Lengths;

  @Shown(() => TimeUsed)
  readonly timeUsed: TimeUsed;
}

@ObjectType({ description: 'What two players have played against each other, as the first of them has it.' })
export class HeadToHead {
  @Shown(() => User)
  readonly a: User;

  @Shown(() => User)
  readonly b: User;

  @Shown(() => Tally, { description: "Wins are a's, losses b's wins." })
  readonly all: Tally;

  @Shown(() => [RulesetTally], { description: 'The most played first.' })
  readonly byRuleset: readonly RulesetTally[];

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
export class Opponent extends Tally {
  @Shown(() => User)
  readonly opponent: User;
}
