import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../platform/config.module.js';
import { Every } from '../platform/every.js';
import { GamesService } from './games.service.js';

const AT_ONCE = 200;

/** Ends overdue games, whether anyone looks at them or not. Several instances may sweep: the version decides. */
@Injectable()
export class Sweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly every: Every;

  constructor(
    private readonly games: GamesService,
    @Inject(CONFIG) config: Config,
  ) {
    this.every = new Every('Sweep', config.sweepSeconds * 1000, () => this.sweep());
  }

  onApplicationBootstrap(): void {
    this.every.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.every.stop();
  }

  private async sweep(): Promise<void> {
    while ((await this.games.flagOverdue(AT_ONCE)) === AT_ONCE);
  }
}
