import { failed, open, passed, type Finding } from '../finding.js';
import { contradiction, type Receipt } from '../receipt.js';
import { checkReceipt, receiptIn, type Signed } from '../signed.js';
import { openText, prove } from './log.js';

/** Receipts of one challenge or game without its record. Source: docs/fairness.md, "Receipts without a record". */

type Findings = readonly Finding[];

/** Do the receipts agree, and does the opening that they tell of stand in the log? */
export function verifyReceipts(receipts: readonly Signed[], proofs: readonly Signed[]): Findings {
  const said = receipts.map(receiptIn).flatMap((each) => (each.ok ? [each.value] : []));
  return [
    ...receipts.flatMap((receipt) => checkReceipt(receipt, (each) => compare(each, said))),
    ...checkOpening(
      said.find(({ version }) => version === 0),
      proofs,
    ),
  ];
}

function compare(receipt: Receipt, said: readonly Receipt[]): Finding {
  const { version, game, commitment } = receipt;
  const other = said.find((each) => contradicts(each, receipt));
  return other === undefined
    ? passed('receipt', `version ${version} of ${game}, with the commitment ${commitment}`)
    : failed(
        'receipt',
        `version ${version} of ${game}: it contradicts version ${other.version} of ${other.game}`,
      );
}

/** The commitment is that of all versions. */
const contradicts = (a: Receipt, b: Receipt): boolean =>
  a.game !== b.game || a.commitment !== b.commitment || contradiction(a, b).proven;

const ASKED = 'GET /v1/games/ID/log-proof?entry=open';

function checkOpening(first: Receipt | undefined, proofs: readonly Signed[]): Findings {
  if (proofs.length === 0)
    return [open('log', `whether the opening is in the log: give --proof, as ${ASKED} answers it`)];
  if (first === undefined)
    return [open('log', 'only the receipt of version 0 tells what the log must have: give that')];
  const opening = { what: 'the opening', text: openText(first.game, first.commitment, first.hash) } as const;
  const other = open('log', `the proof is not of the opening that the receipt tells of: give that one, as ${ASKED} answers it`); // prettier-ignore
  return proofs.flatMap((proof) => prove(proof, [opening], other).findings);
}
