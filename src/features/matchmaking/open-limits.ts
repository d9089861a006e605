import { Inject, Injectable } from '@nestjs/common';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError, type ErrorDetails } from '../../platform/errors.js';
import { UsersService } from '../users/users.service.js';
import type { ChallengeTerms } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { ClientSeedsStore } from './client-seeds.store.js';

/** Whoever has withheld so many announced client seeds announces none for a while. */
const MOST_WITHHELD = 3;

/** Of all that a user may have open so much may be to one other. */
const SHARE_OF_ONE = 1 / 5;

/** How much of one user may be open at once. Counter-offers and rematches answer somebody, and do not count. */
@Injectable()
export class OpenLimits {
  constructor(
    private readonly store: ChallengesStore,
    private readonly seeds: ClientSeedsStore,
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

  /** May this user announce a client seed, which others then wait for? Throws LIMIT_REACHED. */
  async demandForAnnouncement(tx: Transaction, userId: string, now: Date): Promise<void> {
    const until = await this.seeds.withheldUntil(tx, userId, MOST_WITHHELD, now);
    if (until === null) return;
    throw new DomainError(
      'LIMIT_REACHED',
      `In ${MOST_WITHHELD} games of the last seven days the client seed that you had announced never came. ` +
        `You may announce one again from ${until.toISOString()} on. Until then, go without clientSeedHash; ` +
        'behind an opening the seed itself may follow (giveClientSeed).',
      { field: 'clientSeedHash', retryAfter: Math.ceil((until.getTime() - now.getTime()) / 1000) },
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
