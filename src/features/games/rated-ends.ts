import { Injectable } from '@nestjs/common';
import { isOver } from '../../arbiter/state.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { poolKey } from '../ratings/pools.js';
import { RatingsService } from '../ratings/ratings.service.js';
import type { Transition } from './game.row.js';
import { Participants, type Participant } from './participants.js';

/** Rates finished games in the transaction that ends them. */
@Injectable()
export class RatedEnds implements Participant {
  constructor(
    private readonly ratings: RatingsService,
    participants: Participants,
  ) {
    participants.join(this);
  }

  needsTransaction({ after }: Transition): boolean {
    return isOver(after) && after.unrated === null;
  }

  within(tx: Transaction, ended: readonly Transition[]): Promise<void> {
    const ends = ended.map(({ after }) => ({
      ...{ ...after, gameId: after.id, endedAt: after.endedAt! },
      ruleset: poolKey(after),
    }));
    return this.ratings.apply(tx, ends);
  }
}
