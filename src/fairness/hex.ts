/** Seeds, salts and digests are always written as lower-case hex. */

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hex of bytes. */
export function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += PAIRS[byte]!;
  return hex;
}

/** Is it the lower-case hex of 32 bytes? */
export const isHex32 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The bytes of a text that `isHex32` accepts. */
export function bytesOfHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}
