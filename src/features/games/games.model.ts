import { ID, Int, ObjectType } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { scopesOfField } from '../../platform/contract/access.js';
import { connectionOf } from '../../platform/contract/connection.js';
import { DateTimeScalar, UrlScalar } from '../../platform/contract/scalars.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { enumOf, model, shown, shownJson } from '../../platform/contract/model.js';
import { Node } from '../../platform/contract/node.js';
import { pageFields, pageFieldsWithGaps } from '../../platform/contract/paginated.js';
import { RatingChanges } from '../ratings/ratings.model.js';
import { RULESET } from '../rulesets/named.js';
import { shownPlayer } from '../users/users.model.js';
import { Clocks, Deadline, Offers, Takeback, TimeControl } from './clocks.model.js';
import type { ShownGame } from './game.row.js';
import { LISTS } from './games.store.js';
import { Board } from './board.model.js';
import { Fairness } from './fairness.model.js';
import { Ply, WAY } from './plies.model.js';
import { MOVE, OPTIONS, POSITION, SAN, SEAT, SETUP_NUMBER } from './descriptions.js';
import { AllowedAct, ACTS_NOW } from './viewer.model.js';
import { NOTATION_NAMES } from '../../rules/ruleset.js';
import { ClaimEnum, SeatEnum, ReasonEnum, StatusEnum, UnratedEnum } from './enums.model.js';

/** Response types for games. */

export const GameListEnum = enumOf(LISTS, {
  name: 'GameList',
  description: 'A list of your games.',
  values: {
    all: 'All games, by last activity, the newest first.',
    running:
      'The games not yet over, by urgency: first those that need a move, a client seed or an answer from you, by deadline.',
    ended: 'The games that are over, by last activity, the newest first.',
  },
});

const NotationNameEnum = enumOf(NOTATION_NAMES, {
  name: 'NotationName',
  description: 'A further notation of moves. More may come with other games.',
  values: {
    iccs: 'Coordinates of Xiangqi with ranks from 0: H2-E2.',
    chinese: 'Chinese characters of Xiangqi: 炮二平五.',
  },
});

@ObjectType({ description: 'A move in a further notation.' })
export class Notation extends model({
  name: shown(NotationNameEnum, { description: 'The name of the notation.' }),
  text: shown(String, { description: 'The move in that notation.', example: 'H2-E2' }),
}) {}

export const NOTATIONS = shown(
  [Notation],
  { description: 'The move in the further notations of the game; empty if it has none.' },
  Cost(rowsAtMost(NOTATION_NAMES.length)),
);

@ObjectType({ description: 'The outcome of a game.' })
export class Outcome extends model({
  winner: shown(SeatEnum, {
    nullable: true,
    description: 'The seat of the winner; null if the game was drawn or aborted.',
  }),
  reason: shown(ReasonEnum, { description: 'The reason why the game ended.' }),
}) {}

@ObjectType({ description: 'A player of a game.' })
export class GamePlayer extends model({
  seat: shown(SeatEnum, { description: SEAT }),
  player: shownPlayer('The user or the player of an application in the seat.'),
  side: shown(String, {
    nullable: true,
    description:
      'The name of the side, such as white or red; null until the first piece is turned up where that decides it ' +
      '(Banqi, Half Chess).',
    example: 'white',
  }),
}) {}

/** The cost of listing legal moves: half of the most that any position has, as most have far fewer. */
export const LEGAL_MOVES = 110;

@ObjectType({ description: 'A legal move.' })
export class LegalMove extends model({
  move: shown(String, { description: MOVE, example: 'g1f3' }),
  ...WAY,
  captures: shown(String, {
    nullable: true,
    description:
      'The letter of the piece that it captures; null if it captures none or one that is not known yet.',
  }),
  san: shown(String, { description: `${SAN} A piece not yet turned up is ?.`, example: 'Nf3' }),
  notations: NOTATIONS,
  losing: shown(Boolean, {
    description: 'True if the opponent can capture the king (general) right after the move.',
  }),
  warning: shown(Outcome, {
    nullable: true,
    description:
      'The outcome that the repetition by this move brings or lets a player claim; null without one.',
  }),
}) {}

export const BOARD = 'The board as data, the same for everybody.';
export const FAIRNESS = 'The data by which anyone can verify that the game is fair.';
export const PLAYERS_IN_ORDER = 'The two players, the first player first.';
export const LAST_MOVE = 'The last ply, without those taken back; null before ply 1.';
export const RATING_CHANGES =
  "The changes of the players' ratings by the game; null until the game is over, and if it was not rated.";
export const VIEWER = 'The part of the game that only you can see; null if you are not a player in it.';

