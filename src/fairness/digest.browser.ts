import { hmac as hmacOf } from '@noble/hashes/hmac.js';
import { sha256 as sha2 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** The exports of digest.ts for browsers; test/fairness/digest.test.ts compares the two. */

export { bytesOfHex, hexOf, isHex32 } from './hex.js';

/** SHA-256 of the parts one after the other: 32 bytes. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const whole = sha2.create();
  for (const part of parts) whole.update(typeof part === 'string' ? utf8ToBytes(part) : part);
  return whole.digest();
}

/** HMAC-SHA-256 of a text: 32 bytes. */
export const hmac = (key: Uint8Array, message: string): Uint8Array => hmacOf(sha2, key, utf8ToBytes(message));
