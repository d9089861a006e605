import { ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionOf } from '../../platform/connection.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Cost, rowsAtMost } from '../../platform/graphql/cost.js';
import { enumOf, model, shown, shownJson } from '../../platform/model.js';
import { listed, listedWithGaps } from '../../platform/listed.js';
import { RatingChanges } from '../ratings/ratings.model.js';
import { Player, User } from '../users/users.model.js';
import { Clocks, Deadline, Offers, Takeback, TimeControl } from './clocks.model.js';
import type { ShownGame } from './game.row.js';
import { LISTS } from './games.store.js';
import { Board } from './board.model.js';
import { Fairness } from './fairness.model.js';
import { Ply, WAY } from './plies.model.js';
import { AllowedAct, ACTS_NOW } from './viewer.model.js';
import { ClaimEnum, SeatEnum, ReasonEnum, StatusEnum, UnratedEnum } from './enums.model.js';

/** What leaves the server about games. */

export const GameListEnum = enumOf(LISTS, { name: 'GameList', description: 'Which of the games.' });

export const NOTATIONS =
  'In the further notations of the game, by their names (Xiangqi: chinese, iccs); empty where it has none.';
export const NOTATIONS_IN_REST = { type: 'object', additionalProperties: { type: 'string' } } as const;

@ObjectType({ description: 'The result: who won (null: a draw, or aborted), and why.' })
export class Outcome extends model({
  winner: shown(SeatEnum, { nullable: true }),
  reason: shown(ReasonEnum),
}) {}

@ObjectType({ description: 'One of the two players of a game.' })
export class GamePlayer extends model({
  seat: shown(SeatEnum, { description: 'Who makes ply 1 is the first.' }),
  player: shown(Player, { description: 'Who has the seat.', rest: { type: User } }),
  side: shown(String, {
    nullable: true,
    description:
      'Name of the side: white, red. Where play decides it (Banqi, Half Chess), null until the first piece is turned up.',
    example: 'white',
  }),
}) {}

/** Half of what any position of a game has; most have fewer. */
export const LEGAL_MOVES = 110;

@ObjectType({ description: 'A move that may be played now.' })
export class LegalMove extends model({
  move: shown(String, { description: 'As it is submitted.', example: 'g1f3' }),
  ...WAY,
  captures: shown(String, {
    nullable: true,
    description: 'Letter of the piece that it captures; null: none, or nobody knows it yet.',
  }),
  san: shown(String, { description: 'As people write it; a piece not yet turned up is ?.', example: 'Nf3' }),
  notations: shownJson<Readonly<Record<string, string>>>({ description: NOTATIONS, rest: NOTATIONS_IN_REST }),
  losing: shown(Boolean, { description: 'Can the opponent capture the king at once after it?' }),
  warning: shown(Outcome, {
    nullable: true,
    description:
      'What repeating the position by this move brings, or lets be claimed; null: it repeats nothing.',
  }),
}) {}

export const PLAYERS_IN_ORDER = 'The two players, the first one first.';
export const LAST_MOVE = 'The last ply that stands; null before ply 1.';
export const RATING_CHANGES =
  'What the game did to the ratings of its players; null when it has not been rated.';
export const VIEWER = 'What is for you alone; null when you do not play in the game.';

@ObjectType({
  description: 'A game: what everybody may know of it, and under `viewer` what is for the one who asks.',
})
export class Game extends model({
  id: shown(ID),
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
  turn: shown(SeatEnum, {
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
  takebacks: shown(
    [Takeback],
    { description: 'The takebacks that were accepted, in order.' },
    Cost(rowsAtMost(10)),
  ),
  resumesAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'When a pause that was called off is over.',
  }),
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
export class MyGamesConnection extends model({
  ...GameConnection.fields,
  counts: shown(GameCounts),
}) {}

/** What a game looks like from one seat, in REST; the rest of it has addresses of its own. */
export class GameViewerDocument extends model({
  seat: shown(SeatEnum, { description: 'Your seat.' }),
  acts: shown([AllowedAct], { description: ACTS_NOW }),
}) {}

/** The rule set of a game in REST. */
export class RulesetName extends model({
  id: shown(String, { example: 'chess' }),
  name: shown(String, { example: 'Chess' }),
  version: shown(Int, { description: 'Of its rules, as they are today.' }),
}) {}

/** A game as one document of REST, with what GraphQL resolves on demand. */
export class GameDocument extends model({
  ...Game.fields,
  ruleset: shown(RulesetName),
  players: shown([GamePlayer], { description: PLAYERS_IN_ORDER }),
  board: shown(Board),
  lastMove: shown(Ply, { nullable: true, description: LAST_MOVE }),
  fairness: shown(Fairness),
  ratingChanges: shown(RatingChanges, { nullable: true, description: RATING_CHANGES }),
  viewer: shown(GameViewerDocument, { nullable: true, description: VIEWER }),
}) {}

/** A page of games in REST. */
export class GamePage extends model({ ...listed(GameDocument), counts: shown(GameCounts) }) {}

/** Games by their ids in REST. */
export class GamesByIdsPage extends model(listedWithGaps(GameDocument)) {}

/** Legal moves in REST. */
export class LegalMovePage extends model(listed(LegalMove)) {}

/** Claims in REST. */
export class ClaimPage extends model(listed(ClaimEnum)) {}
