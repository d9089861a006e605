import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { LogStore } from './log.store.js';

/** The order of openings in the log, which decides whose id the game of two paired seeks has. */
@Injectable()
export class LogOrder {
  constructor(private readonly store: LogStore) {}

  /**
   * Of two stored challenges, the one whose opening is earlier in the log. Challenges that wait to be logged come after
   * those in the log, ordered by creation. Locks the order until the transaction ends.
   */
  earlier(tx: Transaction, one: string, other: string): Promise<string> {
    return this.store.earlier(tx, [one, other]);
  }
}
