import { squareIndex, squareName, type BoardSize } from '../rules/board.js';
import { bytesOfHex, hexOf, hmac, isHex32, sha256 } from './digest.js';
import { canonicalJson } from './json.js';

/**
 * The Merkle tree of a deal, so that each turned-up piece is proved at once while the others stay secret. See
 * docs/fairness.md, "Turned-up pieces".
 */

/** A deal and what seals it; secret until the game ends. */
export interface SealedDeal {
  readonly gameId: string;
  /** 32 bytes. */
  readonly serverSeed: Uint8Array;
  readonly board: BoardSize;
  /** One letter a square, from a1 along the ranks. */
  readonly deal: string;
}

/** The proof that a piece on a square belongs to the root. All in lower-case hex of 32 bytes. */
export interface Proof {
  readonly salt: string;
  /** The siblings from the leaf up to the root. */
  readonly path: readonly string[];
}

type Level = readonly Uint8Array[];

/** Without its salt a leaf could be guessed: there are only fourteen different pieces. Lower-case hex. */
export const salt = (
  { gameId, serverSeed }: Pick<SealedDeal, 'gameId' | 'serverSeed'>,
  square: string,
): string => hexOf(hmac(serverSeed, canonicalJson(['halfmove salt 2', gameId, square])));

const leaf = (square: string, piece: string, saltHex: string): Uint8Array =>
  sha256(`leaf:${square}:${piece}:${saltHex}`);

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(1 + 2 * 32);
  both[0] = 0x01;
  both.set(left, 1);
  both.set(right, 1 + 32);
  return sha256(both);
}

const leaves = (sealed: SealedDeal): Level =>
  [...sealed.deal].map((piece, index) => {
    const square = squareName(sealed.board, index);
    return leaf(square, piece, salt(sealed, square));
  });

function parents(level: Level): Level {
  const above: Uint8Array[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const right = level[at + 1];
    above.push(right === undefined ? level[at]! : join(level[at]!, right));
  }
  return above;
}

/** All levels from the leaves to the root. */
function levels(sealed: SealedDeal): readonly Level[] {
  const all = [leaves(sealed)];
  while (all.at(-1)!.length > 1) all.push(parents(all.at(-1)!));
  return all;
}

/** The root over all squares, published when both client seeds are known. Lower-case hex. */
export const dealRoot = (sealed: SealedDeal): string => hexOf(levels(sealed).at(-1)![0]!);

/** The proof of one square, which reveals nothing of the others. The square must be on the board. */
export function prove(sealed: SealedDeal, square: string): Proof {
  const path: string[] = [];
  let at = squareIndex(sealed.board, square);
  for (const level of levels(sealed)) {
    const sibling = level[at ^ 1];
    if (sibling !== undefined) path.push(hexOf(sibling));
    at >>= 1;
  }
  return { salt: salt(sealed, square), path };
}

/** True if the proof leads from this piece on this square to the root; false if malformed. */
export function verifyProof(
  root: string,
  board: BoardSize,
  square: string,
  piece: string,
  proof: Proof,
): boolean {
  const index = squareIndex(board, square);
  const wellFormed = index >= 0 && [proof.salt, ...proof.path].every(isHex32);
  return (
    wellFormed &&
    climb(leaf(square, piece, proof.salt), index, board.files * board.ranks, proof.path) === root
  );
}

/** The root from a leaf and its siblings; null if there are too many or too few. */
function climb(from: Uint8Array, index: number, count: number, path: readonly string[]): string | null {
  let node = from;
  let used = 0;
  for (let at = index, last = count - 1; last > 0; at >>= 1, last >>= 1) {
    const promoted = at % 2 === 0 && at === last;
    if (promoted) continue;
    const sibling = path[used++];
    if (sibling === undefined) return null;
    node = at % 2 === 0 ? join(node, bytesOfHex(sibling)) : join(bytesOfHex(sibling), node);
  }
  return used === path.length ? hexOf(node) : null;
}
