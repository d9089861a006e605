import { Injectable, Logger } from '@nestjs/common';
import { due, flag, goAway } from '../../arbiter/clock-acts.js';
import { isOver } from '../../arbiter/table.js';
import type { Viewer } from '../auth/viewer.js';
import { EngineService } from '../../engine/engine.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError } from '../../platform/errors.js';
import { PubSub } from '../../platform/pubsub.js';
import { Time } from '../../platform/time.js';
import { lookUntilStill } from '../../platform/until-still.js';
import type { Player } from '../../rules/ruleset.js';
import { begin, decided, isNothing } from './acts.js';
import { CommitStore, type Moment } from './commit.store.js';
import { playerOf, tableOf, userOf, type Act, type GameRow } from './game.row.js';
import { GamesStore } from './games.store.js';
import { CalendarService } from '../calendar/calendar.service.js';
import type { VacationRow } from '../calendar/vacation.row.js';

const RACES_BEFORE_GIVING_UP = 5;
const TRIES_BEFORE_GIVING_UP = 100;
const SWEPT_AT_ONCE = 200;
const REFUSED_BEFORE_GIVING_UP = 10;
export const NO_GAME = 'There is no game with this id. A challenge becomes one when it is accepted.';

/** Of a clock in one game at one moment: each absence, pause and notice of its players is one or two. */
const MOST_STEPS = 1000;

/** One of the two players, who wants to do something now. */
export interface Seat {
  readonly row: GameRow;
  readonly player: Player;
  readonly now: Date;
}

