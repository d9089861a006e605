import type { Principal } from './principal.js';

const MAX = 10_000;

/**
 * The viewers of tokens whose signature and claims were found valid, so that a token is verified once and not with each
 * request. It holds no refusals, and says nothing about the session, which may have ended since.
 */
export class VerifiedTokens {
  private readonly viewers = new Map<string, Principal>();

  /** Null if unknown or expired. */
  get(token: string, now: Date): Principal | null {
    const viewer = this.viewers.get(token);
    if (viewer === undefined) return null;
    this.viewers.delete(token);
    if (viewer.expiresAt <= now) return null;
    this.viewers.set(token, viewer);
    return viewer;
  }

  // A Map keeps insertion order: the token that was used longest ago is dropped.
  add(token: string, viewer: Principal): void {
    this.viewers.delete(token);
    this.viewers.set(token, viewer);
    const [oldest] = this.viewers.keys();
    if (this.viewers.size > MAX && oldest !== undefined) this.viewers.delete(oldest);
  }
}
