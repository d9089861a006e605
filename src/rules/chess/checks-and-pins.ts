import { isNext, reaches } from './attack.js';
import { leapsFrom, type Geometry } from './geometry.js';
import * as pieces from './pieces.js';
import type { Cells, Side } from './pieces.js';
import * as places from './places.js';
import { placeOf, pathIndex } from './places.js';

// Constants of the module's own scope, for speed; see attack.ts.
const { KNIGHT, QUEEN, isEnemy } = pieces;
const { KNIGHT_LEAPS, SEEN, SKIPS, SQUARES, STARTS } = places;

/** Checks, the squares that answer them, and pins. */

// More than the 64 squares, so that V8 folds the tables; see places.ts.
const ROOM = 65;

/** 1 on the squares of the pieces that are pinned to their king. */
export const pinned = new Int8Array(ROOM);
let pins = 0;

/** 1 where another piece than the king answers the check: on the square of the checker and on those before it. */
export const answers = new Int8Array(ROOM);

interface Standing {
  readonly board: Geometry;
  readonly cells: Cells;
  readonly side: Side;
  readonly check: boolean;
}

/**
 * Counts the pieces that give check, looking from the king. Marks the squares that answer the check, and the pinned
 * pieces.
 */
export function findChecksAndPins({ board, cells, side, check }: Standing, king: number): number {
  let checks = check ? knightChecks(board, cells, side, king) : 0;
  unpin();
  for (let at = STARTS[pathIndex(QUEEN, placeOf(board, king))]!; ;) {
    const square = SQUARES[at]!;
    if (square < 0) return checks;
    const piece = cells[square]!;
    if (piece === 0) {
      at++;
      continue;
    }
    if (!isEnemy(piece, side)) lookBehind(cells, side, at);
    else if (reaches(piece, SEEN[at]!) && checks++ === 0) markLine(at);
    at = SKIPS[at]!;
  }
}

/** Pins the piece at this place of a line if the next one behind it attacks along the line. */
function lookBehind(cells: Cells, side: Side, shield: number): void {
  const end = SKIPS[shield]!;
  for (let at = shield + 1; at < end; at++) {
    const piece = cells[SQUARES[at]!]!;
    if (piece === 0) continue;
    if (isEnemy(piece, side) && reaches(piece, SEEN[at]!)) pin(SQUARES[shield]!);
    return;
  }
}

function pin(square: number): void {
  pins++;
  pinned[square] = 1;
}

function unpin(): void {
  if (pins > 0) pinned.fill(0);
  pins = 0;
}

function knightChecks(board: Geometry, cells: Cells, side: Side, king: number): number {
  let checks = 0;
  for (let at = leapsFrom(placeOf(board, king)); KNIGHT_LEAPS[at]! >= 0; at++) {
    if (cells[KNIGHT_LEAPS[at]!] === -side * KNIGHT && checks++ === 0) markSquare(KNIGHT_LEAPS[at]!);
  }
  return checks;
}

function markSquare(checker: number): void {
  answers.fill(0);
  answers[checker] = 1;
}

/** Marks the square of the checker at this place of a line, and those from there to the king. */
function markLine(checker: number): void {
  markSquare(SQUARES[checker]!);
  for (let at = checker; !isNext(SEEN[at]!); at--) answers[SQUARES[at - 1]!] = 1;
}
