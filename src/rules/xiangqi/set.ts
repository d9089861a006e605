import { SQUARES, fileOf, isOwnHalf, isPalace, nameOf, rankFor } from './geometry.js';
import {
  ADVISOR,
  BLACK,
  ELEPHANT,
  EMPTY,
  GENERAL,
  RED,
  SOLDIER,
  kindName,
  setOf,
  sideName,
  sideOf,
  type Cells,
} from './pieces.js';

/** What is wrong with the pieces of a board, in one sentence: more of a kind than the set has, or a wrong place. */
export const setFault = (cells: Cells): string | null => numberFault(cells) ?? placeFault(cells);

/** There is no promotion, so no side can have more of a kind than it began with. */
function numberFault(cells: Cells): string | null {
  const counts = new Int8Array(2 * GENERAL + 1);
  for (const piece of cells) {
    if (piece === EMPTY) continue;
    const count = ++counts[GENERAL + piece]!;
    const set = setOf(piece);
    if (count <= set) continue;
    const plural = set === 1 ? '' : 's';
    return `${sideName(sideOf(piece))} has more than ${set} ${kindName(piece)}${plural}, the number that each side begins with.`;
  }
  return null;
}

function placeFault(cells: Cells): string | null {
  for (let square = 0; square < SQUARES; square++) {
    const piece = cells[square]!;
    if (piece === EMPTY || STANDS[standsAt(piece, square)] !== 0) continue;
    const owner = sideName(sideOf(piece)).toLowerCase();
    return `There is a ${owner} ${kindName(piece)} on ${nameOf(square)}: ${PLACES[Math.abs(piece)]}.`;
  }
  return null;
}

const PLACES = [
  '',
  'a soldier can stand only on its first squares, straight ahead of them, or across the river',
  'an advisor can stand only on the corners and the centre of its palace',
  'an elephant can stand only on the seven squares that it can reach on its own side of the river',
  '',
  '',
  '',
  'a general can stand only in a palace',
];

/** True if the piece can ever be on this square. A general may fly into the other palace; see generalsWhenFree. */
function canStand(piece: number, square: number): boolean {
  const kind = Math.abs(piece);
  const side = sideOf(piece);
  const file = fileOf(square);
  const rank = rankFor(side, square);
  if (kind === GENERAL) return isPalace(RED, square) || isPalace(BLACK, square);
  if (kind === ADVISOR) return isPalace(side, square) && (file === 4) === (rank === 1);
  if (kind === ELEPHANT) return ELEPHANT_FILES[rank]?.includes(file) ?? false;
  if (kind === SOLDIER) return rank >= 3 && (!isOwnHalf(side, square) || file % 2 === 0);
  return true;
}

/** The files on which elephants stand, by rank. */
const ELEPHANT_FILES: readonly (readonly number[])[] = [[2, 6], [], [0, 4, 8], [], [2, 6]];

/** 1 where a piece can stand, for every piece and square. */
const STANDS = new Uint8Array((2 * GENERAL + 1) * SQUARES);
const standsAt = (piece: number, square: number): number => (piece + GENERAL) * SQUARES + square;
for (let piece = -GENERAL; piece <= GENERAL; piece++) {
  for (let square = 0; square < SQUARES; square++) {
    STANDS[standsAt(piece, square)] = canStand(piece, square) ? 1 : 0;
  }
}
