import { createHash, createHmac } from 'node:crypto';

/** The two digests that everything here is built from. Text goes in as UTF-8. */

/** SHA-256 of the parts one after the other: 32 bytes. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** HMAC-SHA-256 of a text: 32 bytes. */
export const hmac = (key: Uint8Array, message: string): Buffer =>
  createHmac('sha256', key).update(message).digest();

/** Lower-case hex of 32 bytes, the only form in which seeds, salts and digests travel. */
export const isHex32 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The bytes of a text that `isHex32` accepts. */
export const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
