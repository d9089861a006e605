import { Injectable, Logger } from '@nestjs/common';
import { isOver } from '../../arbiter/state.js';
import type { Principal } from '../auth/principal.js';
import { EngineService } from '../../engine/engine.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { demand, DomainError } from '../../platform/errors.js';
import { PubSub } from '../../platform/pubsub.js';
import { Time } from '../../platform/time.js';
import { retry, UNTIL_STILL, type RetryPolicy } from '../../platform/retry.js';
import type { Player } from '../../rules/ruleset.js';
import { isNothing } from './transition.js';
import { Alarm } from './alarm.js';
import { asOfNow, isDue, SHOWN_LATE_MS, shownAfter, turnsRunOut } from './as-of-now.js';
import { CommitStore, type Moment } from './commit.store.js';
import { playerOf, type GameRow, type PlyRow, type ShownGame, type Transition } from './game.row.js';
import { GamesStore } from './games.store.js';
import { CalendarService } from '../calendar/calendar.service.js';
import type { VacationRow } from '../calendar/vacation.row.js';

const RACES_BEFORE_GIVING_UP = 5;
const ACTS: RetryPolicy<never> = { tries: 100, forOneRequest: true, otherwise: outrun };
const SWEPT_AT_ONCE = 200;
const REFUSED_BEFORE_GIVING_UP = 10;
/** What is left behind so many is for the next sweep. */
const BATCHES: RetryPolicy<true> = { tries: 10_000, otherwise: () => true };

/** The refusal of an id that came in this field. */
export const noGame = (field: string): DomainError =>
  new DomainError(
    'NOT_FOUND',
    'There is no game with this id. A challenge becomes one when it is accepted.',
    { field },
  );

/** One of the two players, who wants to do something now. */
export interface Seat {
  readonly row: GameRow;
  readonly player: Player;
  readonly now: Date;
  /** The game as reads show it, where its end is not in the row. */
  readonly current: GameRow;
}

/** What came of an act: the game as it stands, and the plies that the act has made just now. */
export interface Done {
  readonly row: GameRow;
  readonly plies: readonly PlyRow[];
}

/** What makes an act: null when what is asked for has already happened. */
export type Judge = (seat: Seat) => Promise<Transition | null> | Transition | null;

/** Carries acts out, those of players and those of the clock: reads, has judged, commits on that version, announces. */
@Injectable()
export class Referee {
  private readonly logger = new Logger(Referee.name);

  constructor(
    private readonly store: GamesStore,
    private readonly commits: CommitStore,
    private readonly engine: EngineService,
    private readonly calendar: CalendarService,
    private readonly pubsub: PubSub,
    private readonly alarm: Alarm,
    private readonly time: Time,
  ) {}

  /**
   * An act of one of the players. Throws NOT_FOUND, NOT_YOUR_GAME, what `judge` throws, and STALE_VERSION when others
   * are always faster.
   */
  async act(viewer: Principal, gameId: string, judge: Judge): Promise<Done> {
    let seen = 0;
    let races = 0;
    return retry(async () => {
      const seat = await this.seat(viewer, gameId);
      const transition = await judge(seat);
      if (transition === null) return { row: seat.current, plies: [] };
      if (await this.commit(transition)) return { row: transition.after, plies: transition.plies };
      // Where only conditional moves have changed, nobody may notice, and their owner cannot keep others from acting.
      if (seat.row.version !== seen && ++races === RACES_BEFORE_GIVING_UP) outrun();
      seen = seat.row.version;
      return null;
    }, ACTS);
  }

  /** One of the two players at his game as it stands now. Throws NOT_FOUND, NOT_YOUR_GAME. */
  async seat(viewer: Principal, gameId: string): Promise<Seat> {
    const found = demand(await this.store.find(gameId), () => noGame('gameId'));
    const player = demand(
      playerOf(found, viewer.userId),
      () => new DomainError('NOT_YOUR_GAME', 'Only its two players may act in a game.'),
    );
    const now = this.time.now();
    const settled = await this.settle(found);
    // Who comes too late is told that, and not only that the game is over; not he who asks again for what ended it.
    const ranOut = settled.reason === 'timeout' || (isOver(settled) && found.turn === null);
    return { row: ranOut ? found : settled, player, now, current: settled };
  }

