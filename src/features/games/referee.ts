import { Injectable, Logger } from '@nestjs/common';
import { isOver } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import { EngineService } from '../../engine/engine.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { PubSub } from '../../platform/events/pubsub.js';
import { Time } from '../../platform/process/time.js';
import { retry, UNTIL_STILL, type RetryPolicy } from '../../platform/process/retry.js';
import type { Player } from '../../rules/ruleset.js';
import type { Expected } from './if-match.js';
import { isNothing } from './transition.js';
import { ClockTimer } from './clock-timer.js';
import { asOfNow, isDue, SHOWN_LATE_MS, shownAfter, turnsRunOut } from './as-of-now.js';
import { CommitStore } from './commit.store.js';
import { playerOf, type GameRow, type PlyRow, type ShownGame, type Transition } from './game.row.js';
import { GamesStore } from './games.store.js';
import { HotGames } from './hot-games.js';
import { CalendarService } from '../calendar/calendar.service.js';
import type { VacationRow } from '../calendar/vacation.row.js';

const RACES_BEFORE_GIVING_UP = 5;
const ACTS: RetryPolicy<never> = { tries: 100, otherwise: tooContended };
const SWEPT_AT_ONCE = 200;
const REFUSED_BEFORE_GIVING_UP = 10;
/** After this many batches the rest is left to the next sweep. */
const BATCHES: RetryPolicy<true> = { tries: 10_000, otherwise: () => true };

export const noGame = (id: string): DomainError =>
  new DomainError(
    'NOT_FOUND',
    `No game has the id ${id}. A challenge becomes a game of the same id when it is accepted.`,
    { field: 'gameId' },
  );

type Promised<T> = Promise<T> | T;

/** A player of a game at the time of their request. */
export interface Seat {
  readonly row: GameRow;
  readonly player: Player;
  readonly now: Date;
  /** The game with what its clock has done; `row` lacks its end if the deadline has just passed. */
  readonly current: GameRow;
}

/** The result of an act: the game as it stands, and the plies that the act has made. */
export interface Done {
  readonly row: ShownGame;
  readonly plies: readonly PlyRow[];
}

/** Makes the transition of an act; null if the request has already been carried out. */
export type Judge = (seat: Seat) => Promised<Transition | null>;

/** Carries out the acts of players and of the clock: reads, calls the judge, commits on that version, announces. */
@Injectable()
export class Referee {
  private readonly logger = new Logger(Referee.name);

  constructor(
    private readonly games: GamesStore,
    private readonly commits: CommitStore,
    private readonly hot: HotGames,
    private readonly engine: EngineService,
    private readonly calendar: CalendarService,
    private readonly pubsub: PubSub,
    private readonly timer: ClockTimer,
    private readonly time: Time,
  ) {}

  /**
   * Carries out an act of a player. Throws NOT_FOUND, NOT_YOUR_GAME, what `judge` throws, and STALE_VERSION if other
   * acts keep coming first.
   */
  async act(viewer: Principal, gameId: string, judge: Judge): Promise<Done> {
    const done = await this.actOnHot(viewer, gameId, judge);
    if (done !== null) return done;
    let seen = 0;
    let races = 0;
    return retry(async () => {
      const seat = await this.seat(viewer, gameId);
      const transition = await judge(seat);
      if (transition === null) return { row: seat.current, plies: [] };
      const stored = await this.store(transition);
      if (stored !== null) return stored;
      // A change of conditional moves only does not count: it must go unnoticed, and must not keep others from acting.
      if (seat.row.version !== seen && ++races === RACES_BEFORE_GIVING_UP) tooContended();
      seen = seat.row.version;
      return null;
    }, ACTS);
  }

  /**
   * Carries out an act without reading the game, if this process knows its row. Null if the act was not stored: the row
   * may be old, so whatever else there is to say of the act must come from a row that is read now.
   */
  private async actOnHot(viewer: Principal, gameId: string, judge: Judge): Promise<Done | null> {
    const row = this.hot.get(gameId);
    const player = row && playerOf(row, viewer.userId);
    const now = this.time.now();
    if (row === null || player === null || isDue(row, now)) return null;
    const transition = await judgedOrNull(judge, { row, player, now, current: row });
    return transition && this.store(transition);
  }

  /** The viewer's seat in a game as it stands now. Throws NOT_FOUND, NOT_YOUR_GAME. */
  async seat(viewer: Principal, gameId: string): Promise<Seat> {
    const found = orThrow(await this.games.find(gameId), () => noGame(gameId));
    this.hot.replace(found);
    const player = orThrow(
      playerOf(found, viewer.userId),
      () => new DomainError('NOT_YOUR_GAME', 'You are not a player in this game.'),
    );
    const now = this.time.now();
    const settled = await this.settle(found);
    // Tell a late player about the deadline rather than just that the game is over, except when retrying the request that ended it.
    const ranOut = settled.reason === 'timeout' || (isOver(settled) && found.turn === null);
    return { row: ranOut ? found : settled, player, now, current: settled };
  }

  /** The row as shown: with what the clock did long enough ago that no act can precede it. Writes nothing. */
  async settled(row: GameRow): Promise<ShownGame> {
    return (await this.settledAll([row], this.time.now()))[0]!;
  }

  /** The rows as shown, in their order; uses at most one statement, if a deadline has passed. */
  async settledAll(rows: readonly GameRow[], now: Date): Promise<readonly ShownGame[]> {
    const by = new Date(now.getTime() - SHOWN_LATE_MS);
    const absences = await this.absencesAt(rows, by);
    return rows.map((row) => shownAfter(this.due(row, absences, by)));
  }

