import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The secret of an open challenge's link, derived from its id: the creator can see it again at any time, and it is
 * stored nowhere.
 */
export const linkToken = (secret: string, challengeId: string): string =>
  createHmac('sha256', secret).update(`challenge link ${challengeId}`).digest('base64url');

export function opensLink(secret: string, challengeId: string, given: string | null | undefined): boolean {
  const right = Buffer.from(linkToken(secret, challengeId));
  const tried = Buffer.from(given ?? '');
  return tried.length === right.length && timingSafeEqual(tried, right);
}
