import { base64Of, bytesOfBase64 } from './base64.js';
import { parseNote } from './note.js';
import { read, type Reading, unreadable } from './reading.js';
import { HASH_BYTES, isIncluded, leafHash, TILE_WIDTH, type TreeHead } from './tlog.js';

/**
 * The formats of a log: paths of tiles and bundles of entries (C2SP tlog-tiles), checkpoints (tlog-checkpoint) and
 * proofs (tlog-proof). What a parser accepts prints back to the same text.
 */

/** Which file of a log: a tile of this level, or a bundle of entries. */
export interface TilePath {
  readonly level: number | 'entries';
  readonly index: number;
  /** 1 to 256; less where the file is partial. */
  readonly width: number;
}

const PATH = /^(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** As `0/x001/x234/067.p/12`, the part of an address behind `tile/`. */
export function printTilePath({ level, index, width }: TilePath): string {
  const digits = String(index);
  const groups = digits.padStart(3 * Math.ceil(digits.length / 3), '0').match(/\d{3}/g)!;
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `${level}/${groups.map((group, at) => (at < groups.length - 1 ? `x${group}/` : group)).join('')}${partial}`;
}

/** Null for what `printTilePath` never prints. */
export function parseTilePath(text: string): TilePath | null {
  const [, level, groups, width] = PATH.exec(text) ?? [];
  if (level === undefined) return null;
  const path = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups!.replaceAll(/[x/]/g, '')),
    width: Number(width ?? TILE_WIDTH),
  } as const;
  return path.width <= TILE_WIDTH && printTilePath(path) === text ? path : null;
}

const LENGTH_BYTES = 2;

/** Entries of less than 65536 bytes each, as a bundle has them. */
export function printBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, entry) => sum + LENGTH_BYTES + entry.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const entry of entries) {
    view.setUint16(at, entry.length);
    bytes.set(entry, at + LENGTH_BYTES);
    at += LENGTH_BYTES + entry.length;
  }
  return bytes;
}

export function parseBundle(bytes: Uint8Array): Reading<readonly Uint8Array[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + LENGTH_BYTES;
    const end = start <= bytes.length ? start + view.getUint16(at) : Infinity;
    if (end > bytes.length) return unreadable('The bundle of entries is cut short.');
    entries.push(bytes.slice(start, end));
    at = end;
  }
  return read(entries);
}

/** A checkpoint of the log, which is signed as a note. */
export interface Checkpoint extends TreeHead {
  /** The name of the log. */
  readonly origin: string;
}

const NUMBER = '(0|[1-9]\\d{0,15})';
const CHECKPOINT = new RegExp(`^([^\\n]+)\\n${NUMBER}\\n([^\\n]+)\\n$`);

export const printCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${base64Of(root)}\n`;

/** The text of a checkpoint, without signatures. Extension lines are refused: this log has none. */
export function parseCheckpoint(text: string): Reading<Checkpoint> {
  const [, origin, digits, encoded] = CHECKPOINT.exec(text) ?? [];
  if (origin === undefined) return unreadable('A checkpoint must have three lines: origin, size and root.');
  const size = Number(digits);
  const root = hashOf(encoded!);
  if (!Number.isSafeInteger(size)) return unreadable('The size of a checkpoint must be below 2^53.');
  if (root === null) return unreadable('The root of a checkpoint must be 32 bytes in base 64.');
  return read({ origin, size, root });
}

function hashOf(encoded: string): Uint8Array | null {
  const bytes = bytesOfBase64(encoded);
  return bytes?.length === HASH_BYTES ? bytes : null;
}

/** A proof that an entry is in a log, which can be kept and checked without it. */
export interface LogProof {
  readonly index: number;
  /** From the sibling of the leaf up. */
  readonly path: readonly Uint8Array[];
  /** With its signatures. */
  readonly checkpoint: string;
}

const HEAD = 'c2sp.org/tlog-proof@v1';
/** More siblings than any tree has levels. */
const MOST_SIBLINGS = 64;
const INDEX = new RegExp(`^index ${NUMBER}$`);

export const printLogProof = ({ index, path, checkpoint }: LogProof): string =>
  `${[HEAD, `index ${index}`, ...path.map(base64Of)].join('\n')}\n\n${checkpoint}`;

/** Parses a `.tlog-proof` without checking it. Extra data are refused: ours have none. */
export function parseLogProof(text: string): Reading<LogProof> {
  const end = text.indexOf('\n\n');
  const [head, number, ...siblings] = text.slice(0, Math.max(end, 0)).split('\n');
  if (head !== HEAD) return unreadable(`A proof must begin with the line ${HEAD}.`);
  const index = Number(INDEX.exec(number ?? '')?.[1] ?? NaN);
  if (!Number.isSafeInteger(index)) return unreadable('The second line of a proof must be index NUMBER.');
  const path = siblings.slice(0, MOST_SIBLINGS + 1).map(hashOf);
  const hashes = path.filter((hash) => hash !== null);
  if (hashes.length < path.length || path.length > MOST_SIBLINGS) {
    return unreadable(`A proof must have at most ${MOST_SIBLINGS} hashes, each 32 bytes in base 64.`);
  }
  return read({ index, path: hashes, checkpoint: text.slice(end + 2) });
}

/** The checkpoint in a signed note. Check its signatures with `verifyNote`. */
export function checkpointIn(written: string): Reading<Checkpoint> {
  const note = parseNote(written);
  return note.ok ? parseCheckpoint(note.value.text) : note;
}

/** The checkpoint whose tree contains this entry by the proof, or why not. Check its signatures with `verifyNote`. */
export function provenBy(
  { index, path, checkpoint }: LogProof,
  entry: Uint8Array | string,
): Reading<Checkpoint> {
  const head = checkpointIn(checkpoint);
  if (!head.ok) return head;
  const { size, root } = head.value;
  return isIncluded(index, size, leafHash(entry), path, root)
    ? head
    : unreadable(`The proof does not lead from the entry to the root of the checkpoint.`);
}
