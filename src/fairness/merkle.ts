import { squareIndex, squareName, type BoardSize } from '../rules/board.js';
import { bytesOfHex, hmac, isHex32, sha256 } from './digest.js';

/**
 * The deal under one hash, so that each turned-up piece is proved at once while the others stay secret.
 * Source: the design of play, "Hidden information". Where that is silent: a node without a right neighbour
 * rises to the next level unchanged; a proof then has no sibling for that level.
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

/** What shows one square's piece to be the one under the root. All in lower-case hex of 32 bytes. */
export interface Proof {
  readonly salt: string;
  /** The siblings from the leaf up to the root. */
  readonly path: readonly string[];
}

type Level = readonly Buffer[];

/** Without its salt a leaf could be guessed: there are only fourteen different pieces. */
const salt = ({ gameId, serverSeed }: SealedDeal, square: string): string =>
  hmac(serverSeed, `salt:${gameId}:${square}`).toString('hex');

const leaf = (square: string, piece: string, saltHex: string): Buffer =>
  sha256(`leaf:${square}:${piece}:${saltHex}`);

const join = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Uint8Array.of(0x01), left, right);

const leaves = (sealed: SealedDeal): Level =>
  [...sealed.deal].map((piece, index) => {
    const square = squareName(sealed.board, index);
    return leaf(square, piece, salt(sealed, square));
  });

function parents(level: Level): Level {
  const above: Buffer[] = [];
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
export const dealRoot = (sealed: SealedDeal): string => levels(sealed).at(-1)![0]!.toString('hex');

/** The proof of one square; it tells nothing of the others. The square must be one of the board. */
export function prove(sealed: SealedDeal, square: string): Proof {
  const path: string[] = [];
  let at = squareIndex(sealed.board, square);
  for (const level of levels(sealed)) {
    const sibling = level[at ^ 1];
    if (sibling !== undefined) path.push(sibling.toString('hex'));
    at >>= 1;
  }
  return { salt: salt(sealed, square), path };
}

/** Does the proof lead from this piece on this square to the root? False for anything malformed. */
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

/** The root that a leaf and its siblings give; null when there are too many or too few of them. */
function climb(from: Buffer, index: number, count: number, path: readonly string[]): string | null {
  let node = from;
  let used = 0;
  for (let at = index, last = count - 1; last > 0; at >>= 1, last >>= 1) {
    const promoted = at % 2 === 0 && at === last;
    if (promoted) continue;
    const sibling = path[used++];
    if (sibling === undefined) return null;
    node = at % 2 === 0 ? join(node, bytesOfHex(sibling)) : join(bytesOfHex(sibling), node);
  }
  return used === path.length ? node.toString('hex') : null;
}
