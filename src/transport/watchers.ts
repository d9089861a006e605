import type { Config } from '../config.js';
import { DomainError } from '../platform/errors.js';

type Bounds = Pick<
  Config,
  | 'maxSocketsPerUser'
  | 'maxSocketsPerAddress'
  | 'maxSubscriptionsPerSocket'
  | 'maxWatchingCostPerUser'
  | 'maxWatchingCostPerAddress'
>;

/** Whose socket it is: an address, and a user where he has signed in. */
export interface Watcher {
  readonly address: string;
  readonly userId: string | null;
}

interface Use {
  readonly sockets: number;
  readonly cost: number;
}

const NONE: Use = { sockets: 0, cost: 0 };

/** What sockets are open and what their subscriptions cost at each event, by user and by address. */
export class Watchers {
  private readonly uses = new Map<string, Use>();

  constructor(private readonly bounds: Bounds) {}

  /** False when one of the two has as many sockets as it may have; else counted until `close`. */
  open(watcher: Watcher): boolean {
    const isFull = this.countsOf(watcher).some(({ use, most }) => use.sockets >= most.sockets);
    if (!isFull) this.add(watcher, { sockets: 1, cost: 0 });
    return !isFull;
  }

  close(watcher: Watcher): void {
    this.add(watcher, { sockets: -1, cost: 0 });
  }

  /** Counts a subscription until `unsubscribe`. Throws LIMIT_REACHED. */
  subscribe(watcher: Watcher, onThisSocket: number, cost: number): void {
    const { maxSubscriptionsPerSocket } = this.bounds;
    if (onThisSocket >= maxSubscriptionsPerSocket) {
      throw full(
        `A socket carries at most ${maxSubscriptionsPerSocket} subscriptions: end one of them first.`,
      );
    }
    const over = this.countsOf(watcher).find(({ use, most }) => use.cost + cost > most.cost);
    if (over !== undefined) {
      throw full(
        `${over.whose} would answer each event with ${over.use.cost + cost} fields, and ${over.most.cost} are allowed: end some, or ask for fewer fields.`,
      );
    }
    this.add(watcher, { sockets: 0, cost });
  }

  unsubscribe(watcher: Watcher, cost: number): void {
    this.add(watcher, { sockets: 0, cost: -cost });
  }

  /** Under whom a watcher is counted, with what that makes by now and what it may be at most. */
  private countsOf({ address, userId }: Watcher) {
    const { maxSocketsPerUser, maxSocketsPerAddress, maxWatchingCostPerUser, maxWatchingCostPerAddress } =
      this.bounds;
    const ofAddress = {
      key: `address ${address}`,
      whose: 'The subscriptions from your address',
      most: { sockets: maxSocketsPerAddress, cost: maxWatchingCostPerAddress },
    };
    const ofUser = {
      key: `user ${userId}`,
      whose: 'Your subscriptions',
      most: { sockets: maxSocketsPerUser, cost: maxWatchingCostPerUser },
    };
    const counts = userId === null ? [ofAddress] : [ofAddress, ofUser];
    return counts.map((count) => ({ ...count, use: this.uses.get(count.key) ?? NONE }));
  }

  private add(watcher: Watcher, { sockets, cost }: Use): void {
    for (const { key, use } of this.countsOf(watcher)) {
      const next = { sockets: use.sockets + sockets, cost: use.cost + cost };
      if (next.sockets === 0 && next.cost === 0) this.uses.delete(key);
      else this.uses.set(key, next);
    }
  }
}

const full = (message: string): DomainError => new DomainError('LIMIT_REACHED', message, { retryAfter: 5 });
