import { parseCount, pieceCodes, placement, readPlacement } from '../board.js';
import { accept, refuse, type Result } from '../result.js';
import { attacker } from './attack.js';
import { BOARD, NO_SQUARE, SQUARES, isPalace, nameOf } from './geometry.js';
import {
  BLACK,
  GENERAL,
  PIECE_LETTERS,
  RED,
  pieceLetter,
  pieceOf,
  sideName,
  type Cells,
  type Side,
} from './pieces.js';
import { generalOf, makePosition, other, type XiangqiPosition } from './position.js';
import { setFault } from './set.js';

const refusal = (field: string, message: string): Result<never> => refuse('INVALID_POSITION', field, message);

const wrongBoard = (message: string): Result<never> => refusal('position.board', message);

const CODES = pieceCodes(PIECE_LETTERS, pieceOf);

const EMPTY_BOARD: Cells = [...new Int8Array(SQUARES)];

/** The position as text: board, side to move (`w` is Red), `- -`, quiet plies, move number. */
export const printFen = ({ cells, side, quiet, number }: XiangqiPosition): string =>
  `${placement(BOARD, (square) => pieceLetter(cells[square]!))} ${side === RED ? 'w' : 'b'} - - ${quiet} ${number}`;

/** A position text whose general of the side to move may be missing, as after the capture that ends a game. */
export const parseFreeFen = (fen: string): Result<XiangqiPosition> => parse(fen, generalsWhenFree);

/** A position text of a game in which neither general can be captured. */
export function parseSafeFen(fen: string): Result<XiangqiPosition> {
  const parsed = parse(fen, generalsWhenSafe);
  return parsed.ok ? (leavesGeneralToTake(parsed.value) ?? parsed) : parsed;
}

// Longer than any position of the board.
const LONGEST = 160;

/** What is wrong with the number and the places of the generals. */
type GeneralsFault = (position: XiangqiPosition) => string | null;

function parse(fen: string, generalsFault: GeneralsFault): Result<XiangqiPosition> {
  const fields = fen.length > LONGEST ? [] : fen.split(' ');
  const [board, turn, third, fourth, quiet, number] = fields as [string, string, string, string, string, string]; // prettier-ignore
  if (fields.length !== 6 || fields.includes('')) {
    return refusal(
      'position',
      'The position must have six fields with one space between: board, turn, -, -, quiet plies, move number.',
    );
  }
  const cells = parseBoard(board);
  if (!cells.ok) return cells;
  const side = parseTurn(turn);
  if (!side.ok) return side;
  if (third !== '-' || fourth !== '-') {
    return refusal('position.unused', 'The third and the fourth field must be -, as in "w - - 0 1".');
  }
  const counted = parseCounters(quiet, number);
  if (!counted.ok) return counted;
  const [plies, moves] = counted.value;
  const red = cells.value.indexOf(GENERAL);
  const black = cells.value.indexOf(-GENERAL);
  const position = makePosition(cells.value, side.value, red, black, plies, moves);
  const fault = generalsFault(position);
  return fault === null ? accept(position) : wrongBoard(fault);
}

function parseBoard(text: string): Result<Cells> {
  const cells = EMPTY_BOARD.slice();
  const fault = readPlacement(BOARD, text, CODES, cells);
  if (fault !== null) return wrongBoard(`The board is wrong: ${fault}.`);
  const excess = setFault(cells);
  return excess === null ? accept(cells) : wrongBoard(excess);
}

function parseTurn(text: string): Result<Side> {
  if (text === 'w') return accept(RED);
  if (text === 'b') return accept(BLACK);
  return refusal('position.turn', 'The side to move must be w (Red) or b (Black).');
}

function parseCounters(quiet: string, number: string): Result<readonly [number, number]> {
  const plies = parseCount(quiet);
  if (plies === null) {
    return refusal(
      'position.quiet',
      'The plies without a capture must be a whole number from 0 to 999999999.',
    );
  }
  const moves = parseCount(number);
  if (moves === null || moves === 0) {
    return refusal('position.number', 'The move number must be a whole number from 1 to 999999999.');
  }
  return accept([plies, moves]);
}

function generalsWhenSafe(position: XiangqiPosition): string | null {
  return ownGeneralFault(position, position.side) ?? ownGeneralFault(position, other(position.side));
}

/** The side that has just moved has its general: in its own palace, or in the other where it has captured by flying. */
function generalsWhenFree(position: XiangqiPosition): string | null {
  const mover = other(position.side);
  if (generalOf(position, position.side) !== NO_SQUARE) return generalsWhenSafe(position);
  return generalOf(position, mover) === NO_SQUARE ? ownGeneralFault(position, mover) : null;
}

function ownGeneralFault(position: XiangqiPosition, side: Side): string | null {
  const general = generalOf(position, side);
  if (general === NO_SQUARE) return `${sideName(side)} has no general.`;
  if (isPalace(side, general)) return null;
  return `The ${sideName(side).toLowerCase()} general on ${nameOf(general)} stands outside its palace.`;
}

function leavesGeneralToTake(position: XiangqiPosition): Result<never> | null {
  const { cells, side } = position;
  const general = generalOf(position, other(side));
  const from = attacker(cells, general, side);
  if (from === NO_SQUARE) return null;
  if (Math.abs(cells[from]!) === GENERAL) {
    return wrongBoard(
      'The two generals face each other with nothing between; one of them has to stand aside.',
    );
  }
  const name = `The ${sideName(other(side)).toLowerCase()} general`;
  return wrongBoard(`${name} is attacked from ${nameOf(from)} although it is not to move.`);
}
