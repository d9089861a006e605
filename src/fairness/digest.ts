import { createHash, createHmac, hash } from 'node:crypto';

/**
 * The two digests that everything here is built from. Text is hashed as UTF-8. Browsers use digest.browser.ts instead
 * ("browser" in package.json), since their own digest is asynchronous.
 */

export { bytesOfHex, hexOf, isHex32 } from './hex.js';

/** SHA-256 of the parts one after the other: 32 bytes. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  // Takes half the time of createHash for texts as short as ours.
  if (parts.length === 1) return hash('sha256', parts[0]!, 'buffer');
  const whole = createHash('sha256');
  for (const part of parts) whole.update(part);
  return whole.digest();
}

/** HMAC-SHA-256 of a text: 32 bytes. */
export const hmac = (key: Uint8Array, message: string): Uint8Array =>
  createHmac('sha256', key).update(message).digest();
