import { ed25519 } from '@noble/curves/ed25519.js';

/** Whether the key has signed the message, without WebCrypto; false also for what is no point of the curve. RFC 8032. */
export function isEd25519(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, key);
  } catch {
    return false;
  }
}
