import { failed, open, passed, type Finding } from '../finding.js';
import { parseNote } from '../note.js';
import { signatureFinding, type Signed } from '../signed.js';
import { sameHash } from '../tlog.js';
import { checkpointIn, parseLogProof, type Checkpoint } from '../tlog-formats.js';
import type { Shown } from './shown.js';

/** Checkpoints given apart from proofs, as witnesses publish them. See docs/fairness.md, "Witnesses". */

type Findings = readonly Finding[];

export function checkCheckpoints({ proofs = [], checkpoints = [] }: Shown): Findings {
  const proven = proofs.map(checkpointOf).flatMap((note) => headIn(note) ?? []);
  return checkpoints.flatMap((each) => findingsOf(each, proven));
}

function findingsOf({ written, verdict, witnessed = [] }: Signed, proven: readonly Checkpoint[]): Findings {
  const signature = signatureFinding('log', verdict);
  if (signature?.ok === false) return [signature];
  const head = checkpointIn(written);
  if (!head.ok) return [failed('log', head.why)];
  const what = `the checkpoint of ${head.value.size} entries`;
  const told = witnessed.flatMap(({ by, verdict: { outcome } }) => {
    if (outcome === 'unknown') return [];
    return outcome === 'valid'
      ? passed('log', `${what} is cosigned by ${by}`)
      : failed('log', `${what}: the cosignature of ${by} is wrong`);
  });
  const by = witnessed.length === 0 ? 'give the keys of its witnesses' : 'no witness that you named has cosigned it'; // prettier-ignore
  return [
    ...(signature === null ? [] : [signature]),
    ...(told.length > 0 ? told : [open('log', `${what}: ${by}`)]),
    ...comparison(head.value, what, proven),
  ];
}

/** Of one size a log has one root. */
function comparison(
  { origin, size, root }: Checkpoint,
  what: string,
  proven: readonly Checkpoint[],
): Findings {
  const same = proven.filter((each) => each.origin === origin && each.size === size);
  if (same.some((each) => !sameHash(each.root, root)))
    return [failed('log', `${what} has another root than that of a proof: the log was forked`)];
  return same.length > 0 ? [] : [open('log', `${what} is not that of a proof: take the proof to the witness`)]; // prettier-ignore
}

/** The proof with the cosignatures that its checkpoint has where it was given apart. */
export function withCosignatures(proof: Signed, checkpoints: readonly Signed[]): Signed {
  const text = textIn(checkpointOf(proof));
  const apart = checkpoints
    .filter(({ written }) => text !== null && textIn(written) === text)
    .flatMap(({ witnessed = [] }) => witnessed);
  const witnessed = (proof.witnessed ?? []).map((own) =>
    own.verdict.outcome === 'unknown'
      ? (apart.find(({ by, verdict }) => by === own.by && verdict.outcome !== 'unknown') ?? own)
      : own,
  );
  return { ...proof, witnessed };
}

/** Empty if it is not a proof. */
function checkpointOf({ written }: Signed): string {
  const proof = parseLogProof(written);
  return proof.ok ? proof.value.checkpoint : '';
}

function headIn(note: string): Checkpoint | null {
  const head = checkpointIn(note);
  return head.ok ? head.value : null;
}

function textIn(written: string): string | null {
  const note = parseNote(written);
  return note.ok ? note.value.text : null;
}
