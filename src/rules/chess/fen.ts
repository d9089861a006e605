import { parseCount, parsePlacement, placement, squareIndex } from '../board.js';
import { accept, refuse, type Result } from '../result.js';
import { attacker } from './attack.js';
import { CASTLINGS, type Castling } from './castling.js';
import { isEndRank, nameOf, pawnPathsOf, rankFor, type Geometry } from './geometry.js';
import {
  BLACK,
  EMPTY,
  KING,
  PAWN,
  PIECE_LETTERS,
  WHITE,
  pieceLetter,
  pieceOf,
  sideName,
  type Side,
} from './pieces.js';
import { NO_SQUARE, kingOf, makePosition, other, type ChessPosition } from './position.js';
import { withEnPassant } from './play.js';

const refusal = (field: string, message: string): Result<never> => refuse('INVALID_POSITION', field, message);

/** The position as standard FEN. */
export function printFen(position: ChessPosition): string {
  const { board, cells, side, rights, enPassant, quiet, number } = position;
  const castling = CASTLINGS.filter(({ right }) => (rights & right) !== 0).map(({ letter }) => letter);
  return [
    placement(board.size, (square) => pieceLetter(cells[square]!)),
    side === WHITE ? 'w' : 'b',
    castling.join('') || '-',
    enPassant === NO_SQUARE ? '-' : nameOf(board, enPassant),
    quiet,
    number,
  ].join(' ');
}

/**
 * Reads a FEN that prints back to the same text; an en passant square where nothing can be captured is dropped.
 * Refused with INVALID_POSITION, naming the field.
 */
export function parseFen(board: Geometry, fen: string): Result<ChessPosition> {
  const fields = fen.split(' ', 7);
  const [pieces, turn, rights, passed, quiet, number] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (fields.length !== 6 || fields.includes('')) {
    return refusal(
      'position',
      'The position must have six fields with one space between: board, turn, castling, en passant, quiet plies, move number.',
    );
  }
  const placed = parseBoard(board, pieces);
  if (!placed.ok) return placed;
  const side = parseTurn(turn);
  if (!side.ok) return side;
  const counted = parseCounters(quiet, number);
  if (!counted.ok) return counted;
  const castling = parseCastling(placed.value.cells, rights);
  if (!castling.ok) return castling;
  const bare = makePosition({
    ...placed.value,
    ...counted.value,
    board,
    side: side.value,
    rights: castling.value,
    enPassant: NO_SQUARE,
  });
  return leavesKingToTake(bare) ?? parseEnPassant(bare, passed);
}

type Placed = Pick<ChessPosition, 'cells' | 'whiteKing' | 'blackKing'>;

function parseBoard(board: Geometry, text: string): Result<Placed> {
  const letters = parsePlacement(board.size, text, PIECE_LETTERS);
  if (typeof letters === 'string') return refusal('position.board', `The board is wrong: ${letters}.`);
  const cells = Int8Array.from(letters, pieceOf);
  for (const side of [WHITE, BLACK] as const) {
    const kings = cells.filter((piece) => piece === side * KING).length;
    if (kings !== 1) {
      return refusal(
        'position.board',
        `${sideName(side)} has ${kings} kings; each side must have exactly one.`,
      );
    }
  }
  const pawn = cells.findIndex((piece, square) => Math.abs(piece) === PAWN && isEndRank(board, square));
  if (pawn !== NO_SQUARE) {
    return refusal(
      'position.board',
      `There is a pawn on ${nameOf(board, pawn)}; none can stand on the first or last rank.`,
    );
  }
  return accept({ cells, whiteKing: cells.indexOf(KING), blackKing: cells.indexOf(-KING) });
}

function parseTurn(text: string): Result<Side> {
  if (text === 'w') return accept(WHITE);
  if (text === 'b') return accept(BLACK);
  return refusal('position.turn', 'The side to move must be w or b.');
}

/** The bits of the castling letters, which must stand in their order and fit the king and rooks on the board. */
function parseCastling(cells: Int8Array, text: string): Result<number> {
  const named = CASTLINGS.filter(({ letter }) => text.includes(letter));
  if (text !== (named.map(({ letter }) => letter).join('') || '-')) {
    return refusal(
      'position.castling',
      'The castling field must be - or some of the letters KQkq in this order.',
    );
  }
  const idle = named.find((castling) => !isHome(cells, castling));
  if (idle !== undefined) {
    return refusal(
      'position.castling',
      `Castling ${idle.letter} needs the ${sideName(idle.side).toLowerCase()} king and rook on their first squares.`,
    );
  }
  return accept(named.reduce((rights, { right }) => rights | right, 0));
}

const isHome = (cells: Int8Array, { side, king, rook }: Castling): boolean =>
  pieceLetter(cells[king]! * side) === 'K' && pieceLetter(cells[rook]! * side) === 'R';

function parseCounters(quiet: string, number: string): Result<Pick<ChessPosition, 'quiet' | 'number'>> {
  const plies = parseCount(quiet);
  if (plies === null) {
    return refusal('position.quiet', 'The plies without capture or pawn move must be a whole number from 0.');
  }
  const moves = parseCount(number);
  if (moves === null || moves === 0) {
    return refusal('position.number', 'The move number must be a whole number from 1.');
  }
  return accept({ quiet: plies, number: moves });
}

function leavesKingToTake(position: ChessPosition): Result<never> | null {
  const { board, cells, side } = position;
  const from = attacker(board, cells, kingOf(position, other(side)), side);
  if (from === NO_SQUARE) return null;
  const king = `The ${sideName(other(side)).toLowerCase()} king`;
  return refusal(
    'position.board',
    `${king} is attacked from ${nameOf(board, from)} although it is not to move.`,
  );
}

function parseEnPassant(position: ChessPosition, text: string): Result<ChessPosition> {
  if (text === '-') return accept(position);
  const passed = squareIndex(position.board.size, text);
  if (passed === NO_SQUARE || !canHavePassed(position, passed)) {
    return refusal(
      'position.enPassant',
      'The en passant field must be - or the square that a pawn has just passed by a double step.',
    );
  }
  return accept(withEnPassant(position, passed));
}

/** Can the last ply have been a double step over this square? The king now to move was not yet in check before it. */
function canHavePassed(position: ChessPosition, passed: number): boolean {
  const { board, cells, side } = position;
  const { forward } = pawnPathsOf(board, other(side));
  if (rankFor(board, other(side), passed) !== 2 || position.quiet !== 0) return false;
  if (
    cells[passed] !== EMPTY ||
    cells[passed - forward] !== EMPTY ||
    cells[passed + forward] !== -side * PAWN
  )
    return false;
  const before = cells.with(passed + forward, EMPTY).with(passed - forward, -side * PAWN);
  return attacker(board, before, kingOf(position, side), other(side)) === NO_SQUARE;
}
