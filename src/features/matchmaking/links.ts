import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.js';
import { urlOf } from '../../platform/http/public-url.js';

/**
 * The secret of a challenge's link, derived from its id: it is not stored, and the creator can see it again at any time.
 */
export const linkToken = (secret: string, challengeId: string): string =>
  createHmac('sha256', secret).update(`challenge link ${challengeId}`).digest('base64url');

export const linkUrl = (config: Pick<Config, 'publicUrl' | 'tokenSecret'>, challengeId: string): string =>
  urlOf(config, `/v1/challenges/${challengeId}?linkToken=${linkToken(config.tokenSecret, challengeId)}`);

export function opensLink(secret: string, challengeId: string, given: string | null | undefined): boolean {
  const right = Buffer.from(linkToken(secret, challengeId));
  const tried = Buffer.from(given ?? '');
  return tried.length === right.length && timingSafeEqual(tried, right);
}