  /** The row as it is shown: with what the clock has done so long ago that nothing can come before it. Writes nothing. */
  async settled(row: GameRow): Promise<ShownGame> {
    return (await this.settledAll([row], this.time.now()))[0]!;
  }

  /** Such rows, in their order: at most one statement for all of them, where a turn has run out. */
  async settledAll(rows: readonly GameRow[], now: Date): Promise<readonly ShownGame[]> {
    const by = new Date(now.getTime() - SHOWN_LATE_MS);
    const absences = await this.absencesAt(rows, by);
    return rows.map((row) => shownAfter(this.due(row, absences, by)));
  }

  /** The row with all that the clock has done by now, which is stored first. */
  async settle(row: GameRow): Promise<GameRow> {
    let at = row;
    return retry(async () => {
      const now = this.time.now();
      if (!isDue(at, now)) return at;
      const transition = this.due(at, await this.absencesAt([at], now), now);
      if (isNothing(transition)) return at;
      // Somebody else was first, or moved in time before it was looked at: then it is another row.
      at = (await this.commit(transition)) ? transition.after : (await this.store.find(row.id))!;
      return null;
    }, UNTIL_STILL);
  }

  /** True when the act is stored, false when another act of the game came first. */
  async commit(transition: Transition): Promise<boolean> {
    const stored = await this.commits.commit(transition);
    if (stored) this.announce(transition);
    return stored;
  }

  /** Has a decision on the game as it stands stored, unless it is null; tried again when others are faster. */
  async decideFor(gameId: string, decide: (row: GameRow) => Transition | null): Promise<void> {
    await retry(async () => {
      const row = await this.settle((await this.store.find(gameId))!);
      const transition = decide(row);
      return transition === null || (await this.commit(transition)) ? true : null;
    }, UNTIL_STILL);
  }

  /**
   * Does what the clock has to do in the games whose moment is over, as of their own moments. Several instances may
   * sweep at once: each game is taken by one of them. One that fails is logged and passed by.
   */
  async sweep(moment: Moment): Promise<void> {
    const passed: string[] = [];
    let most = SWEPT_AT_ONCE;
    let refused = 0;
    await retry(async () => {
      const { taken, failed } = await this.sweepSome(moment, most, passed);
      if (failed.length === 0 && taken < most) return true;
      // An act that the database refuses takes the others with it: smaller batches find which it is.
      most = failed.length > 1 ? failed.length >> 1 : SWEPT_AT_ONCE;
      if (failed.length !== 1) return null;
      passed.push(...failed);
      return ++refused === REFUSED_BEFORE_GIVING_UP ? true : null;
    }, BATCHES);
  }

  /** How many games were taken, and those of them that could not be stored; adds to `passed` what cannot be judged. */
  private async sweepSome(
    moment: Moment,
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
      const { taken, stored } = await this.commits.sweep(moment, now, most, passed, judge);
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

  /** The vacations by now that may have stopped the clocks of overdue games. */
  private absencesAt(rows: readonly GameRow[], now: Date, tx?: Transaction): Promise<readonly VacationRow[]> {
    return this.calendar.sinceTurns(turnsRunOut(rows, now), now, tx);
  }

  private announce({ after }: Transition): void {
    this.pubsub.publish(`game.${after.id}`, { version: after.version });
    this.alarm.for(after);
  }
}

/** The version of the row that an act is meant for: whoever is late may have been shown the end already. */
export const versionFor = ({ row, current }: Seat, version: number | null | undefined) =>
  version === current.version ? row.version : version;

/** What becomes of an act when others are always faster. Throws STALE_VERSION. */
export function outrun(): never {
  throw new DomainError(
    'STALE_VERSION',
    'The game is changing faster than this act can be stored. Read it and decide again.',
  );
}
