import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.js';

const MAX = 10_000;

/**
 * The viewers of tokens whose signature and claims were found valid, so that a token is verified once and not with each
 * request. It holds no refusals, and says nothing about the session, which may have ended since.
 */
export class VerifiedTokens {
  private readonly viewers = new LRUCache<string, Principal>({ max: MAX });

  /** Null if unknown or expired. */
  get(token: string, now: Date): Principal | null {
    const viewer = this.viewers.get(token);
    return viewer !== undefined && viewer.expiresAt > now ? viewer : null;
  }

  add(token: string, viewer: Principal): void {
    this.viewers.set(token, viewer);
  }
}
