import { Injectable } from '@nestjs/common';
import type { Absence } from '../../arbiter/clock.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { CalendarStore } from './calendar.store.js';
import type { VacationRow } from './vacation.row.js';

/** A turn: its player and its start. */
export interface TurnOf {
  readonly userId: string;
  readonly since: Date;
}

/** The vacations of players. */
@Injectable()
export class CalendarService {
  constructor(private readonly store: CalendarStore) {}

  /** The vacations until now that may have stopped the clocks of these turns, in order of time. */
  async sinceTurns(turns: readonly TurnOf[], now: Date, tx?: Transaction): Promise<readonly VacationRow[]> {
    if (turns.length === 0) return [];
    const from = new Date(Math.min(...turns.map(({ since }) => since.getTime())));
    const users = turns.map(({ userId }) => userId);
    // Reads up to now, because one vacation may move a deadline past the start of the next.
    return this.store.during(users, from, now, tx);
  }

  /** The current vacations of these users, by user. */
  async awayAt(userIds: readonly string[], at: Date, tx: Transaction): Promise<ReadonlyMap<string, Absence>> {
    const rows = await this.store.during(userIds, at, at, tx);
    const absences = rows.map(({ userId, startsAt, endsAt }) => {
      return [userId, { from: startsAt.getTime(), until: endsAt.getTime() }] as const;
    });
    // A user has only one at a time.
    return new Map(absences.reverse());
  }
}
