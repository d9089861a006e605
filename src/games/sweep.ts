import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../platform/config.module.js';
import { Every } from '../platform/every.js';
import { GamesService } from './games.service.js';

/** Ends overdue games, whether anyone looks at them or not. Several instances may sweep: the version decides. */
@Injectable()
export class Sweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly every: Every;

  constructor(games: GamesService, @Inject(CONFIG) config: Config) {
    this.every = new Every('Sweep', config.sweepSeconds * 1000, () => games.flagOverdue());
  }

  onApplicationBootstrap(): void {
    this.every.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.every.stop();
  }
}
