import { countField, pieceCodes, placement, readPlacement, sixFields } from '../board.js';
import { accept, refuse, type Result } from '../result.js';
import { shown } from '../shown.js';
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

/** Longer than any position of the board. */
const FORM = { names: 'board, side to move, -, -, quiet plies, move number', longest: 160 };

/** What is wrong with the number and places of the generals. */
type GeneralsFault = (position: XiangqiPosition) => string | null;

function parse(fen: string, generalsFault: GeneralsFault): Result<XiangqiPosition> {
  const fields = sixFields(fen, FORM);
  if (!fields.ok) return fields;
  const [board, turn, third, fourth, quiet, number] = fields.value;
  const cells = parseBoard(board);
  if (!cells.ok) return cells;
  const side = parseTurn(turn);
  if (!side.ok) return side;
  if (third !== '-' || fourth !== '-') {
    return refusal(
      'position.unused',
      `The third and the fourth field must be -, as in "w - - 0 1"; got ${shown(`${third} ${fourth}`)}.`,
    );
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
  if (fault !== null) return wrongBoard(`The board cannot be read: ${fault}.`);
  const excess = setFault(cells);
  return excess === null ? accept(cells) : wrongBoard(excess);
}

function parseTurn(text: string): Result<Side> {
  if (text === 'w') return accept(RED);
  if (text === 'b') return accept(BLACK);
  return refusal('position.turn', `The side to move must be w (Red) or b (Black); got ${shown(text)}.`);
}

function parseCounters(quiet: string, number: string): Result<readonly [number, number]> {
  const plies = countField('quiet', 'number of plies without a capture', quiet, 0);
  if (!plies.ok) return plies;
  const moves = countField('number', 'move number', number, 1);
  return moves.ok ? accept([plies.value, moves.value]) : moves;
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
  return `The ${sideName(side).toLowerCase()} general on ${nameOf(general)} must stand in its palace.`;
}

function leavesGeneralToTake(position: XiangqiPosition): Result<never> | null {
  const { cells, side } = position;
  const general = generalOf(position, other(side));
  const from = attacker(cells, general, side);
  if (from === NO_SQUARE) return null;
  if (Math.abs(cells[from]!) === GENERAL) {
    return wrongBoard('The two generals must not face each other on a file with nothing between.');
  }
  const [mover, waiting] = [sideName(side), sideName(other(side))];
  return wrongBoard(
    `${mover} is to move and could capture the ${waiting.toLowerCase()} general from ${nameOf(from)}; ${waiting} must not be in check.`,
  );
}
