import type { Config } from '../config.js';
import { DomainError } from '../platform/errors/errors.js';

type Bounds = Pick<
  Config,
  | 'maxSocketsPerUser'
  | 'maxSocketsPerAddress'
  | 'maxSubscriptionsPerSocket'
  | 'maxWatchingCostPerUser'
  | 'maxWatchingCostPerAddress'
>;

/** The owner of a socket: an address, and a user if signed in. */
export interface Watcher {
  readonly address: string;
  readonly userId: string | null;
}

interface Use {
  readonly sockets: number;
  readonly cost: number;
}

const NONE: Use = { sockets: 0, cost: 0 };

/** How many sockets are open and what their subscriptions cost for each event, by user and by address. */
export class Watchers {
  private readonly uses = new Map<string, Use>();

  constructor(private readonly bounds: Bounds) {}

  /** False if the user or the address has reached its limit of sockets; otherwise counted until `close`. */
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
        `This socket already has ${onThisSocket} subscriptions, the maximum. End one of them first.`,
        maxSubscriptionsPerSocket,
      );
    }
    const over = this.countsOf(watcher).find(({ use, most }) => use.cost + cost > most.cost);
    if (over !== undefined) {
      throw full(
        `${over.whose} would cost ${over.use.cost + cost} fields for each event; the limit is ${over.most.cost}. End some, or request fewer fields.`,
        over.most.cost,
      );
    }
    this.add(watcher, { sockets: 0, cost });
  }

  unsubscribe(watcher: Watcher, cost: number): void {
    this.add(watcher, { sockets: 0, cost: -cost });
  }

  /** The current counts of a watcher, by address and by user, with their limits. */
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

const full = (message: string, limit: number): DomainError =>
  new DomainError('LIMIT_REACHED', message, { limit, retryAfter: 5 });