/** What makes an act: null when what is asked for has already happened. */
export type Judge = (seat: Seat) => Promise<Act | null> | Act | null;

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
    private readonly time: Time,
  ) {}

  /**
   * An act of one of the players. Throws NOT_FOUND, NOT_YOUR_GAME, what `judge` throws, and STALE_VERSION when others
   * are always faster.
   */
  async act(viewer: Viewer, gameId: string, judge: Judge): Promise<GameRow> {
    let seen = 0;
    for (
      let races = 0, tries = 0;
      races < RACES_BEFORE_GIVING_UP && tries < TRIES_BEFORE_GIVING_UP;
      tries++
    ) {
      const seat = await this.seat(viewer, gameId);
      const act = await judge(seat);
      if (act === null) return this.settled(seat.row);
      if (await this.commit(act)) return act.after;
      // Where only conditional moves have changed, nobody may notice, and their owner cannot keep others from acting.
      if (seat.row.version !== seen) races++;
      seen = seat.row.version;
    }
    throw stale();
  }

  /** One of the two players at his game as it stands now. Throws NOT_FOUND, NOT_YOUR_GAME. */
  async seat(viewer: Viewer, gameId: string): Promise<Seat> {
    const found = await this.store.find(gameId);
    if (found === null) throw new DomainError('NOT_FOUND', NO_GAME, { field: 'gameId' });
    const player = playerOf(found, viewer.userId);
    if (player === null) throw new DomainError('NOT_YOUR_GAME', 'Only its two players may act in a game.');
    const now = this.time.now();
    const settled = await this.settled(found);
    // Who comes too late is told that, and not only that the game is over; not he who asks again for what ended it.
    const ranOut = settled.reason === 'timeout' || (isOver(settled) && found.turn === null);
    return { row: ranOut ? found : settled, player, now };
  }

  /** The row with all that the clock has done by now, which is stored first. */
  async settled(row: GameRow): Promise<GameRow> {
    let at = row;
    return lookUntilStill(async () => {
      const now = this.time.now();
      if (!isDue(at, now)) return at;
      const act = this.dueActs(at, await this.absencesAt([at], now), now);
      if (isNothing(act)) return at;
      // Somebody else was first, or moved in time before it was looked at: then it is another row.
      at = (await this.commit(act)) ? act.after : (await this.store.find(row.id))!;
      return null;
    });
  }

  /** True when the act is stored, false when another act of the game came first. */
  async commit(act: Act): Promise<boolean> {
    const stored = await this.commits.commit(act);
    if (stored) this.announce(act);
    return stored;
  }

  /** Has a decision on the game as it stands stored, unless it is null; tried again when others are faster. */
  async decideFor(gameId: string, decide: (row: GameRow) => Act | null): Promise<void> {
    await lookUntilStill(async () => {
      const row = await this.settled((await this.store.find(gameId))!);
      const act = decide(row);
      return act === null || (await this.commit(act)) ? true : null;
    });
  }

  /**
   * Does what the clock has to do in the games whose moment is over, as of their own moments. Several instances may
   * sweep at once: each game is taken by one of them. One that fails is logged and passed by.
   */
  async sweep(moment: Moment): Promise<void> {
    const passed: string[] = [];
    let most = SWEPT_AT_ONCE;
    for (let refused = 0; refused < REFUSED_BEFORE_GIVING_UP;) {
      const { taken, failed } = await this.sweepSome(moment, most, passed);
      if (failed.length === 0 && taken < most) return;
      // An act that the database refuses takes the others with it: smaller batches find which it is.
      most = failed.length > 1 ? failed.length >> 1 : SWEPT_AT_ONCE;
      if (failed.length !== 1) continue;
      passed.push(...failed);
      refused++;
    }
  }

  /** How many games were taken, and those of them that could not be stored; adds to `passed` what cannot be judged. */
  private async sweepSome(
    moment: Moment,
    most: number,
    passed: string[],
  ): Promise<{ readonly taken: number; readonly failed: readonly string[] }> {
    const now = this.time.now();
    let ids: readonly string[] = [];
    const judge = async (rows: readonly GameRow[], tx: Transaction): Promise<readonly Act[]> => {
      ids = rows.map(({ id }) => id);
      const absences = await this.absencesAt(rows, now, tx);
      const acts = rows.map((row) => this.dueActsOrNull(row, absences, now));
      passed.push(...ids.filter((_, i) => acts[i] === null));
      return acts.filter((act) => act !== null);
    };
    try {
      const { taken, stored } = await this.commits.sweep(moment, now, most, passed, judge);
      for (const act of stored) this.announce(act);
      return { taken, failed: [] };
    } catch (error) {
      if (ids.length === 0) throw error;
      this.logger.error(error);
      return { taken: ids.length, failed: ids };
    }
  }

  private dueActsOrNull(row: GameRow, absences: readonly VacationRow[], now: Date): Act | null {
    try {
      const act = this.dueActs(row, absences, now);
      return isNothing(act) ? null : act;
    } catch (error) {
      this.logger.error(error);
      return null;
    }
  }

  /** What the clock has done by now. Nobody is flagged whose vacation the game has not heard of yet. */
  private dueActs(row: GameRow, absences: readonly VacationRow[], now: Date): Act {
    let act = begin(row);
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const table = tableOf(act.after);
      const decision = due(table, now.getTime());
      if (decision === null) return act;
      const away = decision === 'flag' ? unheardOf(act.after, absences, now) : null;
      act = decided(act, away ?? (decision === 'flag' ? this.flagged(act.after) : decision));
    }
    throw new Error(`The clock of game ${row.id} comes to no end`);
  }

  private flagged(row: GameRow) {
    return flag(tableOf(row), row.creator, (player) => this.engine.canWin(row, player));
  }

  /** The vacations by now that may have stopped the clocks of overdue games. */
  private absencesAt(rows: readonly GameRow[], now: Date, tx?: Transaction): Promise<readonly VacationRow[]> {
    const late = rows.filter(
      ({ turn, deadlineAt }) => turn !== null && deadlineAt !== null && deadlineAt < now,
    );
    const turns = late.map((row) => ({ userId: userOf(row, row.turn!), since: row.turnStartedAt }));
    return this.calendar.sinceTurns(turns, now, tx);
  }

  private announce({ after }: Act): void {
    this.pubsub.publish(`game.${after.id}`, { version: after.version });
  }
}

export const stale = (): DomainError =>
  new DomainError('STALE_VERSION', 'The game has changed meanwhile. Read it and decide again.');

/** Has the clock something to do? */
export const isDue = (
  { status, deadlineAt, wakeAt }: Pick<GameRow, 'status' | 'deadlineAt' | 'wakeAt'>,
  now: Date,
): boolean =>
  !isOver({ status }) && ((deadlineAt !== null && deadlineAt < now) || (wakeAt !== null && wakeAt <= now));

/** The beginning of a vacation of the late player that began in time, and that his game does not know of. */
function unheardOf(row: GameRow, absences: readonly VacationRow[], now: Date) {
  const { turn, deadlineAt } = row;
  if (turn === null) return null;
  const table = tableOf(row);
  const own = absences.filter(
    ({ userId, startsAt }) => userId === userOf(row, turn) && startsAt <= deadlineAt!,
  );
  for (const { startsAt, endsAt } of own) {
    const away = goAway(table, turn, { from: startsAt.getTime(), until: endsAt.getTime() }, now.getTime());
    if (away !== null) return away;
  }
  return null;
}
