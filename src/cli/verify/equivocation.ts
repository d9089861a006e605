import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { verifyNote, type VerifierKey } from '../../fairness/note.js';
import { contradiction, type Receipt } from '../../fairness/receipt.js';
import { receiptIn, signatureFinding } from '../../fairness/signed.js';
import { parseStrict } from '../../fairness/strict-json.js';
import { quoted, reason } from './print.js';
import { keysOf, noteOf } from './signed.js';

/** A receipt, and where it was found. */
interface Held {
  readonly where: string;
  readonly written: string;
}

/** A receipt by a trusted key, or why it is none. */
type Read = { readonly receipt: Receipt } | { readonly leftOut: string };

/**
 * Prints whether any two receipts of these files prove that the server contradicted itself. Returns 1 if so, 0 if not, 2 if
 * a file cannot be read, 3 if nothing is proven but a receipt was left out.
 */
export async function equivocation(
  paths: readonly string[],
  given: readonly string[],
  print: (text: string) => void,
): Promise<number> {
  const receipts = await readAll(paths, given).catch(reason);
  if (typeof receipts === 'string') {
    print(`not compared: ${quoted(receipts)}`);
    return 2;
  }
  const leftOut = receipts.flatMap((each) => ('leftOut' in each ? [each.leftOut] : []));
  for (const each of leftOut) print(`left out ${quoted(each)}`);
  const sound = receipts.flatMap((each) => ('receipt' in each ? [each.receipt] : []));
  const versions = versionsOf(sound);
  const proven = versions.flatMap(contradictionIn);
  for (const each of proven) print(`PROVEN  ${quoted(each)}`);
  if (proven.length > 0) return 1;
  const twice = versions.filter(({ length }) => length > 1).length;
  print(`not proven: ${sound.length} receipts, more than one of them of ${twice} versions, and none contradicts another`); // prettier-ignore
  return leftOut.length > 0 ? 3 : 0;
}

/** Throws if a file or a key cannot be read. */
async function readAll(paths: readonly string[], given: readonly string[]): Promise<readonly Read[]> {
  const keys = keysOf(given);
  return Promise.all(paths.flatMap(heldIn).map((held) => readBy(held, keys)));
}

/** The receipts in a folder of their files, in a store as clients keep it, or in the file of one. */
function heldIn(path: string): readonly Held[] {
  if (statSync(path).isDirectory()) {
    const files = readdirSync(path, { withFileTypes: true }).filter((each) => each.isFile());
    return files.map(({ name }) => held(join(path, name), readFileSync(join(path, name), 'utf8')));
  }
  const text = readFileSync(path, 'utf8');
  return text.startsWith('halfmove receipt ') ? [held(path, text)] : inStore(path, text);
}

const held = (where: string, text: string): Held => ({ where, written: noteOf(text) });

/** `{"format": 1, "games": {ID: {"receipts": [TEXT, ...]}}}`; there may be more in it. */
function inStore(path: string, text: string): readonly Held[] {
  const read = parseStrict(text);
  const games = read.ok ? gamesIn(read.value) : null;
  if (games === null)
    throw new Error(`${path} is no receipt, no folder of receipts, and no store of receipts of format 1`);
  return games.flatMap(([id, receipts]) => receipts.map((receipt) => held(`${path}, game ${id}`, receipt)));
}

function gamesIn(store: unknown): readonly (readonly [string, readonly string[]])[] | null {
  if (fieldOf(store, 'format') !== 1) return null;
  const games = fieldOf(store, 'games');
  if (typeof games !== 'object' || games === null) return null;
  const found = Object.entries(games).map(([id, game]) => [id, fieldOf(game, 'receipts')] as const);
  return found.every(isListed) ? found : null;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const isListed = (game: readonly [string, unknown]): game is readonly [string, readonly string[]] =>
  Array.isArray(game[1]) && game[1].every((each) => typeof each === 'string');

/** Only receipts signed by a trusted key prove anything. */
async function readBy({ where, written }: Held, keys: readonly VerifierKey[]): Promise<Read> {
  const verdict = await verifyNote(written, keys);
  const fault = signatureFinding('receipt', verdict);
  if (fault !== null) return { leftOut: `${where}: ${fault.detail}` };
  const receipt = receiptIn({ written, verdict });
  return receipt.ok ? { receipt: receipt.value } : { leftOut: `${where}: ${receipt.why}` };
}

/** The receipts of each version of each game. */
function versionsOf(receipts: readonly Receipt[]): readonly (readonly [Receipt, ...Receipt[]])[] {
  const versions = new Map<string, [Receipt, ...Receipt[]]>();
  for (const receipt of receipts) {
    const name = `${receipt.game} ${receipt.version}`;
    const others = versions.get(name);
    if (others === undefined) versions.set(name, [receipt]);
    else others.push(receipt);
  }
  return [...versions.values()];
}

/** How one of several receipts of a version differs from the first. */
function contradictionIn([first, ...others]: readonly [Receipt, ...Receipt[]]): readonly string[] {
  for (const other of others) {
    const found = contradiction(first, other);
    if (found.proven)
      return [`the server signed two contradictory receipts of game ${first.game} at version ${first.version}: they differ in ${found.lines.join(', ')}`]; // prettier-ignore
  }
  return [];
}
