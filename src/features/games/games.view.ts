import { Inject, Injectable } from '@nestjs/common';
import type { Act } from '../../arbiter/acts/act.js';
import { flatten } from '../../arbiter/flat-conditional-moves.js';
import type { Config } from '../../config.js';
import { entitled, type Principal } from '../auth/principal.js';
import { EngineService } from '../../engine/engine.service.js';
import { SigningService } from '../../engine/signing.service.js';
import { receiptText } from '../../fairness/receipt.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { cacheBytes } from '../../platform/process/cache-sizes.js';
import { Cursors } from '../../platform/contract/cursors.js';
import {
  pageOf,
  sliceOf,
  type Connection,
  type PageRequest,
  MAX_PAGE_SIZE,
  DEFAULT_PAGE_SIZE,
} from '../../platform/contract/page.js';
import { JsonText } from '../../platform/http/json-text.js';
import { Time } from '../../platform/process/time.js';
import type { RatingChanges } from '../ratings/ratings.model.js';
import { RatingsView } from '../ratings/ratings.view.js';
import { named } from '../rulesets/named.js';
import { FACE_DOWN_LETTER } from '../../rules/board.js';
import { PLAYERS, type Player } from '../../rules/ruleset.js';
import type { AnyPlayer } from '../users/users.model.js';
import { timeControlOf, Times } from './clocks.view.js';
import {
  outcomeOf,
  planOf,
  seatOf,
  seedHashOf,
  seedStateOf,
  storedRow,
  type EventRow,
  type GameRow,
  type PlyRow,
  type Seated,
  type ShownGame,
} from './game.row.js';
import { boardUrl, gameUrl } from './game-url.js';
import type { Board } from './board.model.js';
import type { Fairness } from './fairness.model.js';
import type { ConditionalMove } from './conditional-moves.model.js';
import type * as model from './games.model.js';
import type { GameEvent, GameEventConnection, Ply } from './plies.model.js';
import { PliesView, plyOf } from './plies.view.js';
import { GamesService, type CurrentGames } from './games.service.js';
import type { GameKey, GameList } from './games.store.js';
import { KeptOfGames } from './kept-of-games.js';
import { KnownGames } from './known-games.js';
import { ViewerService } from './viewer.service.js';
import { countsOf, isBehind, type RunningGame, type Urgency } from './urgency.js';

/** The fields that GraphQL resolves only on request. */
export interface FairnessOnDemand extends Omit<Fairness, 'receipt' | 'serverSeed'> {
  readonly receipt: () => string | null;
  readonly serverSeed: () => Promise<string | null>;
}

/** The parts of a document that are made for each answer. */
type Momentary = Pick<model.GameDocument, 'clocks' | 'players' | 'viewer'>;

/** The rest as JSON up to its closing brace, and whether it has all that will ever be in it while the row stays the same. */
interface Written {
  readonly text: Buffer;
  readonly isWhole: boolean;
}

/** Builds the responses about games, for both transports. */
@Injectable()
export class GamesView {
  private readonly kept: KeptOfGames<Written>;

  constructor(
    knownGames: KnownGames,
    private readonly games: GamesService,
    private readonly plies: PliesView,
    private readonly viewers: ViewerService,
    private readonly engine: EngineService,
    private readonly signing: SigningService,
    private readonly ratings: RatingsView,
    private readonly time: Time,
    private readonly cursors: Cursors,
    private readonly address: OwnAddress,
    @Inject(CONFIG) config: Config,
  ) {
    this.kept = new KeptOfGames(knownGames, cacheBytes(config, 'gamesAsJson'), ({ text }) => text.length);
  }

  /** A game in GraphQL, which computes its times only on request. */
  game(row: ShownGame): model.Game {
    const setupNumber = this.engine.setupNumber(row);
    return Object.assign(new Times(row, this.time.now()), this.columns(row), { setupNumber });
  }

  /** A complete game, as REST shows it. */
  async document(
    row: ShownGame,
    viewer: Principal | null,
    known?: Seated<AnyPlayer>,
  ): Promise<model.GameDocument> {
    const [lasting, momentary] = await Promise.all([this.lasting(row), this.momentary(row, viewer, known)]);
    return { ...lasting, ...momentary };
  }

