import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { STATUSES } from '../arbiter/acts.js';
import { TIME_CONTROL_TYPES } from '../arbiter/clock.js';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { DateTimeScalar, JsonScalar } from '../platform/graphql/scalars.js';
import { enumOf, Shown } from '../platform/model.js';
import { PageInfo } from '../platform/page.js';
import { CLAIMS, PLAYERS, REASONS } from '../rules/ruleset.js';
import { User } from '../users/users.model.js';
import { EVENT_TYPES, type GameRow } from './game.row.js';
import { LISTS } from './games.store.js';

/** What leaves the server about games. */

export const PlayerEnum = enumOf(PLAYERS);
export const ReasonEnum = enumOf(REASONS);
export const ClaimEnum = enumOf(CLAIMS);
export const StatusEnum = enumOf(STATUSES);
export const EventTypeEnum = enumOf(EVENT_TYPES);
export const TimeControlTypeEnum = enumOf(TIME_CONTROL_TYPES);
export const GameListEnum = enumOf(LISTS);
registerEnumType(PlayerEnum, { name: 'Player', description: 'By who makes ply 1.' });
registerEnumType(ReasonEnum, { name: 'Reason', description: 'Why a game ended.' });
registerEnumType(ClaimEnum, { name: 'Claim', description: 'A draw that a player may claim.' });
registerEnumType(StatusEnum, { name: 'GameStatus', description: 'Where a game is in its life.' });
registerEnumType(EventTypeEnum, {
  name: 'GameEventType',
  description: 'Acts that are no plies, starts and ends.',
});
registerEnumType(TimeControlTypeEnum, { name: 'TimeControlType' });
registerEnumType(GameListEnum, { name: 'GameList', description: 'Which of the games.' });

export const NOTATIONS =
  'In the further notations of the game, by their names (Xiangqi: chinese, iccs); empty where it has none.';
export const NOTATIONS_IN_REST = { type: 'object', additionalProperties: { type: 'string' } } as const;

@ObjectType({ description: 'How long a move may take.' })
export class TimeControl {
  @Shown(() => TimeControlTypeEnum)
  readonly type: keyof typeof TimeControlTypeEnum;

  @Shown(() => Int, { nullable: true, description: 'perMove: whole seconds for each move.', example: 259200 })
  readonly seconds: number | null;
}

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

@ObjectType({ description: 'Shows that the turned-up piece is the one that was dealt there.' })
export class DealProof {
  @Shown(() => String)
  readonly salt: string;

  @Shown(() => [String], { description: 'Hashes from the leaf up to dealRoot.' })
  readonly path: readonly string[];
}

@ObjectType({ description: 'One recorded action of one player.' })
export class Ply {
  @Shown(() => Int, { description: 'The version of the game that it made.' })
  readonly seq: number;

  @Shown(() => Int, { description: 'Its number, from 1.' })
  readonly ply: number;

  @Shown(() => PlayerEnum)
  readonly player: keyof typeof PlayerEnum;

  @Shown(() => String, { example: 'e2e4' })
  readonly move: string;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it turned up.' })
  readonly reveals: string | null;

  @Shown(() => String, { nullable: true, description: 'Letter of the piece that it captured.' })
  readonly captured: string | null;

  @Shown(() => String, { description: 'As people write it.', example: 'e4' })
  readonly san: string;

  @Shown(() => String, { description: 'The position after it.' })
  readonly position: string;

  @Shown(() => Int, { description: 'Whole seconds.' })
  readonly timeUsed: number;

  @Shown(() => Boolean)
  readonly automatic: boolean;

  @Shown(() => DateTimeScalar)
  readonly playedAt: Date;

  @Shown(() => String)
  readonly previousHash: string;

  @Shown(() => String, { description: 'SHA-256 over the ply with the hash before it.' })
  readonly hash: string;

  @Shown(() => DealProof, { nullable: true })
  readonly proof: DealProof | null;
}

@ObjectType({ description: 'A ply in a page.' })
export class PlyEdge {
  @Shown(() => String)
  readonly cursor: string;

  @Shown(() => Ply)
  readonly node: Ply;
}

@ObjectType({ description: 'A page of plies (Relay).' })
export class PlyConnection {
  @Shown(() => [PlyEdge])
  readonly edges: readonly PlyEdge[];

  @Shown(() => PageInfo)
  readonly pageInfo: PageInfo;

  @Shown(() => Int, { description: 'All plies of the game.' })
  readonly totalCount: number;
}

@ObjectType({ description: 'An act that is no ply, a start or an end.' })
export class GameEvent {
  @Shown(() => Int, { description: 'The version of the game that it made.' })
  readonly seq: number;

  @Shown(() => EventTypeEnum)
  readonly type: keyof typeof EventTypeEnum;

  @Shown(() => PlayerEnum, { nullable: true })
  readonly player: keyof typeof PlayerEnum | null;

  @Shown(() => JsonScalar)
  readonly data: Readonly<Record<string, unknown>>;

  @Shown(() => DateTimeScalar)
  readonly at: Date;
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

  @Shown(() => StatusEnum)
  readonly status: keyof typeof StatusEnum;

  @Shown(() => Int, { description: 'Counts the acts.' })
  readonly version: number;

  @Shown(() => Int, { description: 'Plies played; the next move is number plyCount + 1.' })
  readonly plyCount: number;

  @Shown(() => PlayerEnum, { nullable: true, description: 'Who is to move; null when the game is over.' })
  readonly turn: keyof typeof PlayerEnum | null;

  @Shown(() => String, { description: 'The position as FEN, or its like. A face-down piece is x.' })
  readonly position: string;

  @Shown(() => Outcome, { nullable: true })
  readonly outcome: Outcome | null;

  @Shown(() => DateTimeScalar)
  readonly turnStartedAt: Date;

  @Shown(() => DateTimeScalar, { nullable: true, description: 'When the turn runs out.' })
  readonly deadlineAt: Date | null;

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
  readonly row: GameRow;
}

@ObjectType({ description: 'A game in a page.' })
export class GameEdge {
  @Field(() => String)
  readonly cursor: string;

  @Field(() => Game)
  readonly node: Game;
}

@ObjectType({ description: 'A page of games (Relay).' })
export class GameConnection {
  @Field(() => [GameEdge])
  readonly edges: readonly GameEdge[];

  @Field(() => PageInfo)
  readonly pageInfo: PageInfo;
}

/** A game as one document of REST, with what GraphQL resolves on demand. */
export class GameDocument extends OmitType(Game, ['row'] as const) {
  @ApiProperty({ type: Players })
  readonly players: Players;

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
}
