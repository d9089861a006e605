import { Injectable } from '@nestjs/common';
import { DealsService } from '../engine/deals.service.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import type { Transaction } from '../platform/database/prisma.service.js';
import { UsersService } from '../users/users.service.js';
import type { ChallengeRow, ChallengeTerms } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { invitation } from './notices.js';

/** Challenges as they go out, whether they begin something or go on with it. */
@Injectable()
export class Invitations {
  constructor(
    private readonly store: ChallengesStore,
    private readonly deals: DealsService,
    private readonly notifications: NotificationsService,
    private readonly users: UsersService,
  ) {}

  /** Stores a challenge with the commitment to its deal and the news of it; null when `isFirst` says no. */
  async send(
    terms: ChallengeTerms,
    isFirst: (tx: Transaction) => Promise<boolean>,
  ): Promise<ChallengeRow | null> {
    const { username } = await this.users.one(terms.creatorId);
    return this.store.create(terms, async (tx) => {
      if (!(await isFirst(tx))) return null;
      await this.notifications.add(tx, invitation(terms, username));
      return this.deals.commit(tx, terms.id, terms.createdAt);
    });
  }
}
