import { failed, open, type Finding } from './finding.js';
import { parseNote, type Verdict, type VerifierKey } from './note.js';
import type { Reading } from './reading.js';
import { parseReceipt, type Receipt } from './receipt.js';

/** What the server has signed, given to the verifier together with a record. */

/** A text that came with signatures, and what `verifyNote` makes of them with the keys that are trusted. */
export interface Signed {
  readonly written: string;
  readonly verdict: Verdict;
  /** Of a proof: the same for each witness that has to have cosigned its checkpoint. */
  readonly witnessed?: readonly Witnessed[];
}

export interface Witnessed {
  /** The name of its key. */
  readonly by: string;
  readonly verdict: Verdict;
}

const isOfLog = ({ name }: VerifierKey): boolean => name.endsWith('/log');

/** Which keys may sign what a check is about: their names tell. Source: docs/fairness.md, "Keys". */
const maySign = {
  receipt: (key: VerifierKey) => !isOfLog(key),
  /** A checkpoint begins with the name of its log. */
  log: (key: VerifierKey, text: string) => isOfLog(key) && text.startsWith(`${key.name}\n`),
};

/** What the signatures of a receipt, or of a checkpoint of the log, are worth; null: they are right. */
export function signatureFinding(check: 'receipt' | 'log', verdict: Verdict): Finding | null {
  switch (verdict.outcome) {
    case 'valid':
      return verdict.by.some((key) => maySign[check](key, verdict.note.text))
        ? null
        : failed(check, `it is signed by ${verdict.by[0]!.name}, which is the name of no key for this`);
    case 'wrong':
      return failed(check, `the signature of ${verdict.by.name} is wrong`);
    case 'malformed':
      return failed(check, verdict.why);
    case 'unknown':
      return open(check, 'who has signed it is not known: give --key');
  }
}

/** What a receipt says, whoever has signed it. */
export function receiptIn({ written }: Signed): Reading<Receipt> {
  const note = parseNote(written);
  return note.ok ? parseReceipt(note.value.text) : note;
}

/** A receipt, once its signature is not wrong, held against a record. */
export function checkReceipt(signed: Signed, compare: (receipt: Receipt) => Finding): readonly Finding[] {
  const signature = signatureFinding('receipt', signed.verdict);
  if (signature?.ok === false) return [signature];
  const receipt = receiptIn(signed);
  if (!receipt.ok) return [failed('receipt', receipt.why)];
  return [...(signature === null ? [] : [signature]), compare(receipt.value)];
}
