import { LRUCache } from 'lru-cache';
import { cacheBytes } from '../../platform/process/cache-sizes.js';
import type { Config } from '../../config.js';
import type { Principal } from './principal.js';

/** What a viewer takes in memory besides the token. */
const BYTES_OF_A_VIEWER = 500;

/**
 * The viewers of tokens whose signature and claims were found valid, so that a token is verified once and not with each
 * request. It holds no refusals, and says nothing about the session, which may have ended since.
 */
export class VerifiedTokens {
  private readonly viewers: LRUCache<string, Principal>;

  constructor(config: Pick<Config, 'cacheMb'>) {
    this.viewers = new LRUCache({
      maxSize: cacheBytes(config, 'tokens'),
      sizeCalculation: (_, token) => token.length + BYTES_OF_A_VIEWER,
    });
  }

  /** Null if unknown or expired. */
  get(token: string, now: Date): Principal | null {
    const viewer = this.viewers.get(token);
    return viewer !== undefined && viewer.expiresAt > now ? viewer : null;
  }

  add(token: string, viewer: Principal): void {
    this.viewers.set(token, viewer);
  }
}
