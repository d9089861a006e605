import { Injectable } from '@nestjs/common';
import type { Viewer } from '../auth/viewer.js';
import { EngineService } from '../../engine/engine.service.js';
import { lastPly } from '../../engine/moves-text.js';
import { NotaryService } from '../../engine/notary.service.js';
import { receiptText } from '../../fairness/receipt.js';
import { Cursors } from '../../platform/cursors.js';
import { pageOf, type Connection, type PageRequest } from '../../platform/page.js';
import { Time } from '../../platform/time.js';
import type { RatingChanges } from '../ratings/ratings.model.js';
import { RatingsView } from '../ratings/ratings.view.js';
import { UsersService } from '../users/users.service.js';
import { timeControlOf, timesOf } from './clocks.view.js';
import {
  outcomeOf,
  seatOf,
  seedHashOf,
  seedStateOf,
  storedRow,
  type EventRow,
  type GameRow,
  type PlyRow,
  type ShownGame,
} from './game.row.js';
import type * as model from './games.model.js';
import type { GameEvent, Ply, PlyConnection } from './plies.model.js';
import { GamesService, type GoingOn } from './games.service.js';
import type { GameKey, GameList } from './games.store.js';
import { countsOf, isBehind, type RunningGame, type Urgency } from './urgency.js';

const PLIES_ON_A_PAGE = 100;
const GAMES_ON_A_PAGE = 20;

/** From rows to what leaves: the same for both transports. */
@Injectable()
export class GamesView {
  constructor(
    private readonly games: GamesService,
    private readonly engine: EngineService,
    private readonly notary: NotaryService,
    private readonly users: UsersService,
    private readonly ratings: RatingsView,
    private readonly time: Time,
    private readonly cursors: Cursors,
  ) {}

  game(row: ShownGame): model.Game {
    return { ...this.shown(row), row };
  }

  /** A whole game at one stroke, as REST shows it. */
  async document(row: GameRow, viewer: Viewer | null): Promise<model.GameDocument> {
    const [players, serverSeed, ratingChanges] = await Promise.all([
      this.players(row),
      this.games.serverSeed(row),
      this.ratingChanges(row),
    ]);
    const observation = this.observation(row);
    const you = seatOf(row, viewer);
    const receipt = this.receipt(row);
    return { ...this.shown(row), players, observation, serverSeed, receipt, ratingChanges, you };
  }

  /** What is stored of the game, signed; null without a chain. */
  receipt(shown: ShownGame): string | null {
    const row = storedRow(shown);
    const { id: game, version, commitment, dealRoot, headHash: hash } = row;
    if (hash === null) return null;
    const creatorSeed = seedHashOf(row, 'creator');
    const accepterSeed = seedHashOf(row, 'accepter');
    const outcome = outcomeOf(row);
    return this.notary.receipt(
      receiptText({ game, version, commitment, creatorSeed, accepterSeed, dealRoot, hash, outcome }),
    );
  }

  /** The same of all games of a page. */
  documents({ edges }: Connection<model.Game>, viewer: Viewer | null): Promise<model.GameDocument[]> {
    return Promise.all(edges.map(({ node }) => this.document(node.row, viewer)));
  }

  async players({ firstId, secondId }: GameRow): Promise<model.Players> {
    const [first, second] = await Promise.all([this.users.one(firstId), this.users.one(secondId)]);
    return { first, second };
  }

  /** What the game did to the ratings of its players; null when it has not been rated. */
  ratingChanges({ id, endedAt, unrated }: GameRow): Promise<RatingChanges | null> {
    return endedAt === null || unrated !== null ? Promise.resolve(null) : this.ratings.changes(id);
  }

  observation(row: GameRow): model.Observation {
    const { check, captured, faceDown } = this.engine.observe(row);
    const pieces = [...new Set(faceDown)];
    const count = (piece: string) => faceDown.split(piece).length - 1;
    return { check, captured, faceDown: pieces.map((piece) => ({ piece, count: count(piece) })) };
  }

  async events(row: ShownGame): Promise<readonly GameEvent[]> {
    return (await this.games.events(row)).map(eventOf);
  }

