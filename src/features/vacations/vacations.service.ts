import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { DAY_MS, ended, plan, type Vacation } from '../../arbiter/vacation.js';
import type { Principal } from '../auth/principal.js';
import { unwrap } from '../../engine/refusals.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { demand, DomainError } from '../../platform/errors.js';
import { Idempotency, keyedAct, type KeyedAct } from '../../platform/idempotency.js';
import { Time } from '../../platform/time.js';
import { accountClosed, UsersService } from '../users/users.service.js';
import { vacationOf, type VacationRow } from '../calendar/vacation.row.js';
import { VacationSweep } from './vacation-sweep.js';
import { VacationsStore } from './vacations.store.js';

const SHOWN_MS = 2 * 366 * DAY_MS;

export interface VacationRequest {
  /** Absent: now. */
  readonly startsAt?: Date | null | undefined;
  readonly days: number;
  readonly idempotencyKey?: string | null | undefined;
}

export interface EndRequest {
  readonly id: string;
  readonly idempotencyKey?: string | null | undefined;
}

/** When players are away. Their games are told before the answer goes out. */
@Injectable()
export class VacationsService {
  constructor(
    private readonly store: VacationsStore,
    private readonly sweep: VacationSweep,
    private readonly users: UsersService,
    private readonly idempotency: Idempotency,
    private readonly time: Time,
  ) {}

  /** Those of the last two years and those planned, newest first; not those that were called off. */
  mine(viewer: Principal): Promise<readonly VacationRow[]> {
    return this.counting(viewer.userId, this.time.now());
  }

  /** Throws INVALID_VACATION, VACATION_OVERLAPS, VACATION_USED_UP, LIMIT_REACHED, ACCOUNT_CLOSED. */
  async plan(viewer: Principal, request: VacationRequest): Promise<VacationRow> {
    const { startsAt, days, idempotencyKey } = request;
    const asked = { startsAt: startsAt?.toISOString() ?? null, days };
    const act = keyedAct(viewer.userId, idempotencyKey, 'planVacation', asked);
    const insert = () => this.insert(viewer, request, act);
    const id = await this.idempotency.once(act, insert, (made) => Promise.resolve(made));
    return this.told(viewer, demand(id, accountClosed));
  }

  /** Ends a vacation, or calls it off before its start. Throws NOT_FOUND, VACATION_OVER, ACCOUNT_CLOSED. */
  async end(viewer: Principal, { id, idempotencyKey }: EndRequest): Promise<VacationRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'endVacation', { id });
    const made = act && (await this.idempotency.made(act));
    if (!made) await this.store.transaction((tx) => this.endWithin(tx, viewer, id, act));
    return this.told(viewer, id);
  }

  /**
   * From here on no other vacation of the user changes and no game of his begins. False when the key has been used
   * already; it is asked for first, as wherever users are held.
   */
  private async claimed(tx: Transaction, userId: string, act: KeyedAct | null, id: string): Promise<boolean> {
    if (!(await this.idempotency.claim(tx, act, id, this.time.now()))) return false;
    await this.users.hold(tx, [userId]);
    return true;
  }

  private async told(viewer: Principal, id: string): Promise<VacationRow> {
    await this.sweep.tell(viewer.userId);
    // They are kept until the account is closed, which has happened meanwhile.
    return demand(await this.store.find(id), accountClosed);
  }

  private counting(userId: string, now: Date, tx?: Transaction): Promise<readonly VacationRow[]> {
    return this.store.ofUser(userId, new Date(now.getTime() - SHOWN_MS), tx);
  }

  /** The id of the vacation that is stored, or null when the key has made one already. */
  private insert(
    { userId }: Principal,
    { startsAt, days }: VacationRequest,
    act: KeyedAct | null,
  ): Promise<string | null> {
    return this.store.transaction(async (tx) => {
      const id = uuid();
      if (!(await this.claimed(tx, userId, act, id))) return null;
      const now = this.time.now();
      const taken = (await this.counting(userId, now, tx)).map(vacationOf);
      const planned = unwrap(plan(taken, { startsAt: startsAt?.getTime() ?? null, days }, now.getTime()));
      await this.store.insert(tx, { id, userId, ...columnsOf(planned), settled: false, createdAt: now });
      return id;
    });
  }

  private async endWithin(
    tx: Transaction,
    { userId }: Principal,
    id: string,
    act: KeyedAct | null,
  ): Promise<void> {
    if ((await this.store.find(id, tx))?.userId !== userId) {
      throw new DomainError('NOT_FOUND', 'You have no vacation with this id.', { field: 'id' });
    }
    if (!(await this.claimed(tx, userId, act, id))) return;
    const now = this.time.now();
    const row = (await this.store.find(id, tx))!;
    const vacation = demand(
      ended(vacationOf(row), now.getTime()),
      () => new DomainError('VACATION_OVER', 'This vacation is over already.'),
    );
    // No game has heard of one that was called off.
    await this.store.end(tx, { ...row, ...columnsOf(vacation), settled: vacation.days === 0 });
  }
}

const columnsOf = ({ startsAt, endsAt, days }: Vacation) => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  days,
});
