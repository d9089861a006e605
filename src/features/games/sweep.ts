import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import { Every } from '../../platform/every.js';
import { MOMENTS } from './commit.store.js';
import { Referee } from './referee.js';

/** Does what the clocks have to do, whether anyone looks at their games or not. Several instances may sweep. */
@Injectable()
export class Sweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly every: Every;

  constructor(
    private readonly referee: Referee,
    @Inject(CONFIG) config: Config,
  ) {
    this.every = new Every('Sweep', config.sweepSeconds * 1000, () => this.sweep());
  }

  private async sweep(): Promise<void> {
    for (const moment of MOMENTS) await this.referee.sweep(moment);
  }

  onApplicationBootstrap(): void {
    this.every.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.every.stop();
  }
}
