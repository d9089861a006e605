import { sha256 } from './digest.js';

/**
 * The Merkle tree of an append-only log (RFC 6962), read from tiles (C2SP tlog-tiles). All functions are synchronous:
 * `tilesFor` says which tiles one will read, and the caller fetches them first. Sizes are safe integers.
 */

export const TILE_WIDTH = 256;
export const HASH_BYTES = 32;

type Hash = Uint8Array;

/** Concatenated hashes: at level 0 those of entries, above it the root of each full tile of the level below. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** How many hashes, 1 to 256. */
  readonly width: number;
}

/** `width` times 32 bytes. */
export type TileReader = (tile: Tile) => Uint8Array;

export const leafHash = (entry: Uint8Array | string): Hash => sha256(Uint8Array.of(0x00), entry);

export const nodeHash = (left: Hash, right: Hash): Hash => sha256(Uint8Array.of(0x01), left, right);

export const sameHash = (one: Hash, other: Hash): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/** The largest power of two below `size` (at least 2), which is the number of entries on the left. */
function split(size: number): number {
  let left = 1;
  while (2 * left < size) left *= 2;
  return left;
}

/** The root over these hashes of entries, in their order. */
export function rootOf(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0]!;
  const left = split(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}

/** The hashes of a tile. */
export const hashesIn = (bytes: Uint8Array): Hash[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

/** The root over the entries from `start` to before `end`, in a tree of this size. */
function rangeRoot(start: number, end: number, size: number, read: TileReader): Hash {
  const width = end - start;
  if (width === 0) return sha256();
  const left = width === 1 ? 1 : split(width);
  if (width === 1 || width === 2 * left) return perfectRoot(start, width, size, read);
  return nodeHash(rangeRoot(start, start + left, size, read), rangeRoot(start + left, end, size, read));
}

/** The root of an aligned power of two of entries, which lie in one tile. */
function perfectRoot(start: number, width: number, size: number, read: TileReader): Hash {
  let level = 0;
  let unit = 1;
  for (; unit * TILE_WIDTH <= width; unit *= TILE_WIDTH) level++;
  const first = start / unit;
  const tile = tileAt(level, Math.floor(first / TILE_WIDTH), Math.floor(size / unit));
  const at = first % TILE_WIDTH;
  return rootOf(hashesIn(read(tile)).slice(at, at + width / unit));
}

/** A tile of a level that has so many hashes. */
const tileAt = (level: number, index: number, hashes: number): Tile => ({
  level,
  index,
  width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH),
});

/** The root of the first `size` entries. */
export const rootAt = (size: number, read: TileReader): Hash => rangeRoot(0, size, size, read);

/** From the sibling of the leaf up: the proof that the entry at `index` stands in the first `size` ones. */
export function inclusionProof(index: number, size: number, read: TileReader): Hash[] {
  const path = (start: number, end: number): Hash[] => {
    if (end - start === 1) return [];
    const middle = start + split(end - start);
    return index < middle
      ? [...path(start, middle), rangeRoot(middle, end, size, read)]
      : [...path(middle, end), rangeRoot(start, middle, size, read)];
  };
  return path(0, size);
}

/** The proof that the tree of size `old` (0 to `size`) is a prefix of the tree of this size. */
export function consistencyProof(old: number, size: number, read: TileReader): Hash[] {
  const path = (start: number, end: number, isOldTree: boolean): Hash[] => {
    if (old === end) return isOldTree ? [] : [rangeRoot(start, end, size, read)];
    const middle = start + split(end - start);
    return old <= middle
      ? [...path(start, middle, isOldTree), rangeRoot(middle, end, size, read)]
      : [...path(middle, end, false), rangeRoot(start, middle, size, read)];
  };
  return old === 0 ? [] : path(0, size, true);
}

/** The distinct tiles that this work will read. */
export function tilesFor(work: (read: TileReader) => unknown): readonly Tile[] {
  const tiles = new Map<string, Tile>();
  work((tile) => {
    tiles.set(`${tile.level}/${tile.index}`, tile);
    return new Uint8Array(tile.width * HASH_BYTES);
  });
  return [...tiles.values()];
}

/** True if this proof leads from the hash of the entry at `index` to the root of `size` entries. */
export function isIncluded(
  index: number,
  size: number,
  leaf: Hash,
  proof: readonly Hash[],
  root: Hash,
): boolean {
  const up = (at: number, width: number, used: number): Hash | null => {
    if (width === 1) return used === proof.length ? leaf : null;
    // The proof is read from its end, which is the top of the tree.
    const sibling = proof[proof.length - 1 - used];
    if (sibling === undefined) return null;
    const left = split(width);
    const below = at < left ? up(at, left, used + 1) : up(at - left, width - left, used + 1);
    if (below === null) return null;
    return at < left ? nodeHash(below, sibling) : nodeHash(sibling, below);
  };
  const found = isPlace(index, size) ? up(index, size, 0) : null;
  return found !== null && sameHash(found, root);
}

const isPlace = (index: number, size: number): boolean =>
  Number.isSafeInteger(size) && Number.isSafeInteger(index) && 0 <= index && index < size;

/** The size and root of a tree. */
export interface TreeHead {
  readonly size: number;
  readonly root: Hash;
}

/** True if this proof shows that the newer tree begins with the older one. */
export function isConsistent(older: TreeHead, newer: TreeHead, proof: readonly Hash[]): boolean {
  if (older.size === 0) return proof.length === 0 && sameHash(older.root, sha256());
  if (!isPlace(older.size - 1, newer.size)) return false;
  const [was, is] = bothRoots(older, newer.size, proof) ?? [];
  return was !== undefined && sameHash(was, older.root) && sameHash(is!, newer.root);
}

/** The old and new root by the proof; null if it is too long or too short. */
function bothRoots(older: TreeHead, size: number, proof: readonly Hash[]): readonly [Hash, Hash] | null {
  const up = (old: number, width: number, isOldTree: boolean, used: number): readonly [Hash, Hash] | null => {
    const above = proof[proof.length - 1 - used];
    if (old === width) {
      const hash = isOldTree ? older.root : above;
      return hash === undefined || used + (isOldTree ? 0 : 1) !== proof.length ? null : [hash, hash];
    }
    const left = split(width);
    const below =
      old <= left ? up(old, left, isOldTree, used + 1) : up(old - left, width - left, false, used + 1);
    if (above === undefined || below === null) return null;
    const [was, is] = below;
    return old <= left ? [was, nodeHash(is, above)] : [nodeHash(above, was), nodeHash(above, is)];
  };
  return up(older.size, size, true, 0);
}

/** A hash that stands in a tile. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Hash;
}

/** The new hashes of tiles when entries with these hashes are appended to a tree of this size. */
export function grown(size: number, leaves: readonly Hash[], read: TileReader): TreeNode[] {
  const nodes: TreeNode[] = [];
  let [start, fresh] = [size, leaves];
  for (let level = 0; fresh.length > 0; level++) {
    for (const [at, hash] of fresh.entries()) nodes.push({ level, index: start + at, hash });
    const width = start % TILE_WIDTH;
    const index = (start - width) / TILE_WIDTH;
    const row = [...(width === 0 ? [] : hashesIn(read({ level, index, width }))), ...fresh];
    fresh = fullTiles(row).map(rootOf);
    start = index;
  }
  return nodes;
}

const fullTiles = (row: readonly Hash[]): Hash[][] =>
  Array.from({ length: Math.floor(row.length / TILE_WIDTH) }, (_, at) =>
    row.slice(at * TILE_WIDTH, (at + 1) * TILE_WIDTH),
  );
