import { contradiction } from '../../fairness/receipt.js';
import { receiptIn, signatureFinding, type Signed } from '../../fairness/signed.js';
import { quoted, reason } from './print.js';
import { keysOf, receiptOf } from './signed.js';

/** Prints whether two receipts prove that the server contradicted itself. Returns 0 if so, 1 if not, 2 if unreadable. */
export async function equivocation(
  paths: readonly string[],
  given: readonly string[],
  print: (text: string) => void,
): Promise<number> {
  const receipts = await readAll(paths, given).catch((error: unknown) => reason(error));
  if (typeof receipts === 'string') {
    print(`not compared: ${quoted(receipts)}`);
    return 2;
  }
  const [proven, text] = compared(receipts[0]!, receipts[1]!);
  print(`${proven ? 'PROVEN ' : 'not proven'} ${quoted(text)}`);
  return proven ? 0 : 1;
}

async function readAll(paths: readonly string[], given: readonly string[]): Promise<readonly Signed[]> {
  const keys = keysOf(given);
  return Promise.all(paths.map((path) => receiptOf(path, keys)));
}

function compared(a: Signed, b: Signed): readonly [boolean, string] {
  // Only receipts signed by a trusted key prove anything.
  const [fault, otherFault] = [a, b].map(({ verdict }) => signatureFinding('receipt', verdict));
  if (fault) return [false, `the first: ${fault.detail}`];
  if (otherFault) return [false, `the second: ${otherFault.detail}`];
  const [one, other] = [receiptIn(a), receiptIn(b)];
  if (!one.ok) return [false, `the first: ${one.why}`];
  if (!other.ok) return [false, `the second: ${other.why}`];
  const found = contradiction(one.value, other.value);
  if (!found.proven) return [false, found.why];
  const { game, version } = one.value;
  return [true, `the server signed two contradictory receipts of game ${game} at version ${version}: they differ in ${found.lines.join(', ')}`]; // prettier-ignore
}
