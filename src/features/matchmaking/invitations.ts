import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Quotas } from '../../platform/limits/quotas.js';
import type { Config } from '../../config.js';
import { DealsService } from '../../engine/deals.service.js';
import { EngineService } from '../../engine/engine.service.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import type { Transaction } from '../../platform/database/prisma.service.js';
import { PubSub } from '../../platform/events/pubsub.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { badInput } from '../../platform/errors/errors.js';
import { Idempotency, type KeyedAct } from '../../platform/idempotency/idempotency.js';
import { Rate } from '../../platform/limits/rate.js';
import { Time } from '../../platform/process/time.js';
import { givenSeat } from '../games/given-seat.js';
import { nameOf } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { UNANSWERED, type ChallengeRow, type ChallengeTerms } from './challenge.row.js';
import { ChallengesStore } from './challenges.store.js';
import { ClientSeedsStore } from './client-seeds.store.js';
import { invitation } from './notices.js';
import { OpenLimits } from './open-limits.js';
import { announced, openFrom, rangeOf, termsKeyOf, type GivenTerms, timeControlIn } from './terms.js';

/** The parties of a new challenge, and the challenge that it counters. */
export type Addressed = Pick<ChallengeTerms, 'kind' | 'creatorId' | 'opponentId'> &
  Partial<Pick<ChallengeTerms, 'counterTo'>>;

/** Makes and sends challenges of every kind: new ones, counter-offers, seeks and rematches. */
@Injectable()
export class Invitations {
  private readonly rate: Rate;

  constructor(
    private readonly store: ChallengesStore,
    private readonly seeds: ClientSeedsStore,
    private readonly limits: OpenLimits,
    private readonly engine: EngineService,
    private readonly deals: DealsService,
    private readonly notifications: NotificationsService,
    private readonly users: UsersService,
    private readonly idempotency: Idempotency,
    private readonly pubsub: PubSub,
    private readonly time: Time,
    @Inject(CONFIG)
    { challengesPerMinute, challengesPerHour }: Pick<Config, 'challengesPerMinute' | 'challengesPerHour'>,
  ) {
    this.rate = new Rate({
      things: 'challenges',
      perMinute: challengesPerMinute,
      perHour: challengesPerHour,
    });
  }

  /** Throws INVALID_RULESET, INVALID_OPTIONS, INVALID_TIME_CONTROL, INVALID_SEED, BAD_INPUT. */
  terms({ kind, creatorId, opponentId, counterTo = null }: Addressed, given: GivenTerms): ChallengeTerms {
    const ruleset = this.engine.ruleset(given.ruleset);
    const agreed = {
      ruleset: ruleset.id,
      options: this.engine.options(given.ruleset, given.options ?? {}),
      timeControl: timeControlIn(given.timeControl),
      rated: given.rated ?? false,
    };
    const range = rangeOf(given);
    if (kind === 'direct' && (range.minRating !== null || range.maxRating !== null)) {
      const field = range.minRating === null ? 'maxRating' : 'minRating';
      const message = `${field} (${range[field]}) is only for links and seeks, and this challenge names its opponent. Leave it out.`;
      throw badInput(field, message);
    }
    return {
      id: uuid(),
      kind,
      creatorId,
      opponentId,
      ...UNANSWERED,
      ...agreed,
      side: givenSeat(given, ruleset),
      ...announced(given),
      ...openFrom(this.time.now(), given.expiresIn),
      rematchOf: null,
      personsOnly: kind !== 'direct' && given.personsOnly === true,
      ...range,
      termsKey: kind === 'seek' ? termsKeyOf(agreed) : null,
      counterTo,
    };
  }

  /** Calls `make`, or returns the challenge that the same request has already made. */
  async once(act: KeyedAct | null, make: () => Promise<ChallengeRow | null>): Promise<ChallengeRow> {
    return (await this.idempotency.once(act, make, (id) => this.store.find(id)))!;
  }

  /** As send, calling `also` in the same transaction; null if a concurrent copy of the same request came first. */
  sendOnce(
    act: KeyedAct | null,
    terms: ChallengeTerms,
    quotas: Quotas,
    also: (tx: Transaction) => Promise<void>,
  ): Promise<ChallengeRow | null> {
    return this.send(terms, quotas, async (tx) => {
      const isFirst = await this.idempotency.claim(tx, act, terms.id, terms.createdAt);
      if (isFirst) await also(tx);
      return isFirst;
    });
  }

  /**
   * Stores a challenge with the commitment to its deal and the notification; null if `isFirst` returns false. Throws
   * RATE_LIMITED.
   */
  async send(
    terms: ChallengeTerms,
    quotas: Quotas,
    isFirst: (tx: Transaction) => Promise<boolean>,
  ): Promise<ChallengeRow | null> {
    await this.rate.count(terms.creatorId, quotas);
    const { id, creatorId, creatorClientSeedHash: hash, createdAt } = terms;
    const creator = nameOf(await this.users.one(creatorId));
    const sent = await this.store.create(terms, async (tx) => {
      if (!(await isFirst(tx))) return null;
      if (hash !== null) {
        await this.limits.demandForAnnouncement(tx, creatorId, createdAt);
        await this.seeds.use(tx, hash, id, createdAt, 'clientSeedHash');
      }
      await this.notifications.add(tx, invitation(terms, creator));
      return this.deals.commit(tx, id, createdAt);
    });
    if (sent?.kind === 'seek') this.pubsub.publishSeek(sent.id, true);
    return sent;
  }
}
