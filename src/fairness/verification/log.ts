import type { Outcome } from '../../rules/ruleset.js';
import { failed, open, passed, type Finding } from '../finding.js';
import { printEntry, type Aborter, type EndEntry } from '../log-entry.js';
import { checkpointIn, parseLogProof, provenBy } from '../tlog-formats.js';
import { isPlayer } from './beginning.js';
import { checkCheckpoints, withCosignatures } from './checkpoints.js';
import type { Evidence } from './evidence.js';
import type { Row } from '../record.js';
import { receiptIn, signatureFinding, type Signed, type Witnessed } from '../signed.js';
import type { Shown } from './shown.js';

/** Checks that the game's entries are in the log of all games. See docs/fairness.md, "The log". */

type Findings = readonly Finding[];

/** An entry that a proof may be about. */
interface Candidate {
  readonly what: 'the opening' | 'the end' | 'the opening of the seek';
  readonly text: string;
}

export function checkLog(evidence: Evidence, shown: Shown): Findings {
  const proven = provenIn(evidence, shown);
  return [
    ...proven.flatMap(({ findings }) => findings),
    ...orderOf(evidence, proven, shown.player),
    ...checkCheckpoints(shown),
  ];
}

/** True if valid proofs show that of two seeks that met the game's opening is the earlier entry. */
export function isEarlierInLog(evidence: Evidence, shown: Shown): boolean {
  const proven = provenIn(evidence, shown).filter(({ findings }) => findings.every(({ ok }) => ok));
  const order = orderOf(evidence, proven, undefined);
  return order.length > 0 && order.every(({ ok }) => ok);
}

/** True if a valid proof shows the end. */
export const isEndInLog = (evidence: Evidence, shown: Shown): boolean =>
  provenIn(evidence, shown).some(
    ({ what, findings }) => what === 'the end' && findings.every(({ ok }) => ok),
  );

const NOT_OF_RECORD = 'the proof is of an entry that does not follow from this record';

/** What each given proof shows. */
function provenIn(
  evidence: Evidence,
  { proofs = [], receipts = [], checkpoints = [] }: Shown,
): readonly Proven[] {
  const { beginning } = evidence;
  const candidates = candidatesOf(evidence, receipts);
  // Without the receipt of the joined seek its opening is not known, and anything could pass for it.
  const isSeekMissing = beginning.accept.data.seek !== null && candidates.every(({ what }) => what !== 'the opening of the seek'); // prettier-ignore
  const unknown = failed('log', isSeekMissing ? `${NOT_OF_RECORD}. If it is of the seek that was joined, give its --receipt of version 0, or leave it out` : NOT_OF_RECORD); // prettier-ignore
  return proofs.map((proof) => prove(withCosignatures(proof, checkpoints), candidates, unknown));
}

function candidatesOf({ record, beginning }: Evidence, receipts: readonly Signed[]): readonly Candidate[] {
  const { create, accept } = beginning;
  const opening = openText(record.id, create.data.commitment, create.hash);
  const end = endEntry(record.rows, record.id, record.serverSeed, beginning);
  const seek = accept.data.seek === null ? null : openingOfSeek(accept.data.seek, receipts);
  return [
    { what: 'the opening', text: opening },
    ...(end === null ? [] : [{ what: 'the end', text: printEntry(end) } as const]),
    ...(seek === null ? [] : [{ what: 'the opening of the seek', text: seek } as const]),
  ];
}

export const openText = (game: string, commitment: string, hash: string): string =>
  printEntry({ type: 'open', game, commitment, hash });

/** The opening entry of the joined seek, from its receipt of version 0. */
function openingOfSeek(seek: string, receipts: readonly Signed[]): string | null {
  for (const signed of receipts) {
    const receipt = receiptIn(signed);
    if (receipt.ok && receipt.value.game === seek && receipt.value.version === 0)
      return openText(seek, receipt.value.commitment, receipt.value.hash);
  }
  return null;
}

/** The end entry that follows from the record, or null. */
function endEntry(
  rows: readonly Row[],
  game: string,
  serverSeed: string | null,
  beginning: Evidence['beginning'],
): EndEntry | null {
  const last = rows.at(-1)!;
  if (last.type !== 'end') return null;
  const outcome = last.data as unknown as Outcome;
  const isAborted = outcome.reason === 'aborted';
  return {
    type: 'end',
    game,
    end: isAborted ? 'aborted' : 'finished',
    by: isAborted ? abortedBy(rows, beginning) : null,
    outcome,
    serverSeed,
    hash: last.hash,
  };
}

/** Who aborted the game; if no player did, the operator. */
function abortedBy(rows: readonly Row[], { accept, start }: Evidence['beginning']): Aborter {
  const { type, player, data } = rows.findLast((row) => row.type !== 'end')!;
  if (type === 'abort' || type === 'claimAbandoned')
    return player === (start ?? accept).data.creator ? 'creator' : 'accepter';
  const withheld = data['withheld'];
  if (!Array.isArray(withheld)) return 'operator';
  return withheld.length > 1 ? 'both' : (withheld[0] as Aborter);
}

/** What a proof shows, and the index of its entry. */
interface Proven {
  readonly findings: Findings;
  readonly what?: Candidate['what'];
  readonly origin?: string;
  readonly place?: number;
}

export function prove(
  { written, verdict, witnessed = [] }: Signed,
  candidates: readonly Candidate[],
  unknown: Finding,
): Proven {
  const signature = signatureFinding('log', verdict);
  if (signature?.ok === false) return { findings: [signature] };
  const proof = parseLogProof(written);
  if (!proof.ok) return { findings: [failed('log', proof.why)] };
  const head = checkpointIn(proof.value.checkpoint);
  if (!head.ok) return { findings: [failed('log', head.why)] };
  for (const { what, text } of candidates) {
    const shown = provenBy(proof.value, text);
    if (!shown.ok) continue;
    const { origin, size } = shown.value;
    const told = passed('log', `${what} is at index ${proof.value.index} of ${size} in ${origin}`);
    return {
      findings: [told, ...(signature === null ? [] : [signature]), ...witnessed.map(cosigned)],
      what,
      origin,
      place: proof.value.index,
    };
  }
  return { findings: [unknown] };
}

function cosigned({ by, verdict }: Witnessed): Finding {
  if (verdict.outcome === 'valid') return passed('log', `the checkpoint is cosigned by ${by}`);
  return verdict.outcome === 'unknown'
    ? open('log', `the checkpoint is not cosigned by ${by}: ask this witness for the proof`)
    : failed('log', `the cosignature of ${by} is wrong`);
}

/** Of two seeks that met, the earlier one must be the game's. */
function orderOf({ beginning }: Evidence, proven: readonly Proven[], player: string | undefined): Findings {
  const { accept, start } = beginning;
  if (accept.data.seek === null) return [];
  const entryOf = (what: Candidate['what']): Proven | undefined => proven.find((each) => each.what === what);
  const [own, other] = [entryOf('the opening'), entryOf('the opening of the seek')];
  if (own === undefined || other === undefined) {
    // The order protects the player who joined, and only they have the receipt of that seek.
    const isCreator = player !== undefined && start !== null && isPlayer('creator', player, start.data);
    if (isCreator) return [];
    return [
      open('log', 'two seeks met: give --proof of both openings, and --receipt of the one that was joined'),
    ];
  }
  if (own.origin !== other.origin) return [failed('log', 'the two openings are in different logs')];
  return [
    own.place! < other.place!
      ? passed('log', 'of the two seeks that met, the earlier one is the game')
      : failed('log', 'of the two seeks that met, the later one is the game'),
  ];
}
