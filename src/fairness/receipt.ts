import { PLAYERS, REASONS, type Outcome } from '../rules/ruleset.js';
import { read, type Reading, unreadable } from './reading.js';

/** What the server signs of a game at one version. See docs/fairness.md, "Receipts". */
export interface Receipt {
  /** The id of the game, which is that of its challenge. */
  readonly game: string;
  readonly version: number;
  readonly commitment: string;
  /** The hash of the client seed, announced or given. */
  readonly creatorSeed: string | null;
  readonly accepterSeed: string | null;
  readonly dealRoot: string | null;
  /** The newest hash of the chain at this version. */
  readonly hash: string;
  readonly outcome: Outcome | null;
}

const TITLE = 'halfmove receipt v1';
const HASH = /^[0-9a-f]{64}$/;
const HASH_OR_NONE = /^(?:[0-9a-f]{64}|none)$/;

/** The lines after the title: name, space, and a value of this form. */
const LINES = [
  ['game', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ['version', /^(?:0|[1-9]\d{0,14})$/],
  ['commitment', HASH],
  ['creator-seed', HASH_OR_NONE],
  ['accepter-seed', HASH_OR_NONE],
  ['deal-root', HASH_OR_NONE],
  ['hash', HASH],
  ['outcome', new RegExp(`^(?:none|(?:${REASONS.join('|')}) (?:${PLAYERS.join('|')}|nobody))$`)],
] as const;
type Line = (typeof LINES)[number][0];

/** The values in the order of the lines. */
const valuesOf = (receipt: Receipt): readonly string[] => [
  receipt.game,
  String(receipt.version),
  receipt.commitment,
  receipt.creatorSeed ?? 'none',
  receipt.accepterSeed ?? 'none',
  receipt.dealRoot ?? 'none',
  receipt.hash,
  receipt.outcome === null ? 'none' : `${receipt.outcome.reason} ${receipt.outcome.winner ?? 'nobody'}`,
];

/** The text that is signed. */
export function receiptText(receipt: Receipt): string {
  const values = valuesOf(receipt);
  return [TITLE, ...LINES.map(([name], at) => `${name} ${values[at]}`), ''].join('\n');
}

/** Parses the text of a receipt without signatures; what is accepted prints back to the same text. */
export function parseReceipt(text: string): Reading<Receipt> {
  const [title, ...lines] = text.split('\n');
  if (title !== TITLE) return unreadable(`The first line of a receipt must be ${TITLE}.`);
  if (lines.length !== LINES.length + 1 || lines.at(-1) !== '') {
    return unreadable(`A receipt must have ${LINES.length + 1} lines, each with a newline at its end.`);
  }
  const broken = LINES.findIndex(([name, form], at) => !isLine(lines[at]!, name, form));
  if (broken >= 0)
    return unreadable(`Line ${broken + 2} of this receipt must be a valid line of ${LINES[broken]![0]}.`);
  return read(receiptOf(LINES.map(([name], at) => lines[at]!.slice(name.length + 1))));
}

const isLine = (line: string, name: Line, form: RegExp): boolean =>
  line.startsWith(`${name} `) && form.test(line.slice(name.length + 1));

function receiptOf(values: readonly string[]): Receipt {
  const [game = '', version = '', commitment = '', creator = '', accepter = '', root = '', hash = ''] =
    values;
  return {
    game,
    version: Number(version),
    commitment,
    creatorSeed: orNull(creator),
    accepterSeed: orNull(accepter),
    dealRoot: orNull(root),
    hash,
    outcome: outcomeOf(values.at(-1) ?? ''),
  };
}

const orNull = (value: string): string | null => (value === 'none' ? null : value);

function outcomeOf(value: string): Outcome | null {
  if (value === 'none') return null;
  const [reason, winner] = value.split(' ');
  return {
    reason: REASONS.find((each) => each === reason)!,
    winner: PLAYERS.find((each) => each === winner) ?? null,
  };
}

/** Whether two receipts prove that their signer contradicted itself. */
export type Contradiction =
  | { readonly proven: true; readonly lines: readonly Line[] }
  | { readonly proven: false; readonly why: string };

/** Compares two receipts. Check their signatures first. */
export function contradiction(a: Receipt, b: Receipt): Contradiction {
  if (a.game !== b.game) return { proven: false, why: 'The receipts are of different games.' };
  if (a.version !== b.version) {
    return { proven: false, why: `The receipts are of different versions: ${a.version} and ${b.version}.` };
  }
  const [here, there] = [valuesOf(a), valuesOf(b)];
  const lines = LINES.filter((_, at) => here[at] !== there[at]).map(([name]) => name);
  return lines.length > 0 ? { proven: true, lines } : { proven: false, why: 'The receipts say the same.' };
}
