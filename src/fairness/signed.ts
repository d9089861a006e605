import { failed, open, type Finding } from './finding.js';
import { parseNote, type Verdict, type VerifierKey } from './note.js';
import type { Reading } from './reading.js';
import { parseReceipt, type Receipt } from './receipt.js';

/** Signed texts of the server that are checked with a record. */

/** A signed text and the verdict of `verifyNote` with the trusted keys. */
export interface Signed {
  readonly written: string;
  readonly verdict: Verdict;
  /** Only for proofs and checkpoints: the verdicts on the cosignatures of required witnesses. */
  readonly witnessed?: readonly Witnessed[];
}

export interface Witnessed {
  /** The name of its key. */
  readonly by: string;
  readonly verdict: Verdict;
}

const isOfLog = ({ name }: VerifierKey): boolean => name.endsWith('/log');

/** Which keys may sign receipts and the log, by their names. See docs/fairness.md, "Keys". */
const maySign = {
  receipt: (key: VerifierKey) => !isOfLog(key),
  /** A checkpoint begins with the name of its log. */
  log: (key: VerifierKey, text: string) => isOfLog(key) && text.startsWith(`${key.name}\n`),
};

/** The finding about the signatures of a receipt or a checkpoint; null if they are right. */
export function signatureFinding(check: 'receipt' | 'log', verdict: Verdict): Finding | null {
  switch (verdict.outcome) {
    case 'valid':
      return verdict.by.some((key) => maySign[check](key, verdict.note.text))
        ? null
        : failed(check, `it is signed by ${verdict.by[0]!.name}, a key that must not sign this`);
    case 'wrong':
      return failed(check, `the signature of ${verdict.by.name} is wrong`);
    case 'malformed':
      return failed(check, verdict.why);
    case 'unknown':
      return open(check, 'it is not signed by a key that you trust: give --key');
  }
}

/** The receipt in a signed text, whoever signed it. */
export function receiptIn({ written }: Signed): Reading<Receipt> {
  const note = parseNote(written);
  return note.ok ? parseReceipt(note.value.text) : note;
}

/** Compares a receipt with a record, unless its signature is wrong. */
export function checkReceipt(signed: Signed, compare: (receipt: Receipt) => Finding): readonly Finding[] {
  const signature = signatureFinding('receipt', signed.verdict);
  if (signature?.ok === false) return [signature];
  const receipt = receiptIn(signed);
  if (!receipt.ok) return [failed('receipt', receipt.why)];
  return [...(signature === null ? [] : [signature]), compare(receipt.value)];
}
