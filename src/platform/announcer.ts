import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from './config.module.js';
import { RepeatedTask } from './repeated-task.js';
import { PrismaService } from './database/prisma.service.js';
import { OutboxStore, type OutboxPosition } from './outbox.store.js';
import { PubSub } from './pubsub.js';
import { Time } from './time.js';

const MOST_PAGES_OF_A_POLL = 50;
const PRUNE_MS = 10 * 60_000;
const KEPT_MS = 60 * 60_000;

/**
 * Publishes the commits of all instances, including this one, which does not know of a commit whose answer was lost
 * with the connection. An embedded database has no other instances and no connection to lose.
 */
@Injectable()
export class Announcer implements OnApplicationBootstrap, OnApplicationShutdown {
  private position: OutboxPosition | null = null;
  private readonly polling: RepeatedTask;
  private readonly pruning = new RepeatedTask('Outbox', PRUNE_MS, () => this.prune());

  constructor(
    private readonly prisma: PrismaService,
    private readonly outbox: OutboxStore,
    private readonly pubsub: PubSub,
    private readonly time: Time,
    @Inject(CONFIG) config: Pick<Config, 'outboxPollMs'>,
  ) {
    this.polling = new RepeatedTask('Outbox', config.outboxPollMs, () => this.poll());
  }

  async onApplicationBootstrap(): Promise<void> {
    this.pruning.start();
    if (this.prisma.kind === 'embedded') return;
    this.position = await this.outbox.end();
    this.polling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.polling.stop(), this.pruning.stop()]);
  }

  /**
   * Publishes seeks that this process has opened or closed. With a PostgreSQL server the outbox does this: unlike a
   * game, a seek has no version by which listeners could ignore a repetition.
   */
  seeks(ids: readonly string[]): void {
    if (this.prisma.kind === 'embedded') for (const id of ids) this.pubsub.publishSeek(id);
  }

  private async poll(): Promise<void> {
    for (let page = 0; page < MOST_PAGES_OF_A_POLL; page++) {
      const rows = await this.outbox.after(this.position!);
      if (rows.length === 0) return;
      for (const { topic, gameId, version } of rows) {
        if (topic === 'seek') this.pubsub.publishSeek(gameId);
        else this.pubsub.publish(`game.${gameId}`, { version });
      }
      this.position = rows.at(-1)!;
    }
  }

  private async prune(): Promise<void> {
    await this.outbox.prune(new Date(this.time.now().getTime() - KEPT_MS));
  }
}
