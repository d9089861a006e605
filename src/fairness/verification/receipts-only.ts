import { failed, open, passed, type Finding } from '../finding.js';
import { contradiction, type Receipt } from '../receipt.js';
import { checkReceipt, receiptIn, type Signed } from '../signed.js';
import { openText, prove } from './log.js';

/** Receipts of one challenge or game without its record. Source: docs/fairness.md, "Receipts without a record". */

type Findings = readonly Finding[];

/** Checks that the receipts agree, and that their opening is in the log. */
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

/** The commitment must be the same in all versions. */
const contradicts = (a: Receipt, b: Receipt): boolean =>
  a.game !== b.game || a.commitment !== b.commitment || contradiction(a, b).proven;

const ASKED = 'GET /v1/games/ID/log-proof?entry=open';

function checkOpening(first: Receipt | undefined, proofs: readonly Signed[]): Findings {
  if (proofs.length === 0)
    return [open('log', `give --proof (from ${ASKED}) to check that the opening is in the log`)];
  if (first === undefined)
    return [
      open('log', 'give the receipt of version 0 as well: only that one says what the log must contain'),
    ];
  const opening = { what: 'the opening', text: openText(first.game, first.commitment, first.hash) } as const;
  const other = open('log', `the proof is not of the opening in the receipt: give that one (from ${ASKED})`); // prettier-ignore
  return proofs.flatMap((proof) => prove(proof, [opening], other).findings);
}
