import type { Outcome } from '../../rules/ruleset.js';
import { failed, passed, type Finding } from '../finding.js';
import { contradiction, type Receipt } from '../receipt.js';
import { checkReceipt, receiptIn, type Signed } from '../signed.js';
import type { Evidence } from './evidence.js';
import type { Row } from '../record.js';
import { boundHash } from './seeds.js';

/** Checks that the record is of the game that a player saw. See docs/fairness.md, "Receipts", "The log". */

/** What a player was shown during the game; hashes in lower-case hex. */
export interface Shown {
  /** The player's word is taken that they had it before giving their seed. */
  readonly commitment?: string;
  readonly dealRoot?: string;
  /** The newest row hash that the player saw. */
  readonly hash?: string;
  readonly receipts?: readonly Signed[];
  /** `.tlog-proof` texts with the verdicts on their checkpoints. */
  readonly proofs?: readonly Signed[];
  /** Checkpoints of the log apart from proofs, with the verdicts on their cosignatures. */
  readonly checkpoints?: readonly Signed[];
  /** The player it was shown to: `creator`, `accepter`, `first`, `second` or a user id; both if left out. */
  readonly player?: string;
}

type Findings = readonly Finding[];

export function checkShown(evidence: Evidence, shown: Shown): Findings {
  const { rows } = evidence.record;
  const root = evidence.beginning.start?.data.dealRoot ?? null;
  return [
    ...compared('the commitment', shown.commitment, [evidence.beginning.create.data.commitment]),
    ...compared('the deal root', shown.dealRoot, root === null ? [] : [root]),
    ...compared(
      'the hash',
      shown.hash,
      rows.map(({ hash }) => hash),
      (at) => coverage(rows, at),
    ),
    ...(shown.receipts ?? []).flatMap((receipt) => receiptFindings(evidence, receipt)),
  ];
}

/** Compares a receipt with the record. */
export const receiptFindings = (evidence: Evidence, receipt: Signed): Findings =>
  checkReceipt(receipt, (said) => compareReceipt(evidence, said));

/** The versions of receipts that match the record and are signed by a trusted key. */
export const versionsShown = (evidence: Evidence, { receipts = [] }: Shown): readonly number[] =>
  receipts.flatMap((signed) => {
    const receipt = receiptIn(signed);
    const holds = receiptFindings(evidence, signed).every(({ ok }) => ok === true);
    return holds && receipt.ok && receipt.value.game === evidence.record.id ? [receipt.value.version] : [];
  });

/** How much of the record a hash covers. */
function coverage(rows: readonly Row[], at: number): string {
  const behind = rows.length - 1 - at;
  return behind === 0
    ? 'the whole record is what you were shown'
    : `${at + 1} rows are what you were shown; ${behind} came later`;
}

function compared(
  what: string,
  shown: string | undefined,
  recorded: readonly string[],
  told: (at: number) => string = () => 'it matches the record',
): Findings {
  if (shown === undefined) return [];
  const at = recorded.indexOf(shown);
  return [
    at >= 0
      ? passed('shown', `${what}: ${told(at)}`)
      : failed('shown', `${what} that you were shown is not in the record, so this is another game`),
  ];
}

function compareReceipt(evidence: Evidence, receipt: Receipt): Finding {
  const { rows, id } = evidence.record;
  // A player who came by their own seek has its receipt as well.
  if (receipt.game !== id && receipt.game === evidence.beginning.accept.data.seek)
    return compareSeek(evidence, receipt);
  if (receipt.version > rows.at(-1)!.seq)
    return failed('receipt', `it is of version ${receipt.version}, the record ends with ${rows.at(-1)!.seq}`);
  if (receipt.version < rows[0]!.seq)
    return failed('receipt', `it is of version ${receipt.version}, the record begins with ${rows[0]!.seq}`);
  const due = receiptAt(evidence, receipt.version);
  if (receipt.game !== id) return failed('receipt', `it is of another game, ${receipt.game}`);
  const differs = contradiction(receipt, due);
  const at = rows.findLastIndex(({ seq }) => seq <= receipt.version);
  return differs.proven
    ? failed(
        'receipt',
        `version ${receipt.version}: it differs from the record in ${differs.lines.join(', ')}`,
      )
    : passed('receipt', `version ${receipt.version}: ${coverage(rows, at)}`);
}

/** The seed bound by the seek must be the one brought to the game. */
function compareSeek({ beginning: { accept } }: Evidence, { game, creatorSeed }: Receipt): Finding {
  return creatorSeed === null || creatorSeed === accept.data.clientSeedHash
    ? passed('receipt', `of the seek ${game}, which was joined to this game`)
    : failed('receipt', `of the seek ${game}: it was joined to this game with another seed than it shows`);
}

/** The receipt that follows from the rows up to a version. */
export function receiptAt({ record, beginning }: Evidence, version: number): Receipt {
  const rows = record.rows.filter(({ seq }) => seq <= version);
  const end = rows.find(({ type }) => type === 'end');
  const { create, seeds, accept, start } = beginning;
  const seen = {
    ...beginning,
    seeds: seeds.filter(({ seq }) => seq <= version),
    accept: accept.seq <= version ? accept : { ...accept, data: { ...accept.data, clientSeedHash: null } },
  };
  return {
    game: record.id,
    version,
    commitment: create.data.commitment,
    creatorSeed: boundHash(seen, 'creator'),
    accepterSeed: boundHash(seen, 'accepter'),
    dealRoot: start !== null && start.seq <= version ? start.data.dealRoot : null,
    hash: rows.at(-1)!.hash,
    outcome: end === undefined ? null : (end.data as unknown as Outcome),
  };
}
