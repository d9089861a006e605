import { Injectable } from '@nestjs/common';
import type { Absence } from '../../arbiter/clock.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { CalendarStore } from './calendar.store.js';
import type { VacationRow } from './vacation.row.js';

/** Whose turn, and since when. */
export interface TurnOf {
  readonly userId: string;
  readonly since: Date;
}

/** Who is away when. */
@Injectable()
export class CalendarService {
  constructor(private readonly store: CalendarStore) {}

  /** The vacations by now that may have stopped the clocks of these turns; in order of time. */
  async sinceTurns(turns: readonly TurnOf[], now: Date, tx?: Transaction): Promise<readonly VacationRow[]> {
    if (turns.length === 0) return [];
    const from = new Date(Math.min(...turns.map(({ since }) => since.getTime())));
    const users = turns.map(({ userId }) => userId);
    // Up to now: one of them may move a deadline to behind the start of the next.
    return this.store.during(users, from, now, tx);
  }

  /** The absences that these users are in at this moment, by user. */
  async awayAt(userIds: readonly string[], at: Date, tx: Transaction): Promise<ReadonlyMap<string, Absence>> {
    const rows = await this.store.during(userIds, at, at, tx);
    const absences = rows.map(({ userId, startsAt, endsAt }) => {
      return [userId, { from: startsAt.getTime(), until: endsAt.getTime() }] as const;
    });
    // The first of a user, as there may be only one at a time.
    return new Map(absences.reverse());
  }
}
