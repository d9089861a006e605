import { parseCount, pieceCodes, placement, readPlacement, squareIndex } from '../board.js';
import { accept, refuse, type Result } from '../result.js';
import { PLAYERS, type Player } from '../ruleset.js';
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

const FIELDS = ['board', 'turn', 'first', 'chain', 'quiet', 'ply'] as const;
type Field = (typeof FIELDS)[number];

const wrong = (field: Field | 'faceDown', message: string): Result<never> =>
  refuse('INVALID_POSITION', `position.${field}`, message);

const quote = (text: string): string => JSON.stringify(text.length > 20 ? `${text.slice(0, 20)}...` : text);

/** Reads a text field by field, each strictly, then looks whether the fields agree with each other. */
export function parse(rules: Rules, text: string, unseen?: string): Result<Position> {
  const fields = text.length > 200 ? [] : text.split(' ');
  if (fields.length !== FIELDS.length) {
    const message = 'A position is BOARD TURN FIRST CHAIN QUIET PLY, six fields with one space between.';
    return refuse('INVALID_POSITION', 'position', message);
  }
  const [cells, turn, first, chain, quiet, ply] = fields as [string, string, string, string, string, string];
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
    `The board has ${count(letters, over)} "${over}"; the set has ${count(rules.spec.dealing, over)}.`,
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
    return wrong('turn', `The player to move is first or second, not ${quote(turn)}.`);
  }
  if (first !== '-' && !letters.includes(first)) {
    return wrong('first', `The first player's side is ${letters.join(', ')} or -, not ${quote(first)}.`);
  }
  const square = squareIndex(rules.geometry.size, chain);
  if (chain !== '-' && square < 0) {
    return wrong(
      'chain',
      `The piece that goes on capturing is named by its square or -, not ${quote(chain)}.`,
    );
  }
  const firstSide = first === '-' ? null : (letters.indexOf(first) as Side);
  return accept({ turn: turn as Player, firstSide, chain: square });
}

function parseCounts(quietText: string, plyText: string): Result<Pick<Position, 'quiet' | 'ply'>> {
  const quiet = parseCount(quietText);
  if (quiet === null)
    return wrong('quiet', `The quiet plies are a whole number from 0 to 999999999, not ${quote(quietText)}.`);
  const ply = parseCount(plyText);
  if (ply === null || ply === 0)
    return wrong('ply', `The ply is a whole number from 1 to 999999999, not ${quote(plyText)}.`);
  return accept({ quiet, ply });
}

type Agreement = readonly [Field, (position: Position) => string | null];

/** What must hold between the fields; each answers with the sentence of the refusal, or null. */
const AGREEMENTS: readonly Agreement[] = [
  ['board', boardFault],
  ['first', firstFault],
  ['turn', turnFault],
  ['quiet', quietFault],
  ['chain', chainFault],
];

function boardFault({ board, ply }: Position): string | null {
  const dark = board.every((piece) => piece === FACE_DOWN);
  if (ply === 1) return dark ? null : 'Before ply 1 every square is face-down.';
  return board.some(isFaceUp) ? null : 'From ply 2 on at least one piece is face-up.';
}

function firstFault({ firstSide, ply }: Position): string | null {
  if (ply === 1) return firstSide === null ? null : 'Before ply 1 the first player has no side: write -.';
  return firstSide === null ? 'From ply 2 on the first player has a side.' : null;
}

function turnFault({ rules, turn, ply }: Position): string | null {
  // A turn of several captures shifts the parity; the first such turn can begin at ply 3.
  if (rules.multipleCaptures && ply > 3) return null;
  const due = ply % 2 === 1 ? 'first' : 'second';
  return turn === due ? null : `Ply ${ply} is made by the ${due} player, not the ${turn}.`;
}

function quietFault({ quiet, ply }: Position): string | null {
  const most = Math.max(0, ply - 2);
  return quiet <= most ? null : `There can be at most ${most} quiet plies before ply ${ply}, not ${quiet}.`;
}

function chainFault(position: Position): string | null {
  const { rules, board, chain, quiet } = position;
  if (chain === NO_SQUARE) return null;
  const square = rules.geometry.names[chain]!;
  if (!rules.multipleCaptures) return 'Without multipleCaptures no turn goes on after a capture: write -.';
  if (quiet !== 0)
    return `A turn goes on only right after a capture: with ${square} the quiet plies must be 0.`;
  if (!isOf(board[chain]!, sideToMove(position))) {
    return `On ${square} there is no face-up piece of the player to move.`;
  }
  return hasTarget(rules, board, chain) ? null : `The piece on ${square} can capture nothing: write -.`;
}

/** Adds what is known of the face-down pieces: as given, or else that they are among those not face-up. */
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
    return wrong('faceDown', `The face-down pieces must be ${dark} of ${missing}.`);
  }
  return accept({ ...position, unseen: remainder(missing, captured) });
}

/** The letters that are left when these are taken away, in their order. */
const remainder = (letters: string, taken: string): string =>
  [...taken].reduce((left, letter) => left.replace(letter, ''), letters);