  /** A page of the plies of a game, from either end; with `takenBack` also of those that no longer stand. */
  async plies(
    row: GameRow,
    { takenBack = false, ...page }: PageRequest & { readonly takenBack?: boolean },
  ): Promise<PlyConnection> {
    const plies = await pageOf(page, {
      cursors: this.cursors.of<number>('plies', row.id),
      size: PLIES_ON_A_PAGE,
      read: (range) => this.games.plies(row, takenBack, range),
      key: ({ seq }) => seq,
      node: (ply) => plyOf(row, ply),
    });
    return { ...plies, totalCount: takenBack ? await this.games.countPlies(row) : row.plyCount };
  }

  /** The games of the viewer: the running ones by urgency, others by last activity. */
  async mine(viewer: Viewer, list: GameList, page: PageRequest): Promise<model.MyGames> {
    const own = await this.games.goingOn(viewer.userId);
    const games =
      list === 'running'
        ? await this.urgent(viewer, own.running, page)
        : await this.recent(viewer, list, own, page);
    return { ...games, counts: countsOf(own.running) };
  }

  private urgent(
    viewer: Viewer,
    running: readonly RunningGame[],
    page: PageRequest,
  ): Promise<model.GameConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<Urgency>('myGames', viewer.userId, 'running'),
      size: GAMES_ON_A_PAGE,
      read: ({ after, limit }) => {
        const behind = running.filter(({ urgency }) => after === undefined || isBehind(urgency, after));
        return this.games.byIds(behind.slice(0, limit).map(({ id }) => id));
      },
      key: (row) => running.find(({ id }) => id === row.id)!.urgency,
      node: (row) => this.game(row),
    });
  }

  private recent(
    viewer: Viewer,
    list: Exclude<GameList, 'running'>,
    own: GoingOn,
    page: PageRequest,
  ): Promise<model.GameConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<GameKey>('myGames', viewer.userId, list),
      size: GAMES_ON_A_PAGE,
      read: ({ after = null, limit }) => this.games.ofUser(viewer.userId, list, own, after, limit),
      key: ({ lastActivityAt, id }) => ({ lastActivityAt, id }),
      node: (row) => this.game(row),
    });
  }

  private shown(row: GameRow): PublicGame {
    return {
      ...publicOf(row),
      ...timesOf(row, this.time.now()),
      setupNumber: this.engine.setupNumber(row),
    };
  }
}

function lastMoveOf({ moves, plyCount }: GameRow): model.LastMove | null {
  const last = lastPly(moves);
  return last && { ply: plyCount, ...last };
}

type PublicGame = Omit<model.Game, 'row'>;

const publicOf = (row: GameRow): Omit<PublicGame, 'setupNumber' | keyof ReturnType<typeof timesOf>> => ({
  id: row.id,
  ruleset: row.ruleset,
  options: row.options,
  setup: row.setup,
  timeControl: timeControlOf(row.timeControl),
  rated: row.rated,
  unrated: row.unrated,
  status: row.status,
  version: row.version,
  plyCount: row.plyCount,
  lastMove: lastMoveOf(row),
  turn: row.turn,
  position: row.position,
  outcome: outcomeOf(row),
  turnStartedAt: row.turnStartedAt,
  deadlineAt: row.deadlineAt,
  takebacks: row.takebacks,
  termsHash: row.termsHash,
  // What the clock has done and nobody has stored is in no chain yet.
  headHash: storedRow(row).headHash,
  commitment: row.commitment,
  dealRoot: row.dealRoot,
  clientSeeds: { first: row.firstClientSeed, second: row.secondClientSeed },
  creatorSeed: seedStateOf(row, 'creator'),
  accepterSeed: seedStateOf(row, 'accepter'),
  clientSeedHash: row.clientSeedHash,
  awaitingSeed: row.status === 'pending',
  creator: row.creator,
  createdAt: row.createdAt,
  lastActivityAt: row.lastActivityAt,
  endedAt: row.endedAt,
});

const plyOf = ({ takebacks }: GameRow, { gameId: _game, ...ply }: PlyRow): Ply => ({
  ...ply,
  takenBack: takebacks.some((back) => ply.seq < back.seq && ply.ply > back.ply),
});

const eventOf = ({ gameId: _game, ...event }: EventRow): GameEvent => event;
