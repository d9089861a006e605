import { Injectable } from '@nestjs/common';
import type { Sql, Transaction } from '../../platform/database/prisma.service.js';
import type { GameRow, Transition } from './game.row.js';

/** What other features write together with changes of games. Games knows this interface and none of those features. */
export interface Participant {
  /** Common table expressions for the commit statement; they may read `won (id, version)`, the games that it changes. */
  rows?(transitions: readonly Transition[]): readonly Sql[];
  /** True if the transition needs `within`, because one statement cannot express its changes. */
  needsTransaction?(transition: Transition): boolean;
  /** Writes the further changes of such transitions in their transaction, after them: their games are locked by then. */
  within?(tx: Transaction, transitions: readonly Transition[]): Promise<void>;
  /** Writes further changes in the transaction that starts a game. */
  begun?(tx: Transaction, row: GameRow): Promise<void>;
}

/** The registered participants. */
@Injectable()
export class Participants {
  private readonly all: Participant[] = [];

  join(participant: Participant): void {
    this.all.push(participant);
  }

  rows(transitions: readonly Transition[]): readonly Sql[] {
    return this.all.flatMap((participant) => participant.rows?.(transitions) ?? []);
  }

  needTransaction(transition: Transition): boolean {
    return this.all.some((participant) => participant.needsTransaction?.(transition));
  }

  async within(tx: Transaction, transitions: readonly Transition[]): Promise<void> {
    for (const participant of this.all) {
      const its = transitions.filter((transition) => participant.needsTransaction?.(transition));
      if (its.length > 0) await participant.within?.(tx, its);
    }
  }

  async begun(tx: Transaction, row: GameRow): Promise<void> {
    for (const participant of this.all) await participant.begun?.(tx, row);
  }
}
