import { Injectable, Logger } from '@nestjs/common';
import {
  afterAbort,
  afterResignation,
  afterTimeout,
  isOver,
  isOverdue,
  objectionToAbort,
  objectionToMove,
  objectionToResign,
} from '../arbiter/acts.js';
import type { Viewer } from '../auth/viewer.js';
import { DealsService } from '../engine/deals.service.js';
import { EngineService, type Observation } from '../engine/engine.service.js';
import { decodeMoves } from '../engine/moves-text.js';
import { forbid } from '../engine/refusals.js';
import type { GameRecord } from '../fairness/record.js';
import type { Transaction } from '../platform/database/prisma.service.js';
import { DomainError } from '../platform/errors.js';
import { PubSub } from '../platform/pubsub.js';
import { Time } from '../platform/time.js';
import type { LegalMove } from '../rules/analyse.js';
import { opponent, type Claim, type Player } from '../rules/ruleset.js';
import { UsersService } from '../users/users.service.js';
import { endAct, moveAct } from './acts.js';
import { CommitStore } from './commit.store.js';
import { playerOf, tableOf, type Act, type EventRow, type GameRow, type PlyRow } from './game.row.js';
import { GamesStore, type GameKey, type GameList, type PlyRange } from './games.store.js';
import { openingRow, startEvent, type Terms } from './opening.js';
import { recordOf } from './record.js';

const RACES_BEFORE_GIVING_UP = 5;
const OVERDUE_AT_ONCE = 200;
const NO_GAME = 'There is no game with this id. A challenge becomes one when it is accepted.';

export interface MoveRequest {
  readonly gameId: string;
  /** The number of the ply that the move is meant to be. */
  readonly ply: number;
  readonly move: string;
}

const unrecorded = ({ status }: GameRow): DomainError =>
  status === 'pending'
    ? new DomainError('GAME_PENDING', 'The game has not started: there is no record yet.')
    : new DomainError('NOT_FOUND', 'The game was called off before it started: there is no record.');

/** The verbs of a game. Every act is one straight line: read, judge, commit on that version, announce. */
@Injectable()
export class GamesService {
  private readonly logger = new Logger(GamesService.name);

  constructor(
    private readonly store: GamesStore,
    private readonly commits: CommitStore,
    private readonly engine: EngineService,
    private readonly deals: DealsService,
    private readonly users: UsersService,
    private readonly pubsub: PubSub,
    private readonly time: Time,
  ) {}

  /** The game as it stands; one whose turn has run out is ended first. Throws NOT_FOUND. */
  async game(id: string): Promise<GameRow> {
    const row = await this.store.find(id);
    if (row === null) throw new DomainError('NOT_FOUND', NO_GAME, { field: 'id' });
    return this.settled(row);
  }

  /** The games of a user by last activity, newest first. */
  async ofUser(
    userId: string,
    list: GameList,
    after: GameKey | null,
    limit: number,
  ): Promise<readonly GameRow[]> {
    for (;;) {
      const rows = await this.store.ofUser(userId, list, after, limit);
      const overdue = rows.filter((row) => isOverdue(tableOf(row), this.time.now().getTime()));
      if (overdue.length === 0) return rows;
      await Promise.all(overdue.map((row) => this.settled(row)));
    }
  }

  /** Plays a move. Sent again for a ply that is stored with it, it answers with the game as it stands. */
  async makeMove(viewer: Viewer, { gameId, ply, move }: MoveRequest): Promise<GameRow> {
    return this.act(gameId, viewer, async (row, player, now) => {
      if (ply <= row.plyCount && (await this.isStored(row, player, ply, move))) return null;
      forbid(objectionToMove(tableOf(row), player, ply, now.getTime()));
      return moveAct(row, await this.engine.judge(row, move), now);
    });
  }

  async resign(viewer: Viewer, gameId: string): Promise<GameRow> {
    return this.act(gameId, viewer, (row, player, now) => {
      if (row.reason === 'resignation' && row.winner === opponent(player)) return null;
      forbid(objectionToResign(tableOf(row), now.getTime()));
      return endAct(row, 'resign', player, afterResignation(player), now);
    });
  }

  async abort(viewer: Viewer, gameId: string): Promise<GameRow> {
    return this.act(gameId, viewer, (row, player, now) => {
      if (row.status === 'aborted') return null;
      forbid(objectionToAbort(tableOf(row), now.getTime()));
      return endAct(row, 'abort', player, afterAbort, now);
    });
  }

  /** Ends the games whose turn has run out, as of their own deadlines. One that fails is logged and passed by. */
  async flagOverdue(): Promise<void> {
    const now = this.time.now();
    let from = new Date(0);
    for (;;) {
      const overdue = await this.store.overdue(from, now, OVERDUE_AT_ONCE);
      const results = await Promise.allSettled(overdue.map(({ id }) => this.game(id)));
      const failed = results.filter((result) => result.status === 'rejected');
      for (const { reason } of failed) this.logger.error(reason);
      if (overdue.length < OVERDUE_AT_ONCE) return;
      const stuck = failed.length === overdue.length;
      from = new Date(overdue.at(-1)!.deadlineAt.getTime() + (stuck ? 1 : 0));
    }
  }

