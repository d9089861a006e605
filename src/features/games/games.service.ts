import { shown } from '../../rules/shown.js';
import { Injectable } from '@nestjs/common';
import type { Plan } from '../../arbiter/conditional-moves.js';
import { adjudicate } from '../../arbiter/clock-acts.js';
import { isOver } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import { DealsService } from '../../engine/deals.service.js';
import { EngineService } from '../../engine/engine.service.js';
import type { GameRecord } from '../../fairness/record.js';
import { badInput, DomainError } from '../../platform/errors/errors.js';
import { batch } from '../../platform/gathering/batch.js';
import { isUuid } from '../../platform/contract/page.js';
import { Time } from '../../platform/process/time.js';
import type { LegalMove } from '../../rules/analyse.js';
import type { Claim, Player } from '../../rules/ruleset.js';
import type { AnyPlayer } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { start, withEvent } from './transition.js';
import { visibleText } from '../../platform/contract/user-text.js';
import { isDue } from './as-of-now.js';
import {
  planOf,
  seatOf,
  stateOf,
  storedRow,
  userOf,
  type EventRow,
  type GameRow,
  type PlyRow,
  type Seated,
  type ShownGame,
} from './game.row.js';
import { GamesStore, newestFirst, stampOf, type GameKey, type GameList } from './games.store.js';
import type { Stamped } from './known-games.js';
import { GameLog } from './log.js';
import type { PlyRange } from './game-log.store.js';
import { recordOf, type Recorded } from './record.js';
import { noGame, Referee } from './referee.js';
import { byUrgency, type RunningGame } from './urgency.js';

const MOST_OF_A_REASON = 500;

/** Drops what was stored after the row was read. */
const upTo = ({ version }: GameRow, recorded: Recorded): Recorded => ({
  ...recorded,
  plies: recorded.plies.filter(({ seq }) => seq <= version),
  events: recorded.events.filter(({ seq }) => seq <= version),
});

/** The games of a user that are stored as running: those still running, the most urgent first, and those over by now. */
export interface CurrentGames {
  readonly now: Date;
  readonly running: readonly RunningGame[];
  readonly over: readonly ShownGame[];
}

/** One range for every game, so that the reads of several games are batched. */
export const ALL_PLIES: PlyRange = { limit: 2 ** 31 - 1, fromEnd: false };

/** Reads games; GameOpener opens them, and PlayService carries out the acts of players. */
@Injectable()
export class GamesService {
  /** An existing game as it stands now; concurrent calls are batched into one statement. */
  readonly one = batch((ids: readonly string[]) => this.byIds(ids));

  /** For statements of other stores that find games: the stamp of the game with this id. */
  readonly stampOf = stampOf;

  constructor(
    private readonly store: GamesStore,
    private readonly log: GameLog,
    private readonly referee: Referee,
    private readonly engine: EngineService,
    private readonly deals: DealsService,
    private readonly users: UsersService,
    private readonly time: Time,
  ) {}

  /** The game as it stands now. Throws NOT_FOUND. */
  async game(id: string): Promise<ShownGame> {
    return this.referee.settled(await this.stored(id));
  }

  /** The game as it stands now; null if unknown or if the id is not a UUID. */
  async found(id: string): Promise<ShownGame | null> {
    const row = isUuid(id) ? await this.store.find(id) : null;
    return row && this.referee.settled(row);
  }

  /** The game as it stands now, storing what its clock has done. Throws NOT_FOUND. */
  async settle(id: string): Promise<GameRow> {
    return this.referee.settle(await this.stored(id));
  }

  private async stored(id: string): Promise<GameRow> {
    const row = await this.store.find(id);
    if (row !== null) return row;
    const gameId = await this.store.gameOfSeek(id);
    if (gameId === null) throw noGame(id);
    const message = `The seek ${id} was paired with another one, whose id the game has: request ${gameId} instead.`;
    throw new DomainError('NOT_FOUND', message, { field: 'gameId' });
  }

  /** The games of a user that are stored as running, as they stand now. */
  async current(userId: string): Promise<CurrentGames> {
    const rows = await this.store.running(userId);
    const now = this.time.now();
    const due = rows.filter((row) => isDue(row, now)).map(({ id }) => id);
    const settled = await this.referee.settledAll(due.length === 0 ? [] : await this.store.byIds(due), now);
    const known = new Map<string, ShownGame>(settled.map((row) => [row.id, row]));
    const running = rows
      .map((row) => ({ ...(known.get(row.id) ?? row), stamp: row.stamp }))
      .filter((row) => !isOver(row));
    return { now, running: byUrgency(running, userId), over: settled.filter(isOver) };
  }

  /** All games of a user, or those that are over, by last activity, newest first. The third argument comes from current(). */
  async ofUser(
    userId: string,
    list: Exclude<GameList, 'running'>,
    { now, over }: CurrentGames,
    after: GameKey | null,
    limit: number,
  ): Promise<readonly ShownGame[]> {
    const found = await this.store.ofUser(userId, list, after, limit + over.length);
    // Place games whose end is not stored yet as if it were, so that paging is not disturbed when it is stored.
    const ended = over.filter((row) => after === null || newestFirst(row, after) > 0);
    const rows = new Map(ended.map((row) => [row.id, row]));
    for (const row of found) if (isOver(row) || !over.some(({ id }) => id === row.id)) rows.set(row.id, row);
    const page = [...rows.values()].sort(newestFirst).slice(0, limit);
    return this.referee.settledAll(page, now);
  }

