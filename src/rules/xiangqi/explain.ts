import { squareIndex } from '../board.js';
import { illegal, type MoveFault, type Refusal } from '../result.js';
import { shown } from '../shown.js';
import { checker } from './attack.js';
import * as geometry from './geometry.js';
import { BOARD, NO_SQUARE, between, fileOf, isListed, isOwnHalf, nameOf, rankFor } from './geometry.js';
import { makeMove } from './move.js';
import * as pieces from './pieces.js';
import { kindName, sideName, type Side } from './pieces.js';
import { capitalized } from '../capitalized.js';
import { exposedTo } from './play.js';
import { generalOf, other, type XiangqiPosition } from './position.js';

const { ADVISOR, CANNON, CHARIOT, ELEPHANT, EMPTY, GENERAL, HORSE, RED } = pieces;

/** A text that has the form of a move, on squares of the board. */
interface Attempt {
  readonly position: XiangqiPosition;
  readonly from: number;
  readonly to: number;
}

type Fault = Refusal | null;

const FORM = /^([a-z][0-9]{1,2})([a-z][0-9]{1,2})$/;
const LONGEST = 'a10i10'.length;

/** Why this text is not a legal move under king capture: the first reason that a player would name. */
export const explainFree = (position: XiangqiPosition, text: string): Refusal =>
  explain(position, text, (attempt) => gameFault(attempt) ?? flightFault(attempt) ?? commonFault(attempt));

/** Why this text is not a legal move under tournament rules. */
export const explainSafe = (position: XiangqiPosition, text: string): Refusal =>
  explain(position, text, (attempt) => commonFault(attempt) ?? checkFault(attempt));

function explain(position: XiangqiPosition, text: string, faultOf: (attempt: Attempt) => Fault): Refusal {
  const [, start, end] = (text.length > LONGEST ? [] : (FORM.exec(text) ?? [])) as (string | undefined)[];
  if (start === undefined || end === undefined) {
    return illegal('malformed', `${shown(text)} is not a move. Write its two squares, such as h3e3.`);
  }
  const from = squareIndex(BOARD, start);
  const to = squareIndex(BOARD, end);
  if (from === NO_SQUARE || to === NO_SQUARE) {
    const off = from === NO_SQUARE ? start : end;
    return illegal('offBoard', `There is no square ${off}; the board goes from a1 to i10.`);
  }
  return faultOf({ position, from, to }) ?? illegal('cannotReach', `${text} is not among the legal moves.`);
}

const commonFault = (attempt: Attempt): Fault =>
  selectionFault(attempt) ?? targetFault(attempt) ?? wayFault(attempt);

/** Refuses a move that the piece cannot make at all. */
function wayFault(attempt: Attempt): Fault {
  switch (kindOf(attempt)) {
    case GENERAL:
      return generalFault(attempt);
    case ADVISOR:
      return advisorFault(attempt);
    case ELEPHANT:
      return elephantFault(attempt);
    case HORSE:
      return horseFault(attempt);
    case CHARIOT:
      return chariotFault(attempt);
    case CANNON:
      return cannonFault(attempt);
    default:
      return soldierFault(attempt);
  }
}

/** The piece to move with its square, such as `the horse on b1`. */
const mover = ({ position, from }: Attempt): string => pieceOn(position, from);

const pieceOn = ({ cells }: XiangqiPosition, square: number): string =>
  `the ${kindName(cells[square]!)} on ${nameOf(square)}`;

const kindOf = ({ position, from }: Attempt): number => position.cells[from]! * position.side;

const cannotGo = (attempt: Attempt, fault: MoveFault, why: string): Refusal =>
  illegal(fault, `${capitalized(mover(attempt))} cannot go to ${nameOf(attempt.to)}: ${why}.`);

const cannotReach = (attempt: Attempt, why: string): Refusal => cannotGo(attempt, 'cannotReach', why);

function gameFault({ position }: Attempt): Fault {
  if (generalOf(position, position.side) !== NO_SQUARE) return null;
  return illegal(
    'cannotReach',
    `${sideName(position.side)}'s general has been captured and the game is over.`,
  );
}

/** Under king capture a general may take the other one along an open file. */
function flightFault(attempt: Attempt): Fault {
  const { position, to } = attempt;
  const [by] = files(attempt) === 0 ? occupied(attempt) : [];
  const isFlight = kindOf(attempt) === GENERAL && position.cells[to] === -position.side * GENERAL;
  if (!isFlight || by === undefined) return null;
  return cannotGo(attempt, 'blocked', `${pieceOn(position, by)} stands between the generals`);
}

function selectionFault(attempt: Attempt): Fault {
  const { position, from, to } = attempt;
  const { cells, side } = position;
  const piece = cells[from]!;
  if (piece === EMPTY)
    return illegal(
      'emptySquare',
      `There is no piece on ${nameOf(from)}. Choose a square with a piece of yours.`,
    );
  if (piece * side < 0) {
    return illegal(
      'notYours',
      `${capitalized(mover(attempt))} belongs to ${sideName(other(side))}, but ${sideName(side)} is to move.`,
    );
  }
  if (from !== to) return null;
  return illegal('cannotReach', `${capitalized(mover(attempt))} must move to another square.`);
}

function targetFault({ position, to }: Attempt): Fault {
  const { cells, side } = position;
  if (cells[to]! * side <= 0) return null;
  return illegal('ownPiece', `${sideName(side)}'s own ${kindName(cells[to]!)} stands on ${nameOf(to)}.`);
}

const palaceOf = (side: Side): string => (side === RED ? 'd1 to f3' : 'd8 to f10');

