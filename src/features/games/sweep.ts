import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Config } from '../../config.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import { Time } from '../../platform/time.js';
import { Alarm } from './alarm.js';
import { CommitStore, MOMENTS } from './commit.store.js';
import { Referee } from './referee.js';

/**
 * Does what the clocks have to do, whether anyone looks at their games or not: when the next of them has something to do,
 * and every SWEEP_SECONDS, because other instances begin games, too. Several instances may sweep.
 */
@Injectable()
export class Sweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Sweep.name);
  private underWay: Promise<void> | null = null;

  constructor(
    private readonly referee: Referee,
    private readonly commits: CommitStore,
    private readonly alarm: Alarm,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) config: Config,
  ) {
    background.every('Sweep', config.sweepSeconds * 1000, () => this.sweep());
  }

  /** What ran out while no server ran is stored before anybody asks what has ended. */
  async onApplicationBootstrap(): Promise<void> {
    this.alarm.start(() => void this.sweepOrLog());
    await this.sweepOrLog();
  }

  async onApplicationShutdown(): Promise<void> {
    this.alarm.stop();
    await this.underWay?.catch(() => undefined);
  }

  /** Never two at once: who comes meanwhile waits for the one that is under way. */
  private sweep(): Promise<void> {
    this.underWay ??= this.sweepAll().finally(() => (this.underWay = null));
    return this.underWay;
  }

  private sweepOrLog(): Promise<void> {
    return this.sweep().catch((error: unknown) => this.logger.error(error));
  }

  private async sweepAll(): Promise<void> {
    const now = this.time.now();
    for (const moment of MOMENTS) await this.referee.sweep(moment);
    // What this sweep had to leave is for the next one after SWEEP_SECONDS, not for the alarm.
    this.alarm.by(await this.commits.nextMoment(now));
  }
}