  /** Aborts a game on behalf of the server's operator. Throws NOT_FOUND, BAD_INPUT, GAME_OVER. */
  async adjudicate(id: string, why: string): Promise<GameRow> {
    const given = shown(id);
    if (!isUuid(id)) throw badInput('id', `id must be a UUID; got ${given}.`);
    const text = visibleText(why, 'why', MOST_OF_A_REASON);
    if (isOver(await this.game(id))) throw new DomainError('GAME_OVER', `The game ${id} is already over.`);
    await this.referee.decideFor(id, (row) => {
      const decision = adjudicate(stateOf(row), text, this.time.now().getTime());
      return decision && withEvent(start(row), decision);
    });
    return this.game(id);
  }

  /** The complete stored rows of a user's running games, unordered. */
  async runningRows(userId: string): Promise<readonly GameRow[]> {
    return this.store.byIds((await this.store.running(userId)).map(({ id }) => id));
  }

  /** Existing games as they stand now, in the order of the given ids. */
  async byIds(ids: readonly string[]): Promise<readonly ShownGame[]> {
    return this.inOrder(ids, await this.store.byIds(ids));
  }

  /** The same for games whose stamps were just read. */
  async withStamps(stamped: readonly Stamped[]): Promise<readonly ShownGame[]> {
    const ids = stamped.map(({ id }) => id);
    return this.inOrder(ids, await this.store.withStamps(stamped));
  }

  private async inOrder(ids: readonly string[], stored: readonly GameRow[]): Promise<readonly ShownGame[]> {
    const found = await this.referee.settledAll(stored, this.time.now());
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id)!);
  }

  /** Games as they stand now, in the order of the given ids; null for an unknown id. */
  async foundByIds(ids: readonly string[]): Promise<readonly (ShownGame | null)[]> {
    const stored = await this.store.byIds([...new Set(ids.filter(isUuid))]);
    const found = await this.referee.settledAll(stored, this.time.now());
    const rows = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id.toLowerCase()) ?? null);
  }

  /** The users in both seats. */
  async players(row: ShownGame): Promise<Seated<AnyPlayer>> {
    const user = (seat: Player) => {
      const userId = userOf(row, seat);
      return row.known?.players.find(({ id }) => id === userId) ?? this.users.one(userId);
    };
    const [first, second] = await Promise.all([user('first'), user('second')]);
    return { first, second };
  }

  /** The legal moves of the player in this seat; empty if not to move. */
  legalMoves(row: GameRow, seat: Player | null): readonly LegalMove[] {
    const mayMove = seat !== null && row.status === 'active' && seat === row.turn;
    return mayMove ? this.engine.legalMoves(row) : [];
  }

  /** The draws that the side to move may claim in the current position. */
  claimable(row: GameRow): readonly Claim[] {
    return row.status === 'active' ? this.engine.claimable(row) : [];
  }

  /** The plies up to this row, so that an answer has nothing newer; without those taken back, or all of them. */
  plies(row: ShownGame, all: boolean, range: PlyRange): Promise<readonly PlyRow[]> {
    const before = Math.min(range.before ?? Infinity, storedRow(row).version + 1);
    return this.log.plies(row, all, { ...range, before });
  }

  /** The number of plies, including those taken back. */
  countPlies({ id }: GameRow): Promise<number> {
    return this.log.count(id);
  }

  /** The viewer's own conditional moves; those of another player are never shown. */
  plan(row: GameRow, viewer: Principal | null): Plan | null {
    const player = seatOf(row, viewer);
    return player === null ? null : planOf(row, player);
  }

  /** The events in order; those by the clock that are not stored yet come last. */
  async events({ id, unstored }: ShownGame): Promise<readonly EventRow[]> {
    const stored = await this.log.events(id);
    const last = stored.at(-1)?.seq ?? 0;
    // They may have been stored since the row was read.
    return [...stored, ...(unstored?.events ?? []).filter(({ seq }) => seq > last)];
  }

  /** The server seed, published when the end of the game is stored; null before. */
  serverSeed(row: GameRow): Promise<string | null> {
    return isOver(row) ? this.deals.publish(row.id) : Promise.resolve(null);
  }

  /** The document for the verifier, or of its rows those above a version. It has the end and the server seed once the end is stored. */
  async record(id: string, after?: number | null): Promise<GameRecord> {
    const row = await this.stored(id);
    const [plies, events, users, serverSeed] = await Promise.all([
      this.log.plies(row, true, { limit: row.version, fromEnd: false }),
      this.log.events(id),
      this.users.byIds([row.firstId, row.secondId]),
      this.serverSeed(row),
    ]);
    const record = recordOf(upTo(row, { row, plies, events, users, serverSeed }));
    return { ...record, rows: record.rows.filter(({ seq }) => seq > (after ?? -1)) };
  }
}