  /** The same as JSON, of which the larger part is kept while the game stays as it is. */
  async text(
    row: ShownGame,
    viewer: Principal | null,
    known?: Seated<AnyPlayer>,
  ): Promise<JsonText<model.GameDocument>> {
    const [{ text }, momentary] = await Promise.all([
      this.kept.get(
        row,
        'document',
        () => this.written(row),
        ({ isWhole }) => isWhole,
      ),
      this.momentary(row, viewer, known),
    ]);
    return new JsonText(text, `,${JSON.stringify(momentary).slice(1)}`);
  }

  private async written(row: ShownGame): Promise<Written> {
    const lasting = await this.lasting(row);
    const { ratingChanges, fairness } = lasting;
    // What the end of a game publishes may be missing for a moment, or with other keys.
    const isWhole =
      row.endedAt === null ||
      (fairness.serverSeed !== null && (row.unrated !== null || ratingChanges !== null));
    return { text: Buffer.from(JSON.stringify(lasting).slice(0, -1)), isWhole };
  }

  /** What all viewers see of a game as long as its row stays the same. */
  private async lasting(row: ShownGame): Promise<Omit<model.GameDocument, keyof Momentary>> {
    const [lastMove, serverSeed, ratingChanges] = await Promise.all([
      this.plies.last(row),
      this.games.serverSeed(row),
      this.ratingChanges(row),
    ]);
    const { deadline, offers, resumesAt } = new Times(row, this.time.now());
    return {
      ...this.columns(row),
      deadline,
      offers,
      resumesAt,
      setupNumber: this.engine.setupNumber(row),
      board: this.board(row),
      lastMove,
      fairness: { ...fairnessOf(row), receipt: this.receipt(row), serverSeed },
      ratingChanges,
    };
  }

  /** What depends on the time, on the viewer or on the rows of users. */
  private async momentary(
    row: ShownGame,
    viewer: Principal | null,
    known?: Seated<AnyPlayer>,
  ): Promise<Momentary> {
    // An act that needs another scope also answers with the game: show the viewer's part only with games:read.
    const seat = seatOf(row, entitled(viewer, ['games:read']));
    const [users, acts] = await Promise.all([
      known ?? this.games.players(row),
      seat === null ? [] : this.viewers.acts(row, seat),
    ]);
    const { clocks } = new Times(row, this.time.now());
    return { clocks, players: this.seated(row, users), viewer: seat && { seat, acts } };
  }

  fairness(row: ShownGame): FairnessOnDemand {
    return {
      ...fairnessOf(row),
      receipt: () => this.receipt(row),
      serverSeed: () => this.games.serverSeed(row),
    };
  }

  /** The signed receipt of the stored game. */
  receipt(shown: ShownGame): string {
    const row = storedRow(shown);
    const { id: game, version, commitment, dealRoot, headHash: hash } = row;
    const creatorSeed = seedHashOf(row, 'creator');
    const accepterSeed = seedHashOf(row, 'accepter');
    const outcome = outcomeOf(row);
    return this.signing.receipt(
      receiptText({ game, version, commitment, creatorSeed, accepterSeed, dealRoot, hash, outcome }),
    );
  }

  documents({ edges }: Connection<model.Game>, viewer: Principal | null): Promise<model.GameDocument[]> {
    return Promise.all(edges.map(({ node }) => this.document(node.row, viewer)));
  }

  texts(
    { edges }: Connection<model.Game>,
    viewer: Principal | null,
  ): Promise<JsonText<model.GameDocument>[]> {
    return Promise.all(edges.map(({ node }) => this.text(node.row, viewer)));
  }

  async players(row: ShownGame): Promise<readonly model.GamePlayer[]> {
    return this.seated(row, await this.games.players(row));
  }

  private seated(row: GameRow, users: Seated<AnyPlayer>): readonly model.GamePlayer[] {
    const sides = this.engine.sides(row);
    return PLAYERS.map((seat) => ({ seat, player: users[seat], side: sides[seat] }));
  }

  /** The changes of the players' ratings by the game; null if it was not rated. */
  ratingChanges({ id, endedAt, unrated }: GameRow): Promise<RatingChanges | null> {
    return endedAt === null || unrated !== null ? Promise.resolve(null) : this.ratings.changes(id);
  }

  board(row: GameRow): Board {
    const { check, captured, faceDown, squares } = this.engine.observe(row);
    const count = (piece: string) => faceDown.split(piece).length - 1;
    return {
      ...this.engine.ruleset(row.ruleset).board,
      squares: squares.map(({ square, letter }) => ({
        square,
        piece: letter === FACE_DOWN_LETTER ? null : letter,
        faceDown: letter === FACE_DOWN_LETTER,
      })),
      captured: [...captured],
      faceDown: [...new Set(faceDown)].map((piece) => ({ piece, count: count(piece) })),
      check,
    };
  }

