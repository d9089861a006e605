import { countField, pieceCodes, placement, readPlacement, sixFields, squareIndex } from '../board.js';
import { accept, refuse, type Result } from '../result.js';
import { PLAYERS, type Player } from '../ruleset.js';
import { shown } from '../shown.js';
import { hasTarget } from './generate.js';
import type { Rules } from './spec.js';
import {
  FACE_DOWN,
  NO_SQUARE,
  faceDownSquares,
  isFaceUp,
  isOf,
  letterOf,
  pieceOf,
  sideToMove,
  type Cells,
  type Position,
  type Side,
} from './position.js';

/** The letter of a side in the text: the initial of its name. */
const sideLetters = ({ spec }: Rules): readonly string[] => spec.sides.map((side) => side.charAt(0));

/** `BOARD TURN FIRST CHAIN QUIET PLY` */
export function fen({ rules, board, turn, firstSide, chain, quiet, ply }: Position): string {
  const cells = placement(rules.geometry.size, (square) => letterOf(rules, board[square]!));
  const side = firstSide === null ? '-' : sideLetters(rules)[firstSide]!;
  const going = rules.geometry.names[chain] ?? '-';
  return `${cells} ${turn} ${side} ${going} ${quiet} ${ply}`;
}

type Field = 'board' | 'turn' | 'first' | 'chain' | 'quiet' | 'ply';

const wrong = (field: Field | 'faceDown', message: string): Result<never> =>
  refuse('INVALID_POSITION', `position.${field}`, message);

/** Longer than any position of the largest board. */
const FORM = { names: 'BOARD TURN FIRST CHAIN QUIET PLY', longest: 200 };

/** Parses each field strictly, then checks that the fields agree with each other. */
export function parse(rules: Rules, text: string, unseen?: string): Result<Position> {
  const fields = sixFields(text, FORM);
  if (!fields.ok) return fields;
  const [cells, turn, first, chain, quiet, ply] = fields.value;
  const board = parseBoard(rules, cells);
  if (!board.ok) return board;
  const read = parseTurn(rules, turn, first, chain);
  if (!read.ok) return read;
  const counts = parseCounts(quiet, ply);
  if (!counts.ok) return counts;
  const position = { rules, board: board.value, ...read.value, ...counts.value, unseen: '' };
  for (const [field, fault] of AGREEMENTS) {
    const message = fault(position);
    if (message !== null) return wrong(field, message);
  }
  return withUnseen(position, unseen);
}

function parseBoard(rules: Rules, text: string): Result<Cells> {
  const codes = pieceCodes(`${rules.spec.dealing}x`, (letter) => pieceOf(rules, letter));
  const board = new Uint8Array(rules.geometry.squares);
  const fault = readPlacement(rules.geometry.size, text, codes, board);
  if (fault !== null) return wrong('board', `The board cannot be read: ${fault}.`);
  const letters = Array.from(board.filter(isFaceUp), (piece) => letterOf(rules, piece)).join('');
  const over = [...letters].find((letter) => count(letters, letter) > count(rules.spec.dealing, letter));
  if (over === undefined) return accept(board);
  return wrong(
    'board',
    `The board has ${count(letters, over)} of the letter ${over}; the game has only ${count(rules.spec.dealing, over)}.`,
  );
}

const count = (letters: string, letter: string): number => letters.split(letter).length - 1;

function parseTurn(
  rules: Rules,
  turn: string,
  first: string,
  chain: string,
): Result<Pick<Position, 'turn' | 'firstSide' | 'chain'>> {
  const letters = sideLetters(rules);
  if (!PLAYERS.includes(turn as Player)) {
    return wrong('turn', `The player to move must be first or second; got ${shown(turn)}.`);
  }
  if (first !== '-' && !letters.includes(first)) {
    return wrong('first', `The first player's side must be ${letters.join(', ')} or -; got ${shown(first)}.`);
  }
  const square = squareIndex(rules.geometry.size, chain);
  if (chain !== '-' && square < 0) {
    return wrong(
      'chain',
      `The piece that can capture again must be named by its square, or be -; got ${shown(chain)}.`,
    );
  }
  const firstSide = first === '-' ? null : (letters.indexOf(first) as Side);
  return accept({ turn: turn as Player, firstSide, chain: square });
}

