import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { enumOf, model, shown, shownJson } from '../../platform/model.js';
import { PageInfo } from '../../platform/page.js';
import { RatingChanges } from '../ratings/ratings.model.js';
import { User } from '../users/users.model.js';
import { Clocks, Deadline, Offers, Takeback, TimeControl } from './clocks.model.js';
import { SEED_STATES, type ShownGame } from './game.row.js';
import { LISTS } from './games.store.js';
import { PlayerEnum, ReasonEnum, StatusEnum, UnratedEnum } from './enums.model.js';

/** What leaves the server about games. */

export const GameListEnum = enumOf(LISTS, { name: 'GameList', description: 'Which of the games.' });

export const NOTATIONS =
  'In the further notations of the game, by their names (Xiangqi: chinese, iccs); empty where it has none.';
export const NOTATIONS_IN_REST = { type: 'object', additionalProperties: { type: 'string' } } as const;

@ObjectType({ description: 'The result: who won (null: a draw, or aborted), and why.' })
export class Outcome extends model({
  winner: shown(PlayerEnum, { nullable: true }),
  reason: shown(ReasonEnum),
}) {}

@ObjectType({ description: 'Who plays.' })
export class Players extends model({
  first: shown(User),
  second: shown(User),
}) {}

export const SeedStateEnum = enumOf(SEED_STATES, {
  name: 'SeedState',
  description:
    "A player's part in the shuffle: announced by its hash and awaited; given; or left to the server, which then may choose it.",
});

@ObjectType({
  description: "The players' part in the shuffle; null as long as one is awaited, or left to the server.",
})
export class ClientSeeds extends model({
  first: shown(String, { nullable: true }),
  second: shown(String, { nullable: true }),
}) {}

@ObjectType({ description: 'A kind of piece that still lies face-down.' })
export class FaceDownCount extends model({
  piece: shown(String, { description: 'Its letter.' }),
  count: shown(Int),
}) {}

@ObjectType({ description: 'What stands beside the board; the same for everybody.' })
export class Observation extends model({
  check: shown(Boolean, { description: 'Is the side to move in check?' }),
  captured: shown(String, { description: 'Letters of the captured pieces, in order.' }),
  faceDown: shown([FaceDownCount], { description: 'By elimination: nobody sees which lies where.' }),
}) {}

@ObjectType({ description: 'A move that may be played now.' })
export class LegalMove extends model({
  move: shown(String, { description: 'As it is submitted.', example: 'g1f3' }),
  san: shown(String, { description: 'As people write it; a piece not yet turned up is ?.', example: 'Nf3' }),
  notations: shownJson<Readonly<Record<string, string>>>({ description: NOTATIONS, rest: NOTATIONS_IN_REST }),
  losing: shown(Boolean, { description: 'Can the opponent capture the king at once after it?' }),
  warning: shown(Outcome, {
    nullable: true,
    description:
      'What repeating the position by this move brings, or lets be claimed; null: it repeats nothing.',
  }),
}) {}

@ObjectType({ description: 'The last ply of a game. What was sent is here as it was read.' })
export class LastMove extends model({
  ply: shown(Int, {
    description:
      'Its number. Where this is more than that of the ply you sent, a conditional move has answered yours: moves has both.',
  }),
  move: shown(String, { description: 'As it is stored.', example: 'g1f3' }),
  reveals: shown(String, { nullable: true, description: 'Letter of the piece that it turned up.' }),
  captured: shown(String, { nullable: true, description: 'Letter of the piece that it captured.' }),
}) {}

