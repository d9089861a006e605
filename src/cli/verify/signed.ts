import { readFileSync } from 'node:fs';
import type { Signed } from '../../fairness/signed.js';
import { type KeyType, parseVerifierKey, verifyNote, type VerifierKey } from '../../fairness/note.js';
import { parseLogProof } from '../../fairness/tlog-texts.js';

/** Reads what the server has signed, and the keys that are trusted. All throw what is wrong with what was given. */

const NAMES_A_KEY = /^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/;

/** Each is a verifier key, or the name of a file with some, as /.well-known/halfmove.json has them. */
export const keysOf = (given: readonly string[], type: KeyType = 'note'): readonly VerifierKey[] =>
  given.flatMap((text) => (NAMES_A_KEY.test(text) ? [keyOf(text, type)] : keysIn(text, type)));

function keyOf(text: string, type: KeyType): VerifierKey {
  const read = parseVerifierKey(text, type);
  if (!read.ok) throw new Error(read.why);
  return read.value;
}

/** All texts of the file that look like verifier keys, whether it is JSON or has one a line. */
function keysIn(path: string, type: KeyType): readonly VerifierKey[] {
  const texts = readFileSync(path, 'utf8').split(/[\s"]+/);
  const keys = texts.filter((text) => NAMES_A_KEY.test(text)).map((text) => keyOf(text, type));
  if (keys.length === 0) throw new Error(`there is no verifier key in ${path}`);
  return keys;
}

/** A note ends with one newline: shells like to add another. */
const noteIn = (path: string): string => readFileSync(path, 'utf8').replace(/\n+$/, '\n');

export async function receiptOf(path: string, keys: readonly VerifierKey[]): Promise<Signed> {
  const written = noteIn(path);
  return { written, verdict: await verifyNote(written, keys) };
}

/** The verdicts are on its checkpoint. */
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
