import { canonicalJson } from './json.js';
import { read, type Reading, unreadable } from './reading.js';
import { matching, object, oneOf, orNull, type Shape, text } from './shape.js';

/** The entries of the log of all games (docs/fairness.md, "The log"). */

/** A challenge, seek or rematch was opened. */
export interface OpenEntry {
  readonly type: 'open';
  /** The id, which becomes that of its game. */
  readonly game: string;
  readonly commitment: string;
  /** Of the `create` row. */
  readonly hash: string;
}

export const ENDS = [
  'finished',
  'aborted',
  'declined',
  'countered',
  'cancelled',
  'expired',
  'joined',
] as const;
export type End = (typeof ENDS)[number];

export const ABORTERS = ['creator', 'accepter', 'both', 'operator'] as const;
export type Aborter = (typeof ABORTERS)[number];

/** A challenge ended, with or without a game. */
export interface EndEntry {
  readonly type: 'end';
  readonly game: string;
  readonly end: End;
  /** Who aborted; else null. */
  readonly by: Aborter | null;
  /** Of a game; null where there was none. */
  readonly outcome: { readonly winner: 'first' | 'second' | null; readonly reason: string } | null;
  /** Null if the server has lost the secret that it was sealed with. */
  readonly serverSeed: string | null;
  /** The newest of the chain. */
  readonly hash: string;
}

export type LogEntry = OpenEntry | EndEntry;

/** Canonical JSON: the bytes that are hashed are those of this text in UTF-8. */
export const printEntry = (entry: LogEntry): string => canonicalJson(entry);

const id = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'an id in lower case');
const hash = matching(/^[0-9a-f]{64}$/, '64 lower-case hex digits');
const open = object<Omit<OpenEntry, 'type'>>({ game: id, commitment: hash, hash });
const end = object<Omit<EndEntry, 'type'>>({
  game: id,
  end: oneOf(ENDS),
  by: orNull(oneOf(ABORTERS)),
  outcome: orNull(object({ winner: orNull(oneOf(['first', 'second'])), reason: text })),
  serverSeed: orNull(hash),
  hash,
});
const FIELDS = {
  open: ['commitment', 'game', 'hash', 'type'],
  end: ['by', 'end', 'game', 'hash', 'outcome', 'serverSeed', 'type'],
} as const;

/** Parses an entry strictly: canonical JSON with exactly these fields, consistent with each other. */
export function parseEntry(written: string): Reading<LogEntry> {
  const value = parsed(written);
  const type = value?.['type'];
  if (value === null || (type !== 'open' && type !== 'end')) {
    return unreadable('An entry must be a JSON object with the type open or end.');
  }
  const shape: Shape = type === 'open' ? open : end;
  const [fault] = shape(value, 'entry');
  if (fault !== undefined) return unreadable(`${fault}.`);
  const hasOthers = Object.keys(value).sort().join() !== FIELDS[type].join();
  if (hasOthers || canonicalJson(value) !== written) {
    return unreadable('An entry must be canonical JSON (RFC 8785) with the fields of its type alone.');
  }
  const entry = value as unknown as LogEntry;
  return type === 'end' && !isWhole(entry as EndEntry)
    ? unreadable(
        'An entry must have an outcome if there was a game, and say who aborted it if it was aborted.',
      )
    : read(entry);
}

/** No game hash would cover further fields of an outcome. */
const isWhole = ({ end, by, outcome }: EndEntry): boolean =>
  (outcome === null || Object.keys(outcome).length === 2) &&
  (end === 'finished' || end === 'aborted') === (outcome !== null) &&
  (end === 'aborted') === (by !== null);

function parsed(written: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}
