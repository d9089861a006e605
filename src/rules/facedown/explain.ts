import { squareIndex } from '../board.js';
import { illegal, type Refusal } from '../result.js';
import { shown } from '../shown.js';
import { captures, reaches } from './generate.js';
import {
  EMPTY,
  FACE_DOWN,
  NO_SQUARE,
  isFaceUp,
  isOf,
  kindOf,
  sideToMove,
  type Cells,
  type Position,
} from './position.js';
import type { Rules } from './spec.js';

/** Why a text is not a legal move. */
export function explain(position: Position, text: string): Refusal {
  const { rules } = position;
  if (text === 'pass') return passFault(rules);
  const [, origin, target] = /^([a-z][0-9]{1,2})([a-z][0-9]{1,2})?$/.exec(text) ?? [];
  if (origin === undefined || origin === target) return malformed(rules, text);
  const from = squareIndex(rules.geometry.size, origin);
  if (from < 0) return offBoard(rules, origin);
  if (target === undefined) return turnUpFault(position, from) ?? over;
  const to = squareIndex(rules.geometry.size, target);
  if (to < 0) return offBoard(rules, target);
  return (
    chainFault(position, from, to) ?? originFault(position, from) ?? targetFault(position, from, to) ?? over
  );
}

/** A move without any other fault is illegal only if the position is won. */
const over = illegal('cannotReach', 'The game is over: one side has no pieces left.');

const passFault = ({ multipleCaptures, spec }: Rules): Refusal =>
  multipleCaptures
    ? illegal('chain', 'You can pass only after a capture, while the same piece can capture again.')
    : illegal(
        'chain',
        `You cannot pass in this game${'multipleCaptures' in spec.options ? ': its option multipleCaptures is off' : ''}.`,
      );

const malformed = ({ multipleCaptures }: Rules, text: string): Refusal =>
  illegal(
    'malformed',
    `${shown(text)} is not a move. Write two squares, such as a1a2, or one to turn up its piece, such as c1${multipleCaptures ? ', or pass' : ''}.`,
  );

function offBoard({ geometry }: Rules, square: string): Refusal {
  const [first, last] = [geometry.names[0]!, geometry.names.at(-1)!];
  return illegal('offBoard', `There is no square ${square}; the board goes from ${first} to ${last}.`);
}

const chainRefusal = ({ rules, chain }: Position): Refusal => {
  const square = rules.geometry.names[chain]!;
  return illegal(
    'chain',
    `The piece on ${square} has just captured and can capture again. Capture with it or pass.`,
  );
};

function turnUpFault(position: Position, square: number): Refusal | null {
  const { rules, board } = position;
  if (position.chain !== NO_SQUARE) return chainRefusal(position);
  const name = rules.geometry.names[square]!;
  if (board[square] === EMPTY) return illegal('emptySquare', `There is nothing to turn up on ${name}.`);
  if (board[square] === FACE_DOWN) return null;
  return illegal('alreadyFaceUp', `The piece on ${name} is already face-up.`);
}

function chainFault(position: Position, from: number, to: number): Refusal | null {
  const { board, chain } = position;
  return chain === NO_SQUARE || (from === chain && board[to] !== EMPTY) ? null : chainRefusal(position);
}

function originFault(position: Position, from: number): Refusal | null {
  const { rules, board, ply } = position;
  const name = rules.geometry.names[from]!;
  const piece = board[from]!;
  if (ply === 1) return illegal('onlyTurnUp', 'The first ply must turn up a piece, since none can move yet.');
  if (piece === EMPTY)
    return illegal('emptySquare', `There is no piece on ${name}. Choose a square with a piece.`);
  if (piece === FACE_DOWN) return illegal('faceDown', `The piece on ${name} is face-down. Turn it up first.`);
  if (isOf(piece, sideToMove(position))) return null;
  return illegal('notYours', `The piece on ${name} is not yours.`);
}

function targetFault(position: Position, from: number, to: number): Refusal | null {
  const { rules, board } = position;
  const name = rules.geometry.names[to]!;
  const target = board[to]!;
  if (target === EMPTY) return stepFault(position, from, to);
  if (isOf(target, sideToMove(position))) return illegal('ownPiece', `The piece on ${name} is your own.`);
  if (target === FACE_DOWN && !rules.darkCaptures) {
    return illegal('faceDown', `The piece on ${name} is face-down: it can only be turned up.`);
  }
  return reachFault(position, from, to) ?? rankFault(position, from, to);
}

function stepFault({ rules, board }: Position, from: number, to: number): Refusal | null {
  if (rules.geometry.neighbours[from]!.includes(to)) return null;
  const further = rules.slides[kindOf(board[from]!)] ? '; it goes further only to capture' : '';
  const subject = `The ${named(rules, board[from]!)} on ${rules.geometry.names[from]!}`;
  const goal = rules.geometry.names[to]!;
  return illegal(
    'cannotReach',
    `${subject} cannot go to ${goal}: it moves one square up, down, left or right${further}.`,
  );
}

function reachFault({ rules, board }: Position, from: number, to: number): Refusal | null {
  if (reaches(rules, board, from, to)) return null;
  const kind = kindOf(board[from]!);
  const { names } = rules.geometry;
  const subject = `The ${named(rules, board[from]!)} on ${names[from]!} cannot capture on ${names[to]!}`;
  const line = rules.geometry.rays[from]!.find((squares) => squares.includes(to)) ?? [];
  if (rules.jumps[kind]) return jumpFault(subject, board, line, to);
  if (!rules.slides[kind]) {
    return illegal('cannotReach', `${subject}: it captures one square up, down, left or right.`);
  }
  const fault = line.length === 0 ? 'cannotReach' : 'blocked';
  return illegal(fault, `${subject}: it captures along a line with nothing between.`);
}

/** `line` runs from the piece over `to`; it is empty where no line leads there. */
function jumpFault(subject: string, board: Cells, line: readonly number[], to: number): Refusal {
  const rule = `${subject}: it captures along a line by jumping exactly one piece`;
  if (line.length === 0) return illegal('cannotReach', `${rule}, and no line leads there.`);
  if (line[0] === to) return illegal('cannotReach', `${rule}, not next to it.`);
  const screens = line.slice(0, line.indexOf(to)).filter((square) => board[square] !== EMPTY).length;
  return screens === 0
    ? illegal('cannotReach', `${rule}, and there is none to jump.`)
    : illegal('blocked', `${rule}, and there are ${screens} between.`);
}

function rankFault({ rules, board }: Position, from: number, to: number): Refusal | null {
  const [piece, victim] = [board[from]!, board[to]!];
  if (!isFaceUp(victim) || captures(rules, board, from, to, victim)) return null;
  const takes = rules.takes[kindOf(piece)]!;
  const victims = rules.spec.pieces.filter((_, kind) => takes & (1 << kind)).map(({ name }) => a(name));
  const who = a(named(rules, piece), true);
  const how = rules.jumps[kindOf(piece)] ? 'by a step it captures' : 'it captures';
  return illegal(
    'cannotCapture',
    `${who} cannot capture ${a(named(rules, victim))}: ${how} only ${either(victims)}.`,
  );
}

const either = (nouns: readonly string[]): string =>
  [nouns.slice(0, -1).join(', '), nouns.at(-1)].filter((part) => part !== '').join(' or ');

const named = (rules: Rules, piece: number): string => rules.spec.pieces[kindOf(piece)]!.name;

const a = (noun: string, first = false): string =>
  `${first ? 'A' : 'a'}${/^[aeiou]/.test(noun) ? 'n' : ''} ${noun}`;
