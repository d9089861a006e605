import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ApiExtraModels, ApiProperty, getSchemaPath, OmitType } from '@nestjs/swagger';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar, JsonScalar } from '../../platform/graphql/scalars.js';
import { enumOf, Shown } from '../../platform/model.js';
import { PageInfo } from '../../platform/page.js';
import { PLAYERS } from '../../rules/ruleset.js';
import { RatingChanges } from '../ratings/ratings.model.js';
import { User } from '../users/users.model.js';
import { Clocks, Deadline, Offers, Takeback, TimeControl } from './clocks.model.js';
import type { ShownGame } from './game.row.js';
import { LISTS } from './games.store.js';
import { PlayerEnum, ReasonEnum, StatusEnum, UnratedEnum } from './enums.model.js';

/** What leaves the server about games. */

export const GameListEnum = enumOf(LISTS);
registerEnumType(GameListEnum, { name: 'GameList', description: 'Which of the games.' });

export const NOTATIONS =
  'In the further notations of the game, by their names (Xiangqi: chinese, iccs); empty where it has none.';
export const NOTATIONS_IN_REST = { type: 'object', additionalProperties: { type: 'string' } } as const;

@ObjectType({ description: 'The result: who won (null: a draw, or aborted), and why.' })
export class Outcome {
  @Shown(() => PlayerEnum, { nullable: true })
  readonly winner: keyof typeof PlayerEnum | null;

  @Shown(() => ReasonEnum)
  readonly reason: keyof typeof ReasonEnum;
}

@ObjectType({ description: 'Who plays.' })
export class Players {
  @Shown(() => User)
  readonly first: User;

  @Shown(() => User)
  readonly second: User;
}

@ObjectType({ description: "The players' part in the shuffle; null as long as one is awaited." })
export class ClientSeeds {
  @Shown(() => String, { nullable: true })
  readonly first: string | null;

  @Shown(() => String, { nullable: true })
  readonly second: string | null;
}

@ObjectType({ description: 'A kind of piece that still lies face-down.' })
export class FaceDownCount {
  @Shown(() => String, { description: 'Its letter.' })
  readonly piece: string;

  @Shown(() => Int)
  readonly count: number;
}

@ObjectType({ description: 'What stands beside the board; the same for everybody.' })
export class Observation {
  @Shown(() => Boolean, { description: 'Is the side to move in check?' })
  readonly check: boolean;

  @Shown(() => String, { description: 'Letters of the captured pieces, in order.' })
  readonly captured: string;

  @Shown(() => [FaceDownCount], { description: 'By elimination: nobody sees which lies where.' })
  readonly faceDown: readonly FaceDownCount[];
}

@ObjectType({ description: 'A move that may be played now.' })
export class LegalMove {
  @Shown(() => String, { description: 'As it is submitted.', example: 'g1f3' })
  readonly move: string;

  @Shown(() => String, { description: 'As people write it; a piece not yet turned up is ?.', example: 'Nf3' })
  readonly san: string;

  @Shown(() => JsonScalar, { description: NOTATIONS, rest: NOTATIONS_IN_REST })
  readonly notations: Readonly<Record<string, string>>;

  @Shown(() => Boolean, { description: 'Can the opponent capture the king at once after it?' })
  readonly losing: boolean;

  @Shown(() => Outcome, {
    nullable: true,
    description:
      'What repeating the position by this move brings, or lets be claimed; null: it repeats nothing.',
  })
  readonly warning: Outcome | null;
}

@ObjectType({ description: 'A game, as whoever asks may see it.' })
export class Game {
  @Shown(() => ID)
  readonly id: string;

  @Shown(() => String, { example: 'chess' })
  readonly ruleset: string;

  @Shown(() => JsonScalar, { description: 'Complete, with the defaults.' })
  readonly options: Readonly<Record<string, unknown>>;

  @Shown(() => String, {
    nullable: true,
    description:
      'The opening set-up, where the game has one; null too as long as it is not drawn: a client seed is awaited, ' +
      'and position shows the rows in the order before the draw.',
  })
  readonly setup: string | null;

  @Shown(() => Int, { nullable: true, description: 'The published number of setup.', example: 4242 })
  readonly setupNumber: number | null;

  @Shown(() => TimeControl)
  readonly timeControl: TimeControl;

  @Shown(() => Boolean, { description: 'Agreed on as rated: then no move is taken back.' })
  readonly rated: boolean;

  @Shown(() => UnratedEnum, {
    nullable: true,
    description: 'Why the game that is over has not been rated; null when it has been, or goes on.',
  })
  readonly unrated: keyof typeof UnratedEnum | null;

  @Shown(() => StatusEnum)
  readonly status: keyof typeof StatusEnum;