  /** The row of a game that these terms open: at once, or as soon as its creator's client seed is known. */
  async draft(terms: Terms): Promise<GameRow> {
    const now = this.time.now();
    const [setup, dealRoot] = await Promise.all([this.deals.setup(terms), this.deals.root(terms)]);
    const position = this.engine.opening(terms.ruleset, terms.options, setup);
    return openingRow(terms, { setup, position, dealRoot }, now);
  }

  /** Stores a drafted game in the transaction that closes its challenge. */
  insert(tx: Transaction, row: GameRow): Promise<void> {
    return this.store.insert(tx, row, startEvent(row));
  }

  /** Puts the drafted game in the place of the one that waited for a seed; false when it waits no more. */
  async start(pending: GameRow, drafted: GameRow): Promise<boolean> {
    const row = { ...drafted, version: pending.version + 1, createdAt: pending.createdAt };
    const started = await this.store.start(pending.version, row, startEvent(row));
    if (started) this.pubsub.publish(`game.${row.id}`, { version: row.version });
    return started;
  }

  /** The legal moves for whoever may move now, none for everybody else. */
  legalMoves(row: GameRow, viewer: Viewer | null): readonly LegalMove[] {
    const mayMove = viewer !== null && row.status === 'active' && playerOf(row, viewer.userId) === row.turn;
    return mayMove ? this.engine.legalMoves(row) : [];
  }

  /** The draws that a player may claim as the game stands. */
  claimable(row: GameRow): readonly Claim[] {
    return row.status === 'active' ? this.engine.claimable(row) : [];
  }

  observe(row: GameRow): Observation {
    return this.engine.observe(row);
  }

  plies(gameId: string, range: PlyRange): Promise<readonly PlyRow[]> {
    return this.store.plies(gameId, range);
  }

  events(gameId: string): Promise<readonly EventRow[]> {
    return this.store.events(gameId);
  }

  /** The secret of the deal, published when the game is over; null before. */
  serverSeed(row: GameRow): Promise<string | null> {
    return isOver(tableOf(row)) ? this.deals.publish(row.id) : Promise.resolve(null);
  }

  /** Everything that the verifier needs, as one document. */
  async record(id: string): Promise<GameRecord> {
    const row = await this.game(id);
    if (row.termsHash === null) throw unrecorded(row);
    const [plies, users, serverSeed] = await Promise.all([
      this.store.plies(id, { limit: row.plyCount, fromEnd: false }),
      this.users.byIds([row.firstId, row.secondId]),
      this.serverSeed(row),
    ]);
    return recordOf(row, plies, users, serverSeed);
  }

  private async settled(row: GameRow): Promise<GameRow> {
    if (!isOverdue(tableOf(row), this.time.now().getTime())) return row;
    if (await this.commit(this.flag(row))) return (await this.store.find(row.id))!;
    // Somebody else ended it, or moved in time before it was looked at.
    return this.settled((await this.store.find(row.id))!);
  }

  private flag(row: GameRow): Act {
    const at = row.deadlineAt!;
    if (row.status === 'pending') return endAct(row, 'flag', row.creator, afterAbort, at);
    const late = row.turn!;
    const winner = opponent(late);
    return endAct(row, 'flag', late, afterTimeout(winner, this.engine.canWin(row, winner)), at);
  }

  private async isStored(row: GameRow, player: Player, ply: number, move: string): Promise<boolean> {
    if (decodeMoves(row.moves)[ply - 1]?.move !== move) return false;
    return (await this.store.playerOf(row.id, ply)) === player;
  }

  /** `judge` returns null when what is asked for has already happened. */
  private async act(
    gameId: string,
    viewer: Viewer,
    judge: (row: GameRow, player: Player, now: Date) => Promise<Act | null> | Act | null,
  ): Promise<GameRow> {
    for (let race = 0; race < RACES_BEFORE_GIVING_UP; race++) {
      const row = await this.store.find(gameId);
      if (row === null) throw new DomainError('NOT_FOUND', NO_GAME, { field: 'gameId' });
      const player = playerOf(row, viewer.userId);
      if (player === null) throw new DomainError('NOT_YOUR_GAME', 'Only its two players may act in a game.');
      const now = this.time.now();
      // A move that came in time, from another server, makes it another game to judge.
      if (isOverdue(tableOf(row), now.getTime()) && !isOver(tableOf(await this.settled(row)))) continue;
      const act = await judge(row, player, now);
      if (act === null) return this.settled(row);
      if (await this.commit(act)) return { ...row, ...act.change, version: row.version + 1 };
    }
    throw new DomainError('STALE_VERSION', 'The game keeps changing. Read it and decide again.');
  }

  private async commit(act: Act): Promise<boolean> {
    const won = await this.commits.commit(act);
    if (won) this.pubsub.publish(`game.${act.before.id}`, { version: act.before.version + 1 });
    return won;
  }
}
