import { readFileSync } from 'node:fs';
import type { Signed } from '../../fairness/signed.js';
import { type KeyType, parseVerifierKey, verifyNote, type VerifierKey } from '../../fairness/note.js';
import { parseLogProof } from '../../fairness/tlog-formats.js';

/** Reads signed receipts, proofs and the trusted keys. All functions throw if the input is malformed. */

const NAMES_A_KEY = /^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/;

/** Each argument is a verifier key, or a file with keys such as /.well-known/halfmove.json. */
export const keysOf = (given: readonly string[], type: KeyType = 'note'): readonly VerifierKey[] =>
  given.flatMap((text) => (NAMES_A_KEY.test(text) ? [keyOf(text, type)] : keysIn(text, type)));

function keyOf(text: string, type: KeyType): VerifierKey {
  const read = parseVerifierKey(text, type);
  if (!read.ok) throw new Error(read.why);
  return read.value;
}

/** All verifier keys in a file, which may be JSON or have one key per line. */
function keysIn(path: string, type: KeyType): readonly VerifierKey[] {
  const texts = readFileSync(path, 'utf8').split(/[\s"]+/);
  const keys = texts.filter((text) => NAMES_A_KEY.test(text)).map((text) => keyOf(text, type));
  if (keys.length === 0) throw new Error(`${path} contains no verifier key`);
  return keys;
}

/** A note ends with exactly one newline; shells may have added another. */
export const noteOf = (text: string): string => text.replace(/\n+$/, '\n');

const noteIn = (path: string): string => noteOf(readFileSync(path, 'utf8'));

export async function receiptOf(path: string, keys: readonly VerifierKey[]): Promise<Signed> {
  const written = noteIn(path);
  return { written, verdict: await verifyNote(written, keys) };
}

/** A proof with the verdicts on the signatures of its checkpoint. */
export async function proofOf(
  path: string,
  keys: readonly VerifierKey[],
  witnesses: readonly VerifierKey[],
): Promise<Signed> {
  const written = noteIn(path);
  const proof = parseLogProof(written);
  if (!proof.ok) return { written, verdict: { outcome: 'malformed', why: proof.why } };
  const { checkpoint } = proof.value;
  const witnessed = witnesses.map(async (key) => ({
    by: key.name,
    verdict: await verifyNote(checkpoint, [key]),
  }));
  return { written, verdict: await verifyNote(checkpoint, keys), witnessed: await Promise.all(witnessed) };
}