@ObjectType({ description: 'A game, as whoever asks may see it.' })
export class Game extends model({
  id: shown(ID),
  ruleset: shown(String, { example: 'chess' }),
  options: shownJson<Readonly<Record<string, unknown>>>({ description: 'Complete, with the defaults.' }),
  setup: shown(String, {
    nullable: true,
    description:
      'The opening set-up, where the game has one; null too as long as it is not drawn: a client seed is awaited, ' +
      'and position shows the rows in the order before the draw.',
  }),
  setupNumber: shown(Int, { nullable: true, description: 'The published number of setup.', example: 4242 }),
  timeControl: shown(TimeControl),
  rated: shown(Boolean, { description: 'Agreed on as rated: then no move is taken back.' }),
  unrated: shown(UnratedEnum, {
    nullable: true,
    description: 'Why the game that is over has not been rated; null when it has been, or goes on.',
  }),
  status: shown(StatusEnum),
  version: shown(Int, { description: 'Counts the acts.' }),
  plyCount: shown(Int, { description: 'Plies played; the next move is number plyCount + 1.' }),
  lastMove: shown(LastMove, { nullable: true, description: 'The last ply; null before ply 1.' }),
  turn: shown(PlayerEnum, {
    nullable: true,
    description: 'Who is to move; null when the game is over, or a client seed is awaited.',
  }),
  position: shown(String, { description: 'The position as FEN, or its like. A face-down piece is x.' }),
  outcome: shown(Outcome, { nullable: true }),
  turnStartedAt: shown(DateTimeScalar),
  deadlineAt: shown(DateTimeScalar, { nullable: true, description: 'When the turn runs out.' }),
  deadline: shown(Deadline),
  clocks: shown(Clocks),
  offers: shown(Offers),
  takebacks: shown([Takeback]),
  resumesAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'When a pause that was called off is over.',
  }),
  termsHash: shown(String, {
    nullable: true,
    description: 'Hash of the first row of the chain, with the terms of the challenge.',
  }),
  headHash: shown(String, {
    nullable: true,
    description: 'Hash of the newest row of the chain that is stored: it stands for the whole game.',
  }),
  commitment: shown(String, {
    description: 'SHA-256 of the server seed, shown before anyone gave a client seed.',
  }),
  dealRoot: shown(String, { nullable: true, description: 'Merkle root over the deal.' }),
  clientSeeds: shown(ClientSeeds),
  creatorSeed: shown(SeedStateEnum, { description: 'Of the creator of the challenge.' }),
  accepterSeed: shown(SeedStateEnum, { description: 'Of whoever accepted it.' }),
  clientSeedHash: shown(String, {
    nullable: true,
    description: "SHA-256 of the creator's client seed, given or announced; null: left to the server.",
  }),
  awaitingSeed: shown(Boolean, { description: 'Does the game wait for an announced client seed?' }),
  creator: shown(PlayerEnum, { description: 'Who made the challenge.' }),
  createdAt: shown(DateTimeScalar),
  lastActivityAt: shown(DateTimeScalar),
  endedAt: shown(DateTimeScalar, { nullable: true }),
}) {
  /** Where the fields that are resolved on demand start from; in no schema. */
  readonly row: ShownGame;
}

@ObjectType({ description: 'A page of games (Relay).' })
export class GameConnection extends model(connectionOf(Game, 'A game in a page.')) {}

@ObjectType({ description: 'How many of your running games want something.' })
export class GameCounts extends model({
  toMove: shown(Int, { description: 'It is your turn, or your client seed is awaited.' }),
  waiting: shown(Int, { description: 'It is not.' }),
  offers: shown(Int, { description: 'Offers that wait for your answer: draws, takebacks, pauses.' }),
}) {}

@ObjectType({ description: 'A page of your games.' })
export class MyGames extends model({
  ...GameConnection.fields,
  counts: shown(GameCounts),
}) {}

export const RECEIPT =
  'What the server shows of the game at the version that is stored, signed (docs/fairness.md, "Receipts"): keep the ' +
  'newest one. Null in a game of format 1 that waits for a seed.';

/** A game as one document of REST, with what GraphQL resolves on demand. */
export class GameDocument extends model({
  ...Game.fields,
  players: shown(Players),
  ratingChanges: shown(RatingChanges, {
    nullable: true,
    description: 'What the game did to the ratings of its players; null when it has not been rated.',
  }),
  observation: shown(Observation),
  serverSeed: shown(String, {
    nullable: true,
    description: 'The secret of the deal; null until the game is over.',
  }),
  receipt: shown(String, { nullable: true, description: RECEIPT }),
  you: shown(PlayerEnum, { nullable: true, description: 'Your own seat.' }),
}) {}

/** A page of games in REST. */
export class GamePage {
  @ApiProperty({ type: [GameDocument] })
  readonly games: readonly GameDocument[];

  @ApiProperty({ type: PageInfo })
  readonly pageInfo: PageInfo;

  @ApiProperty({ type: GameCounts })
  readonly counts: GameCounts;
}