  /** A page of the events of a game, from either end. */
  events(row: ShownGame, page: PageRequest): Promise<GameEventConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<number>('gameLog', row.id),
      size: MAX_PAGE_SIZE,
      read: async (range) => sliceOf([...(await this.allEvents(row)).entries()], range),
      key: ([place]) => place,
      node: ([, event]) => event,
    });
  }

  async allEvents(row: ShownGame): Promise<readonly GameEvent[]> {
    return (await this.games.events(row)).map(eventOf);
  }

  /** The conditional moves of the player in this seat, as a list; null without any. */
  plan(row: GameRow, seat: Player | null): readonly ConditionalMove[] | null {
    const plan = seat && planOf(row, seat);
    return plan && flatten(plan);
  }

  /** The part of the answer to an act that makes a ply: that ply and the conditional moves that answered it. */
  made({ plays }: Act, row: GameRow, plies: readonly PlyRow[]): { ply?: Ply | null; automatic?: Ply[] } {
    if (plays === null) return {};
    const [ply = null, ...automatic] = plies.map((made) => plyOf(row, made));
    return plays === 'always' ? { ply, automatic } : { ply };
  }

  /** The games of the viewer: the running ones by urgency, others by last activity. */
  async mine(viewer: Principal, list: GameList, page: PageRequest): Promise<model.MyGamesConnection> {
    const own = await this.games.current(viewer.userId);
    const games =
      list === 'running'
        ? await this.urgent(viewer, own.running, page)
        : await this.recent(viewer, list, own, page);
    return { ...games, counts: countsOf(own.running) };
  }

  private urgent(
    viewer: Principal,
    running: readonly RunningGame[],
    page: PageRequest,
  ): Promise<model.GameConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<Urgency>('myGames', viewer.userId, 'running'),
      size: DEFAULT_PAGE_SIZE,
      read: ({ after, limit }) => {
        const behind = running.filter(({ urgency }) => after === undefined || isBehind(urgency, after));
        return this.games.withStamps(behind.slice(0, limit));
      },
      key: (row) => running.find(({ id }) => id === row.id)!.urgency,
      node: (row) => this.game(row),
    });
  }

  private recent(
    viewer: Principal,
    list: Exclude<GameList, 'running'>,
    own: CurrentGames,
    page: PageRequest,
  ): Promise<model.GameConnection> {
    return pageOf(page, {
      cursors: this.cursors.of<GameKey>('myGames', viewer.userId, list),
      size: DEFAULT_PAGE_SIZE,
      read: ({ after = null, limit }) => this.games.ofUser(viewer.userId, list, own, after, limit),
      key: ({ lastActivityAt, id }) => ({ lastActivityAt, id }),
      node: (row) => this.game(row),
    });
  }

  /** What is shown of a game besides its times and offers. */
  private columns(row: GameRow): Omit<model.Game, 'setupNumber' | keyof Times> {
    return {
      id: row.id,
      ruleset: named(row.ruleset),
      options: row.options,
      setup: row.setup,
      timeControl: timeControlOf(row.timeControl),
      rated: row.rated,
      unrated: row.unrated,
      status: row.status,
      version: row.version,
      plyCount: row.plyCount,
      turn: row.turn,
      position: row.position,
      outcome: outcomeOf(row),
      turnStartedAt: row.turnStartedAt,
      deadlineAt: row.deadlineAt,
      takebacks: row.takebacks,
      createdAt: row.createdAt,
      lastActivityAt: row.lastActivityAt,
      endedAt: row.endedAt,
      url: gameUrl(this.address, row.id),
      boardUrl: boardUrl(this.address, row),
    };
  }
}

const fairnessOf = (row: ShownGame): Omit<Fairness, 'receipt' | 'serverSeed'> => ({
  termsHash: row.termsHash,
  // A change by the clock that is not stored yet is not in the chain.
  headHash: storedRow(row).headHash,
  commitment: row.commitment,
  dealRoot: row.dealRoot,
  clientSeeds: { first: row.firstClientSeed, second: row.secondClientSeed },
  creatorSeed: seedStateOf(row, 'creator'),
  accepterSeed: seedStateOf(row, 'accepter'),
  clientSeedHash: row.clientSeedHash,
  awaitingSeed: row.status === 'pending',
  creator: row.creator,
});

const eventOf = ({ gameId: _game, ...event }: EventRow): GameEvent => event;
