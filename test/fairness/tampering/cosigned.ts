import { sign } from 'node:crypto';
import { parseNote, printNote, verifierKey } from '../../../src/fairness/note.js';
import { signer, type Signer } from './held.js';

/** Witnesses, and what they write under a checkpoint (C2SP tlog-cosignature). */

export function witness(name: string): Signer {
  const { key, secret } = signer(name);
  return { key: verifierKey(name, key.publicKey, 'witness'), secret };
}

export const TIME = 1_679_315_147;

/** The note of a checkpoint with the line of a witness. */
export function cosigned(checkpoint: string, { key, secret }: Signer, time = TIME): string {
  const parsed = parseNote(checkpoint);
  if (!parsed.ok) throw new Error(parsed.why);
  const { text, signatures } = parsed.value;
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(time));
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${TIME}\n${text}`), secret);
  const bytes = Uint8Array.from([...stamp, ...signature]);
  return printNote({ text, signatures: [...signatures, { ...key, bytes }] });
}
