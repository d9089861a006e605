/** Base 64 (RFC 4648) as the texts of C2SP have it. Runs in browsers as well. */

export const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Null for what does not print back to the same text: other letters or lengths, stray bits at the end. */
export function bytesOfBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  return base64Of(bytes) === text ? bytes : null;
}
