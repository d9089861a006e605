import { Injectable } from '@nestjs/common';
import { DAYS_A_YEAR, statusAt, usedIn, yearOf } from '../../arbiter/vacation.js';
import type { Principal } from '../auth/principal.js';
import { Time } from '../../platform/process/time.js';
import type { Vacation, Vacations } from './vacations.model.js';
import { VacationsService } from './vacations.service.js';
import { vacationOf, type VacationRow } from '../calendar/vacation.row.js';
import { VacationsStore, type VacationKey } from './vacations.store.js';

/** Converts rows for both transports. */
@Injectable()
export class VacationsView {
  constructor(
    private readonly store: VacationsStore,
    private readonly vacations: VacationsService,
    private readonly time: Time,
  ) {}

  vacation(row: VacationRow): Vacation {
    const { id, startsAt, endsAt, days } = row;
    return { id, startsAt, endsAt, days, status: statusAt(vacationOf(row), this.time.now().getTime()) };
  }

  /** All vacations, the oldest first, including those called off. */
  async ever({ userId }: Principal, after: VacationKey | null, limit: number): Promise<readonly Vacation[]> {
    return (await this.store.ever(userId, after, limit)).map((row) => this.vacation(row));
  }

  async mine(viewer: Principal): Promise<Vacations> {
    const rows = await this.vacations.mine(viewer);
    const taken = rows.map(vacationOf);
    const year = yearOf(this.time.now().getTime());
    const items = rows.map((row) => this.vacation(row));
    return {
      items,
      years: [year, year + 1].map((of) => yearly(of, usedIn(taken, of))),
      current: items.find(({ status }) => status === 'running') ?? null,
    };
  }
}

const yearly = (year: number, used: number) => ({ year, used, left: DAYS_A_YEAR - used });
