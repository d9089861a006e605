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
  sockets: number;
  cost: number;
}

/** What sockets are open and what their subscriptions cost at each event, by user and by address. */
export class Watchers {
  private readonly users = new Map<string, Use>();
  private readonly addresses = new Map<string, Use>();

  constructor(private readonly bounds: Bounds) {}

  /** False when one of the two has as many sockets as it may have; else counted until `close`. */
  open(watcher: Watcher): boolean {
    const { maxSocketsPerUser, maxSocketsPerAddress } = this.bounds;
    const isFull = this.usesOf(watcher).some(
      ({ use, isUser }) => use.sockets >= (isUser ? maxSocketsPerUser : maxSocketsPerAddress),
    );
    if (!isFull) this.add(watcher, { sockets: 1, cost: 0 });
    return !isFull;
  }

  close(watcher: Watcher): void {
    this.add(watcher, { sockets: -1, cost: 0 });
  }

  /** Counts a subscription until `unsubscribe`. Throws LIMIT_REACHED. */
  subscribe(watcher: Watcher, onThisSocket: number, cost: number): void {
    const { maxSubscriptionsPerSocket, maxWatchingCostPerUser, maxWatchingCostPerAddress } = this.bounds;
    if (onThisSocket >= maxSubscriptionsPerSocket) {
      throw full(
        `A socket carries at most ${maxSubscriptionsPerSocket} subscriptions: end one of them first.`,
      );
    }
    for (const { use, isUser } of this.usesOf(watcher)) {
      const most = isUser ? maxWatchingCostPerUser : maxWatchingCostPerAddress;
      if (use.cost + cost <= most) continue;
      const whose = isUser ? 'Your subscriptions' : 'The subscriptions from your address';
      throw full(
        `${whose} would answer each event with ${use.cost + cost} fields, and ${most} are allowed: end some, or ask for fewer fields.`,
      );
    }
    this.add(watcher, { sockets: 0, cost });
  }

  unsubscribe(watcher: Watcher, cost: number): void {
    this.add(watcher, { sockets: 0, cost: -cost });
  }

  private usesOf({ address, userId }: Watcher) {
    const none = (): Use => ({ sockets: 0, cost: 0 });
    return [
      { use: this.addresses.get(address) ?? none(), isUser: false },
      ...(userId === null ? [] : [{ use: this.users.get(userId) ?? none(), isUser: true }]),
    ];
  }

  private add({ address, userId }: Watcher, { sockets, cost }: Use): void {
    const note = (uses: Map<string, Use>, key: string): void => {
      const use = uses.get(key) ?? { sockets: 0, cost: 0 };
      use.sockets += sockets;
      use.cost += cost;
      if (use.sockets === 0 && use.cost === 0) uses.delete(key);
      else uses.set(key, use);
    };
    note(this.addresses, address);
    if (userId !== null) note(this.users, userId);
  }
}

const full = (message: string): DomainError => new DomainError('LIMIT_REACHED', message, { retryAfter: 5 });