const files = ({ from, to }: Attempt): number => Math.abs(fileOf(to) - fileOf(from));
const ranks = ({ position: { side }, from, to }: Attempt): number => rankFor(side, to) - rankFor(side, from);

function generalFault(attempt: Attempt): Fault {
  const { from, to } = attempt;
  if (isListed(geometry.GENERAL_STEPS, geometry.stepsFrom(from), to)) return null;
  if (files(attempt) + Math.abs(ranks(attempt)) === 1) return leavesPalace(attempt);
  return cannotReach(attempt, 'a general goes one square up, down or sideways');
}

const leavesPalace = (attempt: Attempt): Refusal =>
  cannotReach(attempt, `it must stay in its palace, ${palaceOf(attempt.position.side)}`);

function advisorFault(attempt: Attempt): Fault {
  const { from, to } = attempt;
  if (isListed(geometry.ADVISOR_STEPS, geometry.stepsFrom(from), to)) return null;
  if (files(attempt) === 1 && Math.abs(ranks(attempt)) === 1) return leavesPalace(attempt);
  return cannotReach(attempt, 'an advisor goes one square diagonally');
}

function elephantFault(attempt: Attempt): Fault {
  const { position, from, to } = attempt;
  if (files(attempt) !== 2 || Math.abs(ranks(attempt)) !== 2) {
    return cannotReach(attempt, 'an elephant goes exactly two squares diagonally');
  }
  if (!isOwnHalf(position.side, to)) return cannotReach(attempt, 'an elephant cannot cross the river');
  const eye = (from + to) / 2;
  if (position.cells[eye] === EMPTY) return null;
  return cannotGo(attempt, 'blocked', `${pieceOn(position, eye)} stands on the elephant's eye`);
}

function horseFault(attempt: Attempt): Fault {
  const { position, from, to } = attempt;
  const start = geometry.leapsFrom(from);
  const leaps = geometry.HORSE_LEAPS.subarray(start, start + 16);
  const at = leaps.findIndex((square, index) => index % 2 === 0 && square === to);
  if (at < 0) return cannotReach(attempt, 'a horse goes one square straight, then one diagonally outward');
  const leg = leaps[at + 1]!;
  if (position.cells[leg] === EMPTY) return null;
  return cannotGo(attempt, 'blocked', `${pieceOn(position, leg)} stands on the horse's leg`);
}

/** The squares between that are not empty, from the mover on. */
const occupied = ({ position, from, to }: Attempt): readonly number[] =>
  (between(from, to) ?? []).filter((square) => position.cells[square] !== EMPTY);

function chariotFault(attempt: Attempt): Fault {
  if (between(attempt.from, attempt.to) === null) {
    return cannotReach(attempt, 'a chariot moves along ranks and files');
  }
  const by = occupied(attempt)[0];
  return by === undefined
    ? null
    : cannotGo(attempt, 'blocked', `${pieceOn(attempt.position, by)} is in the way`);
}

function cannonFault(attempt: Attempt): Fault {
  const { position, from, to } = attempt;
  if (between(from, to) === null) return cannotReach(attempt, 'a cannon moves along ranks and files');
  const [by] = occupied(attempt);
  if (position.cells[to] !== EMPTY) return screenFault(attempt);
  if (by === undefined) return null;
  return cannotGo(
    attempt,
    'blocked',
    `${pieceOn(position, by)} is in the way; a cannon jumps only to capture`,
  );
}

function screenFault(attempt: Attempt): Fault {
  const screens = occupied(attempt).length;
  if (screens === 1) return null;
  const there = screens === 0 ? 'there is none' : `there are ${screens}`;
  const { position, to } = attempt;
  return illegal(
    'cannotCapture',
    `${capitalized(mover(attempt))} cannot take ${pieceOn(position, to)}: it needs exactly one piece between to jump over, and ${there}.`,
  );
}

function soldierFault(attempt: Attempt): Fault {
  const { position, from, to } = attempt;
  const { side } = position;
  const steps = side === RED ? geometry.RED_SOLDIER_STEPS : geometry.BLACK_SOLDIER_STEPS;
  if (isListed(steps, geometry.stepsFrom(from), to)) return null;
  if (ranks(attempt) < 0) return cannotReach(attempt, 'a soldier cannot go backward');
  if (ranks(attempt) === 0 && isOwnHalf(side, from)) {
    return cannotReach(attempt, 'a soldier goes sideways only after it has crossed the river');
  }
  return cannotReach(attempt, 'a soldier goes one square at a time, forward or, across the river, sideways');
}

/** Under tournament rules: refuses a move that leaves the own general attacked. */
function checkFault(attempt: Attempt): Fault {
  const { position, from, to } = attempt;
  const { cells, side } = position;
  const by = exposedTo(position, makeMove(from, to));
  if (by === NO_SQUARE) return null;
  if (cells[by] === -side * GENERAL) return facing(attempt, by);
  if (kindOf(attempt) === GENERAL) {
    return cannotGo(attempt, 'leavesKingInCheck', `it would be in check from ${pieceOn(position, by)}`);
  }
  const general = pieceOn(position, generalOf(position, side));
  const verb = checker(position) === NO_SQUARE ? `put ${general} in check` : `leave ${general} in check`;
  return illegal(
    'leavesKingInCheck',
    `Moving ${mover(attempt)} to ${nameOf(to)} would ${verb} from ${pieceOn(position, by)}.`,
  );
}

const facing = (attempt: Attempt, by: number): Refusal =>
  illegal(
    'leavesKingInCheck',
    `After ${mover(attempt)} goes to ${nameOf(attempt.to)} the two generals would face each other on the ${nameOf(by).charAt(0)} file.`,
  );