  @Shown(() => Int, { description: 'Counts the acts.' })
  readonly version: number;

  @Shown(() => Int, { description: 'Plies played; the next move is number plyCount + 1.' })
  readonly plyCount: number;

  @Shown(() => PlayerEnum, {
    nullable: true,
    description: 'Who is to move; null when the game is over, or a client seed is awaited.',
  })
  readonly turn: keyof typeof PlayerEnum | null;

  @Shown(() => String, { description: 'The position as FEN, or its like. A face-down piece is x.' })
  readonly position: string;

  @Shown(() => Outcome, { nullable: true })
  readonly outcome: Outcome | null;

  @Shown(() => DateTimeScalar)
  readonly turnStartedAt: Date;

  @Shown(() => DateTimeScalar, { nullable: true, description: 'When the turn runs out.' })
  readonly deadlineAt: Date | null;

  @Shown(() => Deadline)
  readonly deadline: Deadline;

  @Shown(() => Clocks)
  readonly clocks: Clocks;

  @Shown(() => Offers)
  readonly offers: Offers;

  @Shown(() => [Takeback])
  readonly takebacks: readonly Takeback[];

  @Shown(() => DateTimeScalar, { nullable: true, description: 'When a pause that was called off is over.' })
  readonly resumesAt: Date | null;

  @Shown(() => String, {
    nullable: true,
    description: 'SHA-256 of the terms: the start of the chain of plies.',
  })
  readonly termsHash: string | null;

  @Shown(() => String, {
    nullable: true,
    description: 'The newest hash of the chain: it stands for the whole game.',
  })
  readonly headHash: string | null;

  @Shown(() => String, { description: 'SHA-256 of the server seed, shown before anyone gave a client seed.' })
  readonly commitment: string;

  @Shown(() => String, { nullable: true, description: 'Merkle root over the deal.' })
  readonly dealRoot: string | null;

  @Shown(() => ClientSeeds)
  readonly clientSeeds: ClientSeeds;

  @Shown(() => String, {
    nullable: true,
    description: "Announced by the challenge's creator in place of the seed.",
  })
  readonly clientSeedHash: string | null;

  @Shown(() => Boolean, { description: 'Does the game wait for the client seed of its creator?' })
  readonly awaitingSeed: boolean;

  @Shown(() => PlayerEnum, { description: 'Who made the challenge.' })
  readonly creator: keyof typeof PlayerEnum;

  @Shown(() => DateTimeScalar)
  readonly createdAt: Date;

  @Shown(() => DateTimeScalar)
  readonly lastActivityAt: Date;

  @Shown(() => DateTimeScalar, { nullable: true })
  readonly endedAt: Date | null;

  /** Where the fields that are resolved on demand start from; in no schema. */
  readonly row: ShownGame;
}

@ObjectType({ description: 'A page of games (Relay).' })
export class GameConnection extends connectionOf(Game, 'A game in a page.') {}

@ObjectType({ description: 'How many of your running games want something.' })
export class GameCounts {
  @Shown(() => Int, { description: 'It is your turn, or your client seed is awaited.' })
  readonly toMove: number;

  @Shown(() => Int, { description: 'It is not.' })
  readonly waiting: number;

  @Shown(() => Int, { description: 'Offers that wait for your answer: draws, takebacks, pauses.' })
  readonly offers: number;
}

@ObjectType({ description: 'A page of your games.' })
export class MyGames extends GameConnection {
  @Field(() => GameCounts)
  readonly counts: GameCounts;
}

/** A game as one document of REST, with what GraphQL resolves on demand. */
@ApiExtraModels(RatingChanges)
export class GameDocument extends OmitType(Game, ['row'] as const) {
  @ApiProperty({ type: Players })
  readonly players: Players;

  @ApiProperty({
    anyOf: [{ $ref: getSchemaPath(RatingChanges) }, { type: 'object', nullable: true, enum: [null] }],
    description: 'What the game did to the ratings of its players; null when it has not been rated.',
  })
  readonly ratingChanges: RatingChanges | null;

  @ApiProperty({ type: Observation })
  readonly observation: Observation;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The secret of the deal; null until the game is over.',
  })
  readonly serverSeed: string | null;

  @ApiProperty({ type: 'string', enum: [...PLAYERS, null], nullable: true, description: 'Your own seat.' })
  readonly you: keyof typeof PlayerEnum | null;
}

/** A page of games in REST. */
export class GamePage {
  @ApiProperty({ type: [GameDocument] })
  readonly games: readonly GameDocument[];

  @ApiProperty({ type: PageInfo })
  readonly pageInfo: PageInfo;

  @ApiProperty({ type: GameCounts })
  readonly counts: GameCounts;
}
