import { createCipheriv, createDecipheriv } from 'node:crypto';

/** AES-256-GCM with a name as additional data: sealed content opens only under the same name and unchanged. */

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** A nonce must not be used for two contents under one key. */
export function seal(key: Buffer, name: Buffer, nonce: Buffer, content: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(name);
  const body = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Throws if this was not sealed with the same key and name. */
export function unseal(key: Buffer, name: Buffer, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(name).setAuthTag(sealed.subarray(NONCE_BYTES, HEAD_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]);
}
