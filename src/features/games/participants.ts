import { Injectable } from '@nestjs/common';
import type { Sql, Transaction } from '../../platform/database/prisma.service.js';
import type { GameRow, Transition } from './game.row.js';

/** What other rooms write together with a change of games; games knows this and none of them. */
export interface Participant {
  /** Common table expressions for the one statement; they may read `won (id, version)`, the games that it changes. */
  rows?(transitions: readonly Transition[]): readonly Sql[];
  /** Does this transition change more than one statement can tell? */
  needsTransaction?(transition: Transition): boolean;
  /** Writes what such transitions change, in their transaction and behind them: their games are held by then. */
  within?(tx: Transaction, transitions: readonly Transition[]): Promise<void>;
  /** Writes what goes with the beginning of a game, in its transaction. */
  begun?(tx: Transaction, row: GameRow): Promise<void>;
}

/** Those who have joined. */
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
