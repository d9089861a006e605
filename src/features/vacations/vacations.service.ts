import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { DAY_MS, ended, plan, type Vacation } from '../../arbiter/vacation.js';
import type { Principal } from '../auth/principal.js';
import { unwrap } from '../../engine/refusals.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { Idempotency, keyedAct, type KeyedAct } from '../../platform/idempotency/idempotency.js';
import { Time } from '../../platform/process/time.js';
import { accountClosed, UsersService } from '../users/users.service.js';
import { vacationOf, type VacationRow } from '../calendar/vacation.row.js';
import { VacationSweep } from './vacation-sweep.js';
import { VacationsStore } from './vacations.store.js';

const SHOWN_MS = 2 * 366 * DAY_MS;

export interface VacationRequest {
  /** Now if absent. */
  readonly startsAt?: Date | null | undefined;
  readonly days: number;
  readonly idempotencyKey?: string | null | undefined;
}

export interface EndRequest {
  readonly id: string;
  readonly idempotencyKey?: string | null | undefined;
}

/** Plans and ends vacations. Games are updated before the answer is sent. */
@Injectable()
export class VacationsService {
  constructor(
    private readonly store: VacationsStore,
    private readonly sweep: VacationSweep,
    private readonly users: UsersService,
    private readonly idempotency: Idempotency,
    private readonly time: Time,
  ) {}

  /** The vacations of the last two years and the planned ones, newest first, except those called off. */
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
    return this.told(viewer, orThrow(id, accountClosed));
  }

  /** Ends a vacation, or cancels one that has not started. Throws NOT_FOUND, VACATION_OVER, ACCOUNT_CLOSED. */
  async end(viewer: Principal, { id, idempotencyKey }: EndRequest): Promise<VacationRow> {
    const act = keyedAct(viewer.userId, idempotencyKey, 'endVacation', { id });
    const made = act && (await this.idempotency.made(act));
    if (!made) await this.store.transaction((tx) => this.endWithin(tx, viewer, id, act));
    return this.told(viewer, id);
  }

  /**
   * Locks the user until the end of the transaction, so that no other vacation changes and no game begins. False if the
   * key was already used; claims the key first, as wherever users are locked.
   */
  private async claimed(tx: Transaction, userId: string, act: KeyedAct | null, id: string): Promise<boolean> {
    if (!(await this.idempotency.claim(tx, act, id, this.time.now()))) return false;
    await this.users.hold(tx, [userId]);
    return true;
  }

  private async told(viewer: Principal, id: string): Promise<VacationRow> {
    await this.sweep.tell(viewer.userId);
    // Vacations are only deleted when the account is closed.
    return orThrow(await this.store.find(id), accountClosed);
  }

  private counting(userId: string, now: Date, tx?: Transaction): Promise<readonly VacationRow[]> {
    return this.store.ofUser(userId, new Date(now.getTime() - SHOWN_MS), tx);
  }

  /** The id of the stored vacation, or null if the key was already used. */
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
      throw new DomainError('NOT_FOUND', `You do not have a vacation with the id ${id}.`, { field: 'id' });
    }
    if (!(await this.claimed(tx, userId, act, id))) return;
    const row = (await this.store.hold(id, tx))!;
    // After the lock, which a commit that begins the vacation in a game may have held.
    const now = this.time.now();
    const vacation = orThrow(
      ended(vacationOf(row), now.getTime()),
      () => new DomainError('VACATION_OVER', `This vacation ended at ${row.endsAt.toISOString()}.`),
    );
    // A vacation that was called off has not reached any game.
    await this.store.end(tx, { ...row, ...columnsOf(vacation), settled: vacation.days === 0 });
  }
}

const columnsOf = ({ startsAt, endsAt, days }: Vacation) => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  days,
});
