import { countField, sixFields, squareIndex } from '../board.js';
import { accept, refuse, type Result } from '../result.js';
import { shown } from '../shown.js';
import { attacker } from './attack.js';
import { parseBoard, printBoard } from './board-text.js';
import { allRights, parseCastling, printCastling } from './castling-field.js';
import type { Board } from './castling-rules.js';
import { nameOf, pawnPathsOf, rankFor } from './geometry.js';
import { BLACK, EMPTY, KING, PAWN, WHITE, pieceOf, sideName, type Side } from './pieces.js';
import { NO_SQUARE, kingOf, makePosition, other, type ChessPosition } from './position.js';
import { withEnPassant } from './play.js';

const refusal = (field: string, message: string): Result<never> => refuse('INVALID_POSITION', field, message);

/** The position as FEN. */
export function printFen(position: ChessPosition): string {
  const { board, side, enPassant, quiet, number } = position;
  const passed = enPassant === NO_SQUARE ? '-' : nameOf(board, enPassant);
  return `${printBoard(position)} ${side === WHITE ? 'w' : 'b'} ${printCastling(position)} ${passed} ${quiet} ${number}`;
}

/** The position before ply 1, with these first rows, pawns in front of them, and all castling rights. */
export function startOf(board: Board, white: string, black: string): ChessPosition {
  const { files, ranks } = board.size;
  const between = ' '.repeat(files * (ranks - 4));
  const letters = white + 'P'.repeat(files) + between + 'p'.repeat(files) + black;
  const cells = Int8Array.from(letters, pieceOf);
  const placed = { board, cells, whiteKing: cells.indexOf(KING), blackKing: cells.indexOf(-KING) };
  return makePosition({
    ...placed,
    side: WHITE,
    rights: allRights(placed),
    enPassant: NO_SQUARE,
    check: false,
    quiet: 0,
    number: 1,
  });
}

/** Longer than any position of the largest board. */
const FORM = {
  names: 'board, side to move, castling, en passant, halfmove clock, move number',
  longest: 128,
};

/**
 * Parses a FEN strictly; an en passant square on which nothing can be captured is dropped. Refused with
 * INVALID_POSITION and the field.
 */
export function parseFen(board: Board, fen: string): Result<ChessPosition> {
  const fields = sixFields(fen, FORM);
  if (!fields.ok) return fields;
  const [pieces, turn, rights, passed, quiet, number] = fields.value;
  const placed = parseBoard(board, pieces);
  if (!placed.ok) return placed;
  const { cells, whiteKing, blackKing } = placed.value;
  const side = parseTurn(turn);
  if (!side.ok) return side;
  const plies = countField('quiet', 'halfmove clock', quiet, 0);
  if (!plies.ok) return plies;
  const moves = countField('number', 'move number', number, 1);
  if (!moves.ok) return moves;
  const castling = parseCastling({ board, cells, whiteKing, blackKing }, rights);
  if (!castling.ok) return castling;
  const ownKing = side.value === WHITE ? whiteKing : blackKing;
  const position = makePosition({
    board,
    cells,
    side: side.value,
    whiteKing,
    blackKing,
    rights: castling.value,
    enPassant: NO_SQUARE,
    check: attacker(board, cells, ownKing, other(side.value)) !== NO_SQUARE,
    quiet: plies.value,
    number: moves.value,
  });
  return leavesKingToTake(position) ?? parseEnPassant(position, passed);
}

function parseTurn(text: string): Result<Side> {
  if (text === 'w') return accept(WHITE);
  if (text === 'b') return accept(BLACK);
  return refusal('position.turn', `The side to move must be w or b; got ${shown(text)}.`);
}

function leavesKingToTake(position: ChessPosition): Result<never> | null {
  const { board, cells, side } = position;
  const from = attacker(board, cells, kingOf(position, other(side)), side);
  if (from === NO_SQUARE) return null;
  const [mover, waiting] = [sideName(side), sideName(other(side))];
  return refusal(
    'position.board',
    `${mover} is to move and could capture the ${waiting.toLowerCase()} king from ${nameOf(board, from)}; ${waiting} must not be in check.`,
  );
}

function parseEnPassant(position: ChessPosition, text: string): Result<ChessPosition> {
  if (text === '-') return accept(position);
  const passed = squareIndex(position.board.size, text);
  if (passed === NO_SQUARE || !canHavePassed(position, passed)) {
    return refusal(
      'position.enPassant',
      `The en passant field must be - or the square that a pawn has just passed by a double step; got ${shown(text)}.`,
    );
  }
  return accept(withEnPassant(position, passed));
}

/**
 * True if the last ply can have been a double step over this square, without the king having been in check before it.
 */
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
