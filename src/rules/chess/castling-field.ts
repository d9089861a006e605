import { accept, refuse, type Result } from '../result.js';
import { shown } from '../shown.js';
import { castlingsFrom, type Castling } from './castling-rules.js';
import { hasRight } from './castling.js';
import { rankFor } from './geometry.js';
import { BLACK, ROOK, WHITE, type Side } from './pieces.js';
import type { ChessPosition } from './position.js';

/** The castling field of a position text. */

type Placed = Pick<ChessPosition, 'board' | 'cells' | 'whiteKing' | 'blackKing'>;

/** The castlings whose king and rook are in place, in the order of the field. */
function possible(position: Placed): readonly Castling[] {
  const { board, cells, whiteKing, blackKing } = position;
  const all = [...castlingsFrom(board, WHITE, whiteKing), ...castlingsFrom(board, BLACK, blackKing)];
  return all.filter(({ side, rook }) => cells[rook] === side * ROOK);
}

function letterOf(position: Placed, { side, letter }: Castling): string {
  if (!position.board.castling.oneRook || rooksAtHome(position, side) > 1) return letter;
  return side === WHITE ? 'K' : 'k';
}

const rooksAtHome = ({ board, cells }: Placed, side: Side): number =>
  cells.filter((piece, square) => piece === side * ROOK && rankFor(board, side, square) === 0).length;

const lettersOf = (position: Placed, castlings: readonly Castling[]): string =>
  castlings.map((castling) => letterOf(position, castling)).join('');

export const printCastling = (position: ChessPosition): string =>
  position.rights === 0
    ? '-'
    : lettersOf(
        position,
        possible(position).filter((castling) => hasRight(position, castling)),
      );

/**
 * The rights in the field. Refused with INVALID_POSITION if its letters do not match the kings and rooks, or their
 * order.
 */
export function parseCastling(position: Placed, text: string): Result<number> {
  if (text === '-') return accept(0);
  const all = possible(position);
  const named = all.filter((castling) => text.includes(letterOf(position, castling)));
  const { oneRook } = position.board.castling;
  const isTwice = oneRook && named.some(({ side }, at) => named[at + 1]?.side === side);
  if (isTwice || text !== lettersOf(position, named)) {
    const letters = lettersOf(position, all);
    const right = letters === '' ? '' : ` or some of the letters ${letters} in this order`;
    const most = oneRook && letters !== '' ? ', at most one a side' : '';
    const message = `With kings and rooks on these squares the castling field must be -${right}${most}; got ${shown(text)}.`;
    return refuse('INVALID_POSITION', 'position.castling', message);
  }
  return accept(named.reduce((rights, { right }) => rights | right, 0));
}

/** The rights before any king or rook has moved. */
export const allRights = (position: Placed): number =>
  possible(position).reduce((rights, { right }) => rights | right, 0);
