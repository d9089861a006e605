import { Inject, Injectable, Logger } from '@nestjs/common';
import { AuthService } from '../auth/auth.service.js';
import { Sessions } from '../auth/sessions.js';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { Departures } from '../games/departures.js';
import { ChallengesService } from '../matchmaking/challenges.service.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import { DAY_MS, Time } from '../../platform/time.js';
import type { User } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { AccountsStore, type Leaver } from './accounts.store.js';

const FREED_AT_ONCE = 1000;
/** A request that was under way is done by then, also where the end of its session is felt late. */
const CALM_MS = 60_000;

/** The end of accounts. What a server does not come to, the sweep of any other one does. */
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
   * Closes the viewer's account, with all its sessions: from then on it is nobody's. Then what it has begun is ended.
   * Throws INVALID_CREDENTIALS, RATE_LIMITED, UNAUTHENTICATED.
   */
  async close(viewer: Principal, password: string, address: string): Promise<User> {
    const { id, username } = await this.auth.confirmed(viewer, password, address);
    const closedAt = this.time.now();
    await this.sessions.endAll(id, (tx) => this.store.close(tx, id, closedAt));
    await this.leave({ id, username, closedAt });
    return this.users.byId(id);
  }

  /** Ends what closed accounts have left, and sets their names free after CLOSED_NAME_DAYS. */
  async sweep(): Promise<void> {
    for (const leaver of await this.store.leaving()) await this.leave(leaver);
    const before = new Date(this.time.now().getTime() - this.config.closedNameDays * DAY_MS);
    while ((await this.store.freeNames(before, FREED_AT_ONCE)) === FREED_AT_ONCE);
  }

  /** As far as it can be done now: what fails is logged and holds up nothing else, and the sweep tries again. */
  private async leave(leaver: Leaver): Promise<void> {
    const { id, closedAt } = leaver;
    const isQuiet = await this.done(() => this.challenges.closeAllOf(id));
    const isGone = await this.done(async () => {
      // The last games are rated, and vacations are heard of, before what that takes is gone.
      const isOver = await this.departures.leaveAll(id);
      if (isOver) await this.store.eraseStanding(id);
      return isOver;
    });
    const isErased = await this.done(() => this.store.erase(leaver));
    const isCalm = this.time.now().getTime() >= closedAt.getTime() + CALM_MS;
    if (!(isQuiet && isGone && isErased && isCalm)) return;
    await this.done(async () => {
      await this.store.tell(id);
      await this.store.left(id);
    });
  }

  /** False when it failed, or says so itself. */
  private async done(step: () => Promise<boolean | void>): Promise<boolean> {
    try {
      return (await step()) ?? true;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }
}
