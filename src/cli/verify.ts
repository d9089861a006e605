import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Finding } from '../fairness/finding.js';
import { verifyReceipts } from '../fairness/verification/receipts-only.js';
import type { Shown } from '../fairness/verification/shown.js';
import type { Signed } from '../fairness/signed.js';
import { parseStrict } from '../fairness/strict-json.js';
import { holds, isComplete, verify } from '../fairness/verify.js';
import { isStarted } from './program.js';
import { equivocation } from './verify/equivocation.js';
import { line, quoted, reason } from './verify/print.js';
import { keysOf, proofOf, receiptOf } from './verify/signed.js';

/**
 * Verifies an exported game record without the server: `verify FILE`, or `verify -` for standard input, optionally against
 * what a player was shown. Also verifies receipts without a record, and whether receipts contradict each other.
 */

const USAGE = `usage: verify [--commitment HEX] [--deal-root HEX] [--hash HEX] [--receipt FILE]... [--proof FILE]...
              [--key KEY]... [--witness KEY]... [--player PLAYER] FILE
       verify --receipt FILE... [--proof FILE]... [--key KEY]... [--witness KEY]...
       verify --equivocation [--key KEY]... A B
FILE is the exported record of a game, - for standard input. The values, receipts and proofs (.tlog-proof) are those you
were shown while you played. KEY is a verifier key, or a file with keys such as the server's /.well-known/halfmove.json.
With --witness, the checkpoint of each proof must also be cosigned by that key.
With --commitment, you state that you had it before you gave your seed; a receipt from before then states it by itself.
PLAYER is creator, accepter, first, second or a user id: only for this player the commitment is checked to be earlier.
Without a record, the receipts of a challenge are verified alone or, with a proof, that its opening is in the log.
Exit code: 0 if all checks pass, 1 if one fails, 2 for wrong usage, or if a file or a key cannot be read, 3 if a check is
left open.
With --equivocation, the receipts in A and B are compared: each is a receipt, a folder of receipts, or a store of receipts
as clients keep it. Exit code: 1 if two of them prove that the server contradicted itself, 0 if none do, 2 if A, B or a key
cannot be read, 3 if nothing is proven but a receipt was left out.`;

const RECORD = 'the record of a game, as returned by GET /v1/games/ID/record';

/** The arguments of the program. */
interface Called {
  readonly files: readonly string[];
  readonly values: Pick<Shown, 'commitment' | 'dealRoot' | 'hash' | 'player'>;
  readonly receipts: readonly string[];
  readonly proofs: readonly string[];
  readonly keys: readonly string[];
  readonly witnesses: readonly string[];
  readonly equivocation: boolean;
}

/** The contents of what is named in the arguments. */
interface Given {
  readonly shown: Shown & { readonly receipts: readonly Signed[]; readonly proofs: readonly Signed[] };
  /** Null without a record. */
  readonly text: string | null;
}

/** Throws if a file or a key cannot be read. */
async function givenIn({ files, values, receipts, proofs, ...given }: Called): Promise<Given> {
  const keys = keysOf(given.keys);
  const witnesses = keysOf(given.witnesses, 'witness');
  return {
    shown: {
      ...values,
      receipts: await Promise.all(receipts.map((path) => receiptOf(path, keys))),
      proofs: await Promise.all(proofs.map((path) => proofOf(path, keys, witnesses))),
    },
    text: files.length === 0 ? null : readFileSync(files[0] === '-' ? 0 : files[0]!, 'utf8'),
  };
}

function findingsOf({ shown, text }: Given): readonly Finding[] {
  if (text === null) return verifyReceipts(shown.receipts, shown.proofs);
  if (text.trim() === '') return [unreadable(`the file is empty; it must contain ${RECORD}`)];
  const read = parseStrict(text);
  return read.ok
    ? verify(read.value, shown)
    : [unreadable(`the file is not JSON; it must contain ${RECORD} (${read.refusal.message})`)];
}

const unreadable = (detail: string): Finding => ({ check: 'record', ok: false, detail });

const VALUES = {
  commitment: { type: 'string' },
  'deal-root': { type: 'string' },
  hash: { type: 'string' },
  player: { type: 'string' },
  receipt: { type: 'string', multiple: true, default: [] as string[] },
  proof: { type: 'string', multiple: true, default: [] as string[] },
  key: { type: 'string', multiple: true, default: [] as string[] },
  witness: { type: 'string', multiple: true, default: [] as string[] },
  equivocation: { type: 'boolean', default: false },
} as const;

const HASH = /^[0-9a-f]{64}$/;

/** Null for wrong usage. */
function parsedArguments(args: readonly string[]): Called | null {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: VALUES, allowPositionals: true });
    const { receipt, proof, key, witness, equivocation, ...rest } = values;
    const { commitment, hash, player, 'deal-root': dealRoot } = rest;
    const areHex = [commitment, dealRoot, hash].every((value) => value === undefined || HASH.test(value));
    const shown = Object.fromEntries(
      Object.entries({ commitment, dealRoot, hash, player }).filter(([, value]) => value !== undefined),
    );
    const given = {
      ...{ files: positionals, values: shown, receipts: receipt, proofs: proof },
      ...{ keys: key, witnesses: witness, equivocation },
    };
    return areHex && isWhole(given) ? given : null;
  } catch {
    return null;
  }
}

/** True if the arguments go together: values need a record, and witnesses need proofs. */
function isWhole({ files, values, receipts, proofs, witnesses, equivocation }: Called): boolean {
  if (witnesses.length > 0 && proofs.length === 0) return false;
  if (equivocation) return files.length === 2;
  const isAlone = receipts.length > 0 && Object.keys(values).length === 0;
  return files.length === 1 || (files.length === 0 && isAlone);
}

/** Prints the findings and returns the exit code, as explained in USAGE. */
export async function run(args: readonly string[], print: (text: string) => void): Promise<number> {
  const called = parsedArguments(args);
  if (called === null) {
    print(USAGE);
    return 2;
  }
  if (called.equivocation) return equivocation(called.files, called.keys, print);
  const given = await givenIn(called).catch(reason);
  if (typeof given === 'string') {
    print(`not verified: ${quoted(given)}`);
    return 2;
  }
  const findings = findingsOf(given);
  for (const finding of findings) print(line(finding));
  if (!holds(findings)) return 1;
  return isComplete(findings) ? 0 : 3;
}

if (isStarted(import.meta.url))
  process.exitCode = await run(process.argv.slice(2), (text) => console.log(text));
