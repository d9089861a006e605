import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Config } from '../../config.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Time } from '../../platform/process/time.js';
import { ClockTimer } from './clock-timer.js';
import { CommitStore } from './commit.store.js';
import { Referee } from './referee.js';

/**
 * Does what the clocks have to do even if nobody reads the games: when the next one is due, and every SWEEP_SECONDS for
 * games of other instances. Several instances may sweep.
 */
@Injectable()
export class Sweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Sweep.name);
  private underWay: Promise<void> | null = null;

  constructor(
    private readonly referee: Referee,
    private readonly commits: CommitStore,
    private readonly timer: ClockTimer,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) config: Config,
  ) {
    background.every('Sweep', config.sweepSeconds * 1000, () => this.sweep());
  }

  /** Stores what ran out while no server was running, before the first request. */
  async onApplicationBootstrap(): Promise<void> {
    this.timer.start(() => void this.sweepOrLog());
    await this.sweepOrLog();
  }

  async onApplicationShutdown(): Promise<void> {
    this.timer.stop();
    await this.underWay?.catch(() => undefined);
  }

  /** Runs one sweep at a time; a call during a sweep waits for that one. */
  private sweep(): Promise<void> {
    this.underWay ??= this.sweepAll().finally(() => (this.underWay = null));
    return this.underWay;
  }

  private sweepOrLog(): Promise<void> {
    return this.sweep().catch((error: unknown) => this.logger.error(error));
  }

  private async sweepAll(): Promise<void> {
    const now = this.time.now();
    await this.referee.sweep();
    // Games that this sweep had to skip are left to the next one, not to the timer.
    this.timer.scheduleAt(await this.commits.nextMoment(now));
  }
}
