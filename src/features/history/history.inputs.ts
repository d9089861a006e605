import { ArgsType, Field, InputType, Int } from '@nestjs/graphql';
import { IntersectionType } from '@nestjs/swagger';
import { plainToInstance, Transform, type TransformFnParams, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { STATUSES, type Status } from '../../arbiter/table.js';
import { TIME_CONTROL_TYPES } from '../../arbiter/time-control.js';
import { TimeControlTypeEnum } from '../games/clocks.model.js';
import { PlayerEnum, ReasonEnum, StatusEnum } from '../games/enums.model.js';
import { DateTimeScalar, JsonScalar } from '../../platform/graphql/scalars.js';
import { Given } from '../../platform/model.js';
import { RangeArgs } from '../../platform/page.inputs.js';
import { flagOf, momentOf, wholeNumberOf } from '../../platform/texts.js';
import { PLAYERS, REASONS, type Player, type Reason } from '../../rules/ruleset.js';
import { DirectionEnum, GameResultEnum, OrderEnum } from './history.model.js';
import { DIRECTIONS, ORDERS, RESULTS, type Direction, type GameResult, type Order } from './search.js';

/** What comes in about the history. */

const MOST_OF_A_TEXT = 500;
const MOST_OF_A_NUMBER = 2 ** 31 - 1;
const MOMENT = 'must be a moment as 2026-01-31T12:00:00.000Z';

const Moment =
  (description: string): PropertyDecorator =>
  (target, property) => {
    for (const decorate of [
      Given(() => DateTimeScalar, { nullable: true, description }),
      IsDate({ message: `${String(property)} ${MOMENT}` }),
      Transform(momentOf),
    ]) {
      decorate(target, property);
    }
  };

const Amount =
  (description: string): PropertyDecorator =>
  (target, property) => {
    for (const decorate of [
      Given(() => Int, { nullable: true, description }),
      Transform(wholeNumberOf),
      IsInt(),
      Min(0),
      Max(MOST_OF_A_NUMBER),
    ]) {
      decorate(target, property);
    }
  };

const Text =
  (description: string, example: string): PropertyDecorator =>
  (target, property) => {
    for (const decorate of [
      Given(() => String, { nullable: true, description, example }),
      MaxLength(MOST_OF_A_TEXT),
      IsString(),
    ]) {
      decorate(target, property);
    }
  };

/** In the query of an address: JSON, and a list with commas. */
const jsonOf = ({ obj, key }: TransformFnParams): unknown => {
  const given = (obj as Readonly<Record<string, unknown>>)[key];
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
};
const listOf = ({ value }: TransformFnParams): unknown =>
  typeof value === 'string' ? value.split(',') : value;

@InputType({ description: 'Which games: those that meet all that is given.' })
export class GamesFilter {
  @Text('A username: at either seat, unless `side` says which.', 'ann')
  readonly player?: string | null;

  @Text('The username of the one whom `player` played.', 'ben')
  readonly opponent?: string | null;

  @Given(() => PlayerEnum, { nullable: true, description: 'The seat of `player`.' })
  @IsIn(PLAYERS)
  readonly side?: Player | null;

  @Text('The id of a rule set.', 'chess')
  readonly ruleset?: string | null;

  @Given(() => JsonScalar, {
    nullable: true,
    description: 'Goes with `ruleset`: games with these options, those left out having their defaults.',
    rest: { type: String },
    example: '{}',
  })
  @IsObject()
  // As they came: class-transformer would drop names such as `toString` unseen.
  @Transform(jsonOf)
  readonly options?: Record<string, unknown> | null;

  @Given(() => Boolean, { nullable: true })
  @IsBoolean()
  @Transform(flagOf)
  readonly rated?: boolean | null;

  @Given(() => [StatusEnum], {
    nullable: true,
    description: 'One of these.',
    rest: { type: 'string', enum: [...STATUSES] },
  })
  @IsIn(STATUSES, { each: true })
  @ArrayNotEmpty()
  @ArrayMaxSize(STATUSES.length)
  @IsArray()
  @Transform(listOf)
  readonly status?: Status[] | null;

  @Given(() => GameResultEnum, { nullable: true, description: '`won` and `lost` go with `player`.' })
  @IsIn(RESULTS)
  readonly result?: GameResult | null;

  @Given(() => ReasonEnum, { nullable: true, description: 'Why it ended.' })
  @IsIn(REASONS)
  readonly reason?: Reason | null;

  @Given(() => TimeControlTypeEnum, { nullable: true })
  @IsIn(TIME_CONTROL_TYPES)
  readonly timeControl?: keyof typeof TimeControlTypeEnum | null;

  @Amount('Whole seconds for each move, where these are the time control.')
  readonly seconds?: number | null;

  @Amount('Whole seconds with which a bank begins.')
  readonly initial?: number | null;

  @Amount('Whole seconds that each move adds to a bank.')
  readonly increment?: number | null;

  @Moment('From this moment on.')
  readonly createdFrom?: Date | null;

  @Moment('Up to this moment, and without it.')
  readonly createdUntil?: Date | null;

  @Moment('From this moment on; games that are over.')
  readonly endedFrom?: Date | null;

  @Moment('Up to this moment, and without it; games that are over.')
  readonly endedUntil?: Date | null;

  @Moment('From this moment on.')
  readonly lastActivityFrom?: Date | null;

  @Moment('Up to this moment, and without it.')
  readonly lastActivityUntil?: Date | null;

  @Amount('At least so many plies stand.')
  readonly minPlies?: number | null;

  @Text(
    'Goes with `ruleset`: up to 16 canonical moves with which the game began, with spaces between; without what they ' +
      'turned up.',
    'e2e4 e7e5',
  )
  readonly opening?: string | null;
}

@InputType({ description: 'The order of the list.' })
export class GamesOrder {
  @Given(() => OrderEnum, { description: '`endedAt` lists only games that are over.' })
  @IsIn(ORDERS)
  readonly by: Order;

  @Given(() => DirectionEnum, { nullable: true, description: '`desc`, the newest first, by default.' })
  @IsIn(DIRECTIONS)
  readonly direction?: Direction | null;
}

@ArgsType()
export class GamesArgs extends RangeArgs {
  @Field(() => GamesFilter, { nullable: true })
  @ValidateNested()
  @IsObject()
  @IsOptional()
  @Transform(({ obj }: { obj: { filter?: unknown } }) => plainToInstance(GamesFilter, obj.filter))
  readonly filter?: GamesFilter | null;

  @Field(() => GamesOrder, { nullable: true, description: 'By last activity, the newest first, by default.' })
  @ValidateNested()
  @IsObject()
  @Type(() => GamesOrder)
  @IsOptional()
  readonly orderBy?: GamesOrder | null;
}

/** The query of an address: the filter and the order beside the page. */
export class GamesQuery extends IntersectionType(GamesFilter, RangeArgs) {
  @Given(() => OrderEnum, {
    nullable: true,
    description: '`lastActivityAt` by default; `endedAt` lists only games that are over.',
  })
  @IsIn(ORDERS)
  readonly orderBy?: Order | null;

  @Given(() => DirectionEnum, { nullable: true, description: '`desc`, the newest first, by default.' })
  @IsIn(DIRECTIONS)
  readonly direction?: Direction | null;

  @Given(() => Boolean, { nullable: true, description: 'Also counts them; false by default.' })
  @IsBoolean()
  @Transform(flagOf)
  readonly totalCount?: boolean | null;
}

@ArgsType()
export class HeadToHeadArgs {
  @Field(() => String, { description: 'A username.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly a: string;

  @Field(() => String, { description: 'Another one.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly b: string;

  @Field(() => String, { nullable: true, description: 'Of this rule set alone.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  @IsOptional()
  readonly ruleset?: string | null;
}

@ArgsType()
export class StatisticsArgs {
  @Field(() => String)
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly username: string;

  @Field(() => String, { nullable: true, description: 'Of this rule set alone.' })
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  @IsOptional()
  readonly ruleset?: string | null;
}

/** How many, at the head of a list that is not paged. */
@ArgsType()
export class HeadArgs {
  @Field(() => Int, { nullable: true, description: 'How many; 1 to 100.' })
  @IsOptional()
  @Transform(wholeNumberOf)
  @IsInt()
  readonly first?: number | null;
}

@ArgsType()
export class OpponentsArgs extends HeadArgs {
  @Field(() => String)
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly username: string;
}

/** In the query of an address. */
export class RulesetQuery {
  @Text('Of this rule set alone.', 'chess')
  readonly ruleset?: string | null;
}

export class HeadToHeadQuery extends RulesetQuery {
  @Given(() => Int, { nullable: true, description: 'How many of the last games; 1 to 100, 5 by default.' })
  @Transform(wholeNumberOf)
  @IsInt()
  readonly first?: number | null;
}

/** The usernames in a path. */
export class UserParam {
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly username: string;
}

export class RivalsParam extends UserParam {
  @MaxLength(MOST_OF_A_TEXT)
  @IsString()
  readonly opponent: string;
}
