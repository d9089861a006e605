import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OwnAddress } from '../../platform/http/own-address.js';

/**
 * The secret of a challenge's link, derived from its id: it is not stored, and the creator can see it again at any time.
 */
export const linkToken = (secret: string, challengeId: string): string =>
  createHmac('sha256', secret).update(`challenge link ${challengeId}`).digest('base64url');

/** The page of an open challenge; no server sees what stands behind the `#`. */
export const linkUrl = (address: OwnAddress, secret: string, challengeId: string): string =>
  address.url(`/challenges/${challengeId}#${linkToken(secret, challengeId)}`);

export function opensLink(secret: string, challengeId: string, given: string | null | undefined): boolean {
  const right = Buffer.from(linkToken(secret, challengeId));
  const tried = Buffer.from(given ?? '');
  return tried.length === right.length && timingSafeEqual(tried, right);
}