@ObjectType({
  description: 'A game: what everybody can see, and under `viewer` what only you can see.',
  implements: () => [Node],
})
export class Game extends model({
  id: shown(ID, { description: 'The id of the game.' }),
  url: shown(UrlScalar, {
    description: 'The page of the game, on which everybody can see it. Its data are at `/v1/games/{id}`.',
  }),
  ruleset: RULESET,
  options: shownJson<Readonly<Record<string, unknown>>>({ description: OPTIONS }),
  setup: shown(String, {
    nullable: true,
    description:
      'The set-up at the start; null without one, and while a client seed is awaited: until it is drawn, `position` has ' +
      'KQRBN/kqrbn, the order before the rows are shuffled.',
  }),
  setupNumber: shown(Int, { nullable: true, description: SETUP_NUMBER, example: 4242 }),
  timeControl: shown(TimeControl, { description: 'The time control.' }),
  rated: shown(Boolean, {
    description: 'True if the game was agreed on as rated, so that no move can be taken back.',
  }),
  unrated: shown(UnratedEnum, {
    nullable: true,
    description: 'The reason why the game was not rated; null if it was, and until the game is over.',
  }),
  boardUrl: shown(UrlScalar, {
    description:
      'The URL of a picture of the board after the newest ply, which may be kept, as SVG; with .png in place of .svg as PNG.',
  }),
  status: shown(StatusEnum, { description: 'The status of the game.' }),
  version: shown(Int, {
    description: 'The version of the game, which grows with each act and each change by the clock.',
  }),
  plyCount: shown(Int, {
    description: 'The number of plies, without those taken back; the next ply has the number plyCount + 1.',
  }),
  turn: shown(SeatEnum, {
    nullable: true,
    description: 'The seat of the player to move; null if the game is over or waits for a client seed.',
  }),
  position: shown(String, { description: POSITION }),
  outcome: shown(Outcome, {
    nullable: true,
    description: 'The outcome of the game; null until it is over.',
  }),
  turnStartedAt: shown(DateTimeScalar, {
    description: 'The time at which the turn started, or the last turn if the game is over.',
  }),
  deadlineAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The same time as `deadline.at`.',
  }),
  deadline: shown(Deadline, { description: 'The deadline of the turn, with its explanation.' }),
  clocks: shown(Clocks, { description: 'The clocks of both players.' }),
  offers: shown(Offers, { description: 'The open offers.' }),
  takebacks: shown([Takeback], { description: 'The accepted takebacks, in order.' }, Cost(rowsAtMost(10))),
  resumesAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The end of the pause; null if the game is not paused or no player gave notice.',
  }),
  createdAt: shown(DateTimeScalar, { description: 'The time at which the game was created.' }),
  lastActivityAt: shown(DateTimeScalar, { description: 'The time of the newest change of the game.' }),
  endedAt: shown(DateTimeScalar, {
    nullable: true,
    description: 'The time at which the game ended; null until then.',
  }),
}) {
  /** For the fields that are resolved on demand; not in the schema. */
  readonly row: ShownGame;
}

@ObjectType({ description: 'A page of games.' })
export class GameConnection extends model(connectionOf(Game, 'A game on a page.')) {}

@ObjectType({ description: 'The counts of your running games.' })
export class GameCounts extends model({
  toMove: shown(Int, { description: 'The number of games that wait for your move or your client seed.' }),
  waiting: shown(Int, { description: 'The number of your other running games.' }),
  offers: shown(Int, { description: 'The number of offers and requests of your opponents that are open.' }),
}) {}

const COUNTS = 'The counts of all your running games, whatever the page shows.';

@ObjectType({ description: 'A page of your games.' })
export class MyGamesConnection extends model({
  ...GameConnection.fields,
  counts: shown(GameCounts, { description: COUNTS }),
}) {}

/** The player's own part of a game in REST, where the rest of it has its own routes. */
export class GameViewerDocument extends model({
  seat: shown(SeatEnum, { description: 'Your seat.' }),
  acts: shown([AllowedAct], { description: ACTS_NOW }),
}) {}

/** A game in REST, including the fields that GraphQL resolves on demand. */
export class GameDocument extends model({
  ...Game.fields,
  players: shown([GamePlayer], { description: PLAYERS_IN_ORDER }),
  board: shown(Board, { description: BOARD }),
  lastMove: shown(Ply, { nullable: true, description: LAST_MOVE }),
  fairness: shown(Fairness, { description: FAIRNESS }),
  ratingChanges: shown(RatingChanges, { nullable: true, description: RATING_CHANGES }),
  viewer: shown(GameViewerDocument, {
    nullable: true,
    description: `${VIEWER} ${scopesOfField(['games:read'])}`,
  }),
}) {}

@ApiSchema({ description: 'A page of your games.' })
export class GamePage extends model({
  ...pageFields(GameDocument),
  counts: shown(GameCounts, { description: COUNTS }),
}) {}

@ApiSchema({ description: 'Games by their ids, in the order asked.' })
export class GamesByIdsPage extends model(pageFieldsWithGaps(GameDocument)) {}

@ApiSchema({ description: 'The legal moves of a game.' })
export class LegalMovePage extends model(pageFields(LegalMove)) {}

@ApiSchema({ description: 'The draws that may be claimed in a game.' })
export class ClaimPage extends model(pageFields(ClaimEnum)) {}
