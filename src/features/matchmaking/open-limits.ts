import { Inject, Injectable } from '@nestjs/common';
import { BlocksService } from '../blocks/blocks.service.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/process/config.module.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { DomainError, type ErrorDetails, ROOM_SECONDS } from '../../platform/errors/errors.js';
import { UsersService } from '../users/users.service.js';
import type { ChallengeTerms } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { ClientSeedsStore } from './client-seeds.store.js';

/** A user who withheld this many announced client seeds may announce none for a while. */
const MOST_WITHHELD = 3;

/** The share of a user's open challenges that may be to one opponent. */
const SHARE_OF_ONE = 1 / 5;

const CANCEL_OR_WAIT = 'Cancel one, or wait until one is answered.';

/** Limits what one user may have open at once; counter-offers and rematches, being answers, do not count. */
@Injectable()
export class OpenLimits {
  constructor(
    private readonly store: ChallengesStore,
    private readonly seeds: ClientSeedsStore,
    private readonly users: UsersService,
    private readonly blocks: BlocksService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws ACCOUNT_CLOSED, LIMIT_REACHED. Locks the creator. */
  async demandForSeek(tx: Transaction, { creatorId, createdAt }: ChallengeTerms): Promise<void> {
    await this.users.hold(tx, [creatorId]);
    const open = await this.store.countMade(tx, creatorId, ['seek'], createdAt);
    assertBelow(open, this.config.maxOpenSeeks, 'seeks', 'Cancel one, or wait until one is accepted.');
  }

  /** Throws ACCOUNT_CLOSED, BLOCKED, LIMIT_REACHED. Locks the creator and the opponent, if there is one. */
  async demandForChallenge(tx: Transaction, terms: ChallengeTerms): Promise<void> {
    const { creatorId, opponentId } = terms;
    if (opponentId === null) await this.users.hold(tx, [creatorId]);
    else await this.demandForOpponent(tx, terms, opponentId);
    const open = await this.store.countMade(tx, creatorId, ['direct', 'link'], terms.createdAt);
    assertBelow(open, this.config.maxOpenChallenges, 'challenges', CANCEL_OR_WAIT);
  }

  /** Throws LIMIT_REACHED if the user has withheld too many announced client seeds. */
  async demandForAnnouncement(tx: Transaction, userId: string, now: Date): Promise<void> {
    const until = await this.seeds.withheldUntil(tx, userId, MOST_WITHHELD, now);
    if (until === null) return;
    throw new DomainError(
      'LIMIT_REACHED',
      `You withheld an announced client seed in ${MOST_WITHHELD} games of the last 7 days, which is the limit. You may ` +
        `announce one again from ${until.toISOString()} on. Until then, leave out clientSeedHash; you may still give ` +
        'a seed with giveClientSeed before the challenge is accepted.',
      {
        field: 'clientSeedHash',
        limit: MOST_WITHHELD,
        retryAfter: Math.ceil((until.getTime() - now.getTime()) / 1000),
      },
    );
  }

  private async demandForOpponent(
    tx: Transaction,
    { creatorId, createdAt }: ChallengeTerms,
    opponentId: string,
  ): Promise<void> {
    await this.blocks.lockUnblocked(tx, creatorId, opponentId);
    const open = await this.store.countMade(tx, creatorId, ['direct'], createdAt, opponentId);
    const most = Math.ceil(this.config.maxOpenChallenges * SHARE_OF_ONE);
    assertBelow(open, most, 'challenges to this user', CANCEL_OR_WAIT, { field: 'opponent' });
  }
}

/** Throws LIMIT_REACHED. */
function assertBelow(
  open: number,
  limit: number,
  what: string,
  advice: string,
  details: ErrorDetails = {},
): void {
  if (open < limit) return;
  const message = `You have ${open} open ${what}, and the limit is ${limit}. ${advice}`;
  throw new DomainError('LIMIT_REACHED', message, { ...details, limit, retryAfter: ROOM_SECONDS });
}