function parseCounts(quietText: string, plyText: string): Result<Pick<Position, 'quiet' | 'ply'>> {
  const quiet = countField('quiet', 'number of quiet plies', quietText, 0);
  if (!quiet.ok) return quiet;
  const ply = countField('ply', 'number of the ply', plyText, 1);
  return ply.ok ? accept({ quiet: quiet.value, ply: ply.value }) : ply;
}

type Agreement = readonly [Field, (position: Position) => string | null];

/** Checks between the fields; each returns the message of a refusal, or null. */
const AGREEMENTS: readonly Agreement[] = [
  ['board', boardFault],
  ['first', firstFault],
  ['turn', turnFault],
  ['quiet', quietFault],
  ['chain', chainFault],
];

function boardFault({ board, ply }: Position): string | null {
  const dark = board.every((piece) => piece === FACE_DOWN);
  if (ply === 1) return dark ? null : 'Before ply 1 every piece must be face-down.';
  return board.some(isFaceUp)
    ? null
    : `At least one piece must be face-up from ply 2 on, and the number of the ply is ${ply}.`;
}

function firstFault({ firstSide, ply }: Position): string | null {
  if (ply === 1) return firstSide === null ? null : 'The first player has no side before ply 1. Write -.';
  return firstSide === null
    ? `The first player must have a side from ply 2 on, and the number of the ply is ${ply}.`
    : null;
}

function turnFault({ rules, turn, ply }: Position): string | null {
  // A turn of several captures changes the parity; the first one can begin at ply 3.
  if (rules.multipleCaptures && ply > 3) return null;
  const due = ply % 2 === 1 ? 'first' : 'second';
  return turn === due ? null : `The player to move at ply ${ply} must be ${due}; got ${turn}.`;
}

function quietFault({ quiet, ply }: Position): string | null {
  const most = Math.max(0, ply - 2);
  return quiet <= most ? null : `There must be at most ${most} quiet plies before ply ${ply}; got ${quiet}.`;
}

function chainFault(position: Position): string | null {
  const { rules, board, chain, quiet } = position;
  if (chain === NO_SQUARE) return null;
  const square = rules.geometry.names[chain]!;
  if (!rules.multipleCaptures)
    return 'No piece can capture again when the option multipleCaptures is off. Write -.';
  if (quiet !== 0)
    return `The piece on ${square} can capture again only right after a capture: the number of quiet plies must be 0; got ${quiet}.`;
  if (!isOf(board[chain]!, sideToMove(position))) {
    return `The piece that can capture again must be a face-up piece of the player to move; there is none on ${square}.`;
  }
  return hasTarget(rules, board, chain) ? null : `The piece on ${square} has nothing to capture. Write -.`;
}

/** Adds the face-down letters: those given, else all that are not face-up. */
function withUnseen(position: Position, given: string | undefined): Result<Position> {
  const { rules, board } = position;
  const dark = faceDownSquares(board);
  const missing = remainder(
    rules.spec.dealing,
    Array.from(board, (piece) => letterOf(rules, piece)).join(''),
  );
  if (given === undefined) return accept({ ...position, unseen: dark === 0 ? '' : missing });
  const captured = given.length === dark ? remainder(missing, given) : missing;
  if (given.length !== dark || captured.length !== missing.length - dark) {
    return wrong(
      'faceDown',
      `The face-down pieces must be ${dark} of the letters ${missing}; got ${shown(given)}.`,
    );
  }
  return accept({ ...position, unseen: remainder(missing, captured) });
}

/** The letters without those taken, in order. */
const remainder = (letters: string, taken: string): string =>
  [...taken].reduce((left, letter) => left.replace(letter, ''), letters);
