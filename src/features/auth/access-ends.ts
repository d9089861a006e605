import { DomainError } from '../../platform/errors/errors.js';
import type { Time } from '../../platform/process/time.js';
import { sessionKey, type SessionOf } from './liveness.js';
import type { Principal } from './principal.js';

/** Why a stream or a socket may not go on. */
export interface AccessEnd {
  /** Whether the next access token of the same session would do. */
  readonly isExpiry: boolean;
  readonly error: DomainError;
}

type Bearer = SessionOf & Pick<Principal, 'expiresAt'>;
type Told = (end: AccessEnd) => void;

export const EXPIRY: AccessEnd = {
  isExpiry: true,
  error: new DomainError('UNAUTHENTICATED', 'The access token has expired. Refresh it and subscribe again.'),
};

export const SESSION_END: AccessEnd = {
  isExpiry: false,
  error: new DomainError('UNAUTHENTICATED', 'Your session has ended. Log in again, or take a new token.'),
};

/** Everything open that ends with an access token or its session, and is told so at that moment. */
export class AccessEnds {
  private readonly watches = new Map<string, Set<Watch>>();

  constructor(private readonly time: Time) {}

  /** Calls `told` once, and not within this call; the returned function cancels it. */
  watch(bearer: Bearer, told: Told): () => void {
    const key = sessionKey(bearer);
    const watch = new Watch(bearer, this.time, (end) => {
      leave();
      told(end);
    });
    const ofSession = this.watches.get(key) ?? new Set();
    this.watches.set(key, ofSession.add(watch));
    const leave = (): void => {
      watch.cancel();
      if (ofSession.delete(watch) && ofSession.size === 0) this.watches.delete(key);
    };
    return leave;
  }

  /** Tells all whose token has expired, before a refusal tells one of them something else. */
  expired(session: SessionOf): void {
    const now = this.time.now();
    for (const watch of this.of(session)) if (watch.bearer.expiresAt <= now) watch.tell(EXPIRY);
  }

  sessionEnded(session: SessionOf): void {
    for (const watch of this.of(session)) watch.tell(SESSION_END);
  }

  sessions(): readonly SessionOf[] {
    return [...this.watches.values()].map(([first]) => first!.bearer);
  }

  private of(session: SessionOf): readonly Watch[] {
    return [...(this.watches.get(sessionKey(session)) ?? [])];
  }
}

class Watch {
  cancel: () => void = () => undefined;

  constructor(
    readonly bearer: Bearer,
    private readonly time: Time,
    readonly tell: Told,
  ) {
    this.wait();
  }

  /** An alarm rings after 24 days at the latest. */
  private wait(): void {
    const { expiresAt } = this.bearer;
    this.cancel = this.time.at(expiresAt, () => {
      if (this.time.now() < expiresAt) this.wait();
      else this.tell(EXPIRY);
    });
  }
}
