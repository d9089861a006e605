import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { LogStore } from './log.store.js';

/** The order of openings in the log, for whoever decides by it which of two seeks is the game's. */
@Injectable()
export class LogPlaces {
  constructor(private readonly store: LogStore) {}

  /**
   * Of two challenges that are stored, the one whose opening stands earlier in the log: by its place there; one that
   * waits to be logged is behind all that are, and of two that wait the one that was made first. Holds the order until
   * the transaction ends.
   */
  earlier(tx: Transaction, one: string, other: string): Promise<string> {
    return this.store.earlier(tx, [one, other]);
  }
}
