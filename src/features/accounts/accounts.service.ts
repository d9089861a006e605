import { Inject, Injectable, Logger } from '@nestjs/common';
import { AuthService } from '../auth/auth.service.js';
import { Sessions } from '../auth/sessions.js';
import type { ClientOf } from '../auth/device.js';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { Departures } from '../games/departures.js';
import { ChallengesService } from '../matchmaking/challenges.service.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { AccountsStore, type ClosedAccount } from './accounts.store.js';

const FREED_AT_ONCE = 1000;
/** By then all requests in progress are done, even on instances that notice the end of the session late. */
const SETTLED_MS = 60_000;

/** Closes accounts. What one server leaves unfinished, the sweep of any server completes. */
@Injectable()
export class AccountsService {
  private readonly logger = new Logger(AccountsService.name);

  constructor(
    private readonly store: AccountsStore,
    private readonly auth: AuthService,
    private readonly sessions: Sessions,
    private readonly departures: Departures,
    private readonly challenges: ChallengesService,
    private readonly users: UsersService,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    background.every('AccountSweep', config.sweepSeconds * 1000, () => this.sweep());
  }

  /**
   * Closes the viewer's account with all its sessions, then ends their games, challenges and seeks. Throws
   * INVALID_CREDENTIALS, RATE_LIMITED, UNAUTHENTICATED.
   */
  async close(viewer: Principal, password: string, client: ClientOf): Promise<User> {
    const { user: { id } } = await this.auth.confirmed(viewer, password, client); // prettier-ignore
    return this.closeFor(id);
  }

  /** Closes an account without its user, unless `isMeant` says otherwise in the transaction that holds it. */
  async closeFor(
    id: string,
    isMeant: (tx: Transaction) => Promise<boolean> = async () => true,
  ): Promise<User> {
    const closedAt = this.time.now();
    const spared = new Error('The account is not to be closed any more.');
    try {
      await this.sessions.endAll(id, null, async (tx) => {
        if (!(await isMeant(tx))) throw spared;
        await this.store.close(tx, id, closedAt);
      });
      await this.cleanUp({ id, closedAt });
    } catch (error) {
      if (error !== spared) throw error;
    }
    return this.users.person(id);
  }

  /** Closes the account of a managed player; false if they are none any more: whoever claimed it meanwhile keeps it. */
  async closePlayer(id: string): Promise<boolean> {
    const { closed } = await this.closeFor(id, (tx) => this.store.isManaged(tx, id));
    return closed;
  }

  /** Tells former opponents of the new name of a user, in the transaction that gives it; `from` is null for any that they had. */
  async announceRename(tx: Transaction, id: string, from: string | null, to: string): Promise<void> {
    await this.store.renameFrom(tx, id, from, to);
    await this.store.announceRename(id, tx);
  }

  /** Completes the closing of accounts, and releases their names after CLOSED_NAME_DAYS. */
  async sweep(): Promise<void> {
    for (const account of await this.store.closing()) await this.cleanUp(account);
    const before = new Date(this.time.now().getTime() - this.config.closedNameDays * DAY_MS);
    while ((await this.store.freeNames(before, FREED_AT_ONCE)) === FREED_AT_ONCE);
  }

  /** Does each step that it can. A failure is logged, does not stop the other steps, and is retried by the sweep. */
  private async cleanUp(account: ClosedAccount): Promise<void> {
    const { id, closedAt } = account;
    const isQuiet = await this.done(() => this.challenges.closeAllOf(id));
    const isGone = await this.done(async () => {
      // Ratings and vacations are needed until the last game is over.
      const isOver = await this.departures.leaveAll(id);
      if (isOver) await this.store.eraseStanding(id);
      return isOver;
    });
    const isErased = await this.done(() => this.store.erase(account));
    const isSettled = this.time.now().getTime() >= closedAt.getTime() + SETTLED_MS;
    if (!(isQuiet && isGone && isErased && isSettled)) return;
    await this.done(async () => {
      await this.store.announceRename(id);
      await this.store.markErased(id);
    });
  }

  /** False if the step failed or returned false. */
  private async done(step: () => Promise<boolean | void>): Promise<boolean> {
    try {
      return (await step()) ?? true;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }
}