  /** The row with all that the clock has done by now, after storing it. */
  async settle(row: GameRow): Promise<GameRow> {
    let at = row;
    return retry(async () => {
      const now = this.time.now();
      if (!isDue(at, now)) return at;
      const transition = this.due(at, await this.absencesAt([at], now), now);
      if (isNothing(transition)) return at;
      // If another commit came first, continue with the row as it is now.
      at = (await this.commit(transition)) ? transition.after : (await this.games.find(row.id))!;
      return null;
    }, UNTIL_STILL);
  }

  /** Returns true if the transition is stored, false if another act came first. */
  async commit(transition: Transition): Promise<boolean> {
    return (await this.store(transition)) !== null;
  }

  /** The result of a transition that is now stored; null if another act came first. */
  private async store(transition: Transition): Promise<Done | null> {
    const { before, after, plies } = transition;
    const players = await this.commits.commit(transition);
    if (players === null) {
      this.hot.forget(before.id);
      return null;
    }
    this.announce(transition);
    return { row: { ...after, known: { players, lastPly: plies.at(-1) } }, plies };
  }

  /** Stores a decision on the game as it stands, unless it is null; retries if other acts come first. */
  async decideFor(gameId: string, decide: (row: GameRow) => Promised<Transition | null>): Promise<void> {
    await retry(async () => {
      const row = await this.settle((await this.games.find(gameId))!);
      const transition = await decide(row);
      return transition === null || (await this.commit(transition)) ? true : null;
    }, UNTIL_STILL);
  }

  /**
   * Does what the clocks of due games have to do, as of the times when it was due. Several instances may sweep at once:
   * each game is locked by one of them. Logs and skips a game that fails.
   */
  async sweep(): Promise<void> {
    const passed: string[] = [];
    let most = SWEPT_AT_ONCE;
    let refused = 0;
    await retry(async () => {
      const { taken, failed } = await this.sweepSome(most, passed);
      if (failed.length === 0 && taken < most) return true;
      // One transition that the database refuses fails the whole batch: halve the batch to find it.
      most = failed.length > 1 ? failed.length >> 1 : SWEPT_AT_ONCE;
      if (failed.length !== 1) return null;
      passed.push(...failed);
      return ++refused === REFUSED_BEFORE_GIVING_UP ? true : null;
    }, BATCHES);
  }

  /** Returns how many games were locked and which could not be stored; adds games that cannot be judged to `passed`. */
  private async sweepSome(
    most: number,
    passed: string[],
  ): Promise<{ readonly taken: number; readonly failed: readonly string[] }> {
    const now = this.time.now();
    let ids: readonly string[] = [];
    const judge = async (rows: readonly GameRow[], tx: Transaction): Promise<readonly Transition[]> => {
      ids = rows.map(({ id }) => id);
      const absences = await this.absencesAt(rows, now, tx);
      const transitions = rows.map((row) => this.dueOrNull(row, absences, now));
      passed.push(...ids.filter((_, i) => transitions[i] === null));
      return transitions.filter((transition) => transition !== null);
    };
    try {
      const { taken, stored } = await this.commits.sweep(now, most, passed, judge);
      for (const transition of stored) this.announce(transition);
      return { taken, failed: [] };
    } catch (error) {
      if (ids.length === 0) throw error;
      this.logger.error(error);
      return { taken: ids.length, failed: ids };
    }
  }

  private dueOrNull(row: GameRow, absences: readonly VacationRow[], now: Date): Transition | null {
    try {
      const transition = this.due(row, absences, now);
      return isNothing(transition) ? null : transition;
    } catch (error) {
      this.logger.error(error);
      return null;
    }
  }

  private due(row: GameRow, absences: readonly VacationRow[], now: Date): Transition {
    return asOfNow(row, absences, now, (as, player) => this.engine.canWin(as, player));
  }

  /** The vacations that may have stopped the clocks of games whose deadline has passed. */
  private absencesAt(rows: readonly GameRow[], now: Date, tx?: Transaction): Promise<readonly VacationRow[]> {
    return this.calendar.sinceTurns(turnsRunOut(rows, now), now, tx);
  }

  private announce({ after }: Transition): void {
    this.hot.set(after);
    this.pubsub.publish(`game.${after.id}`, { version: after.version });
    this.timer.schedule(after);
  }
}

async function judgedOrNull(judge: Judge, seat: Seat): Promise<Transition | null> {
  try {
    return await judge(seat);
  } catch {
    return null;
  }
}

/**
 * The version of the row that an act is meant for: a late player may have been shown the end already. Throws
 * STALE_VERSION if the game came to this version by another course than the player saw, as after a lost commit.
 */
export function versionFor({ row, current }: Seat, expected: Expected): Expected['version'] {
  const { version, hash = '', isSeen } = expected;
  if (version !== row.version || row.headHash.startsWith(hash))
    return version === current.version ? row.version : version;
  const message = `The game is at version ${version}, but came there by another course than the one that you saw. Read the game, then decide again.`;
  const named = isSeen === true ? { field: 'seen.hash' } : {};
  throw new DomainError('STALE_VERSION', message, { ...named, currentVersion: version });
}

/** Throws STALE_VERSION, after too many lost races. */
export function tooContended(): never {
  const message = 'The game changed at each attempt to store this request. Reload it and try again.';
  throw new DomainError('STALE_VERSION', message, { retryAfter: 1 });
}
