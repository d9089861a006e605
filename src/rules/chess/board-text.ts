import { pieceCodes, placement, readPlacement } from '../board.js';
import { accept, refuse, type Result } from '../result.js';
import { nameOf, type Geometry } from './geometry.js';
import {
  BLACK,
  KING,
  PAWN,
  PIECE_LETTERS,
  WHITE,
  pieceLetter,
  pieceOf,
  sideName,
  type Cells,
  type Side,
} from './pieces.js';
import { NO_SQUARE, type ChessPosition } from './position.js';

/** The board field of a position text. */

export type Placed = Pick<ChessPosition, 'cells' | 'whiteKing' | 'blackKing'>;

const CODES = pieceCodes(PIECE_LETTERS, pieceOf);

const refusal = (message: string): Result<never> => refuse('INVALID_POSITION', 'position.board', message);

export const printBoard = ({ board, cells }: ChessPosition): string =>
  placement(board.size, (square) => pieceLetter(cells[square]!));

/** The pieces of a placement text with one king per side and no pawns on the first and last rank. */
export function parseBoard(board: Geometry, text: string): Result<Placed> {
  const cells = new Int8Array(board.squares);
  const unread = readPlacement(board.size, text, CODES, cells);
  if (unread !== null) return refusal(`The board cannot be read: ${unread}.`);
  const whiteKing = cells.indexOf(KING);
  const blackKing = cells.indexOf(-KING);
  const fault = kingsFault(cells, WHITE, whiteKing) ?? kingsFault(cells, BLACK, blackKing);
  if (fault !== null) return refusal(fault);
  const pawn = misplacedPawn(board, cells);
  if (pawn !== NO_SQUARE) {
    return refusal(
      `There is a pawn on ${nameOf(board, pawn)}; pawns cannot stand on the first or last rank.`,
    );
  }
  return accept({ cells, whiteKing, blackKing });
}

/** `first` is where its first king stands. */
function kingsFault(cells: Cells, side: Side, first: number): string | null {
  if (first >= 0 && cells.lastIndexOf(side * KING) === first) return null;
  const kings = cells.filter((piece) => piece === side * KING).length;
  return `${sideName(side)} has ${kings} kings; each side must have exactly one.`;
}

/** A square of the first or last rank with a pawn on it, or NO_SQUARE. */
function misplacedPawn({ size: { files }, squares }: Geometry, cells: Cells): number {
  for (let first = 0, last = squares - files; first < files; first++, last++) {
    if (Math.abs(cells[first]!) === PAWN) return first;
    if (Math.abs(cells[last]!) === PAWN) return last;
  }
  return NO_SQUARE;
}
