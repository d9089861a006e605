import { Inject, Injectable } from '@nestjs/common';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError, type ErrorDetails } from '../../platform/errors.js';
import { UsersService } from '../users/users.service.js';
import type { ChallengeTerms } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';

/** Of all that a user may have open so much may be to one other. */
const SHARE_OF_ONE = 1 / 5;

/** How much of one user may be open at once. Counter-offers and rematches answer somebody, and do not count. */
@Injectable()
export class OpenLimits {
  constructor(
    private readonly store: ChallengesStore,
    private readonly users: UsersService,
    private readonly blocks: BlocksService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws ACCOUNT_CLOSED, LIMIT_REACHED. Holds the creator. */
  async demandForSeek(tx: Transaction, { creatorId, createdAt }: ChallengeTerms): Promise<void> {
    await this.users.hold(tx, [creatorId]);
    const open = await this.store.countMade(tx, creatorId, ['seek'], createdAt);
    demandFewer(open, this.config.maxOpenSeeks, 'seeks already, as many as one may have: cancel one of them');
  }

  /** Throws ACCOUNT_CLOSED, BLOCKED, LIMIT_REACHED. Holds the creator, and the opponent where there is one. */
  async demandForChallenge(tx: Transaction, terms: ChallengeTerms): Promise<void> {
    const { creatorId, opponentId } = terms;
    if (opponentId === null) await this.users.hold(tx, [creatorId]);
    else await this.demandForOpponent(tx, terms, opponentId);
    const open = await this.store.countMade(tx, creatorId, ['direct', 'link'], terms.createdAt);
    demandFewer(
      open,
      this.config.maxOpenChallenges,
      'challenges already, as many as one may have: cancel one of them',
    );
  }

  private async demandForOpponent(
    tx: Transaction,
    { creatorId, createdAt }: ChallengeTerms,
    opponentId: string,
  ): Promise<void> {
    await this.blocks.holdWelcome(tx, creatorId, opponentId);
    const open = await this.store.countMade(tx, creatorId, ['direct'], createdAt, opponentId);
    const most = Math.ceil(this.config.maxOpenChallenges * SHARE_OF_ONE);
    demandFewer(open, most, 'challenges to this player already: wait for an answer, or cancel one of them', {
      field: 'opponent',
    });
  }
}

/** Throws LIMIT_REACHED. */
function demandFewer(open: number, most: number, told: string, details: ErrorDetails = {}): void {
  if (open >= most) throw new DomainError('LIMIT_REACHED', `You have ${open} open ${told}.`, details);
}
