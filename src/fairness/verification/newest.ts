import { open, passed, type Finding } from '../finding.js';
import type { Evidence } from './evidence.js';
import { isEndInLog } from './log.js';
import { versionsShown, type Shown } from './shown.js';

/** Checks that the newest rows are those that a player saw. See docs/fairness.md, "What a verifier checks". */

const NOTHING_GIVEN =
  'you have given nothing that you were shown while you played, so this shows only that the record is consistent, ' +
  'and a made-up record can be. Give a receipt, or the hash that you saw last';

/** Only a receipt, hash or proof of the end shows how the game ended. */
export function checkNewest(evidence: Evidence, shown: Shown): readonly Finding[] {
  const last = evidence.record.rows.at(-1)!;
  const { commitment, dealRoot, hash, receipts = [] } = shown;
  const isHashShown = hash !== undefined || receipts.length > 0;
  if (last.type === 'end') {
    const by = evidenceOfEnd(evidence, shown);
    if (by.length > 0) return [passed('shown', toldOf(by, evidence, shown))];
    if (isHashShown)
      return [open('shown', `the end: give the receipt of version ${last.seq}, the newest hash, or the proof of the end`)]; // prettier-ignore
  }
  if (isHashShown) return [];
  const isNothing = commitment === undefined && dealRoot === undefined;
  return [open('shown', isNothing ? NOTHING_GIVEN : 'the newest hash: give the one that you saw last, or a receipt')]; // prettier-ignore
}

function evidenceOfEnd(evidence: Evidence, shown: Shown): readonly string[] {
  const last = evidence.record.rows.at(-1)!;
  return [
    ...(shown.hash === last.hash ? ['the newest hash'] : []),
    ...(versionsShown(evidence, shown).includes(last.seq) ? [`the receipt of version ${last.seq}`] : []),
    ...(isEndInLog(evidence, shown) ? ['the proof of the end'] : []),
  ];
}

/** Evidence of the end has no date: the server may have made it together with the record. */
function toldOf(by: readonly string[], evidence: Evidence, shown: Shown): string {
  const { rows } = evidence.record;
  const alone = rows.length - coveredBefore(evidence, shown);
  return (
    `the end: shown by ${by.join(' and ')}. This may be from the same moment as the record, and shows how the game ` +
    `ended only if you have had it since then: ${alone === rows.length ? 'all' : `the last ${alone}`} rows rest on it`
  );
}

/** The number of rows that a hash or a receipt from before the end covers. */
function coveredBefore(evidence: Evidence, shown: Shown): number {
  const { rows } = evidence.record;
  const last = rows.at(-1)!;
  const versions = versionsShown(evidence, shown).filter((version) => version < last.seq);
  return Math.max(
    ...versions.map((version) => rows.filter(({ seq }) => seq <= version).length),
    shown.hash === last.hash ? 0 : rows.findIndex(({ hash }) => hash === shown.hash) + 1,
  );
}
