import { squareIndex } from '../board.js';
import { illegal, type Refusal } from '../result.js';
import { shown } from '../shown.js';
import { slides } from './attack.js';
import { castlingsFrom, type Castling } from './castling-rules.js';
import { attackerOn, castlingWritten, firstAttacked, firstTaken, hasRight, openWay } from './castling.js';
import {
  between,
  isEndRank,
  isListed,
  leapsFrom,
  nameOf,
  pawnPathsOf,
  rankFor,
  stepsFrom,
} from './geometry.js';
import { EN_PASSANT, PLAIN, fromOf, makeMove, toOf } from './move.js';
import { EMPTY, KING, KNIGHT, PAWN, PROMOTIONS, kindLetter, kindName, sideName } from './pieces.js';
import { attackerAfter } from './play.js';
import { NO_SQUARE, checker, kingOf, other, type ChessPosition } from './position.js';

/** A text that has the form of a move, on squares of the board. */
interface Attempt {
  readonly position: ChessPosition;
  readonly from: number;
  readonly to: number;
  /** The letter after the squares, `''` when there is none. */
  readonly promotion: string;
}

const FORM = /^([a-z][0-9]{1,2})([a-z][0-9]{1,2})([A-Za-z]?)$/;

/** Why this text is not a legal move here: the first reason that a player would name. */
export function explain(position: ChessPosition, text: string): Refusal {
  const [, start, end, promotion] = (FORM.exec(text) ?? []) as [unknown, string?, string?, string?];
  if (start === undefined || end === undefined || promotion === undefined) {
    return illegal('malformed', malformed(position, text));
  }
  const { size } = position.board;
  const off = [start, end].find((name) => squareIndex(size, name) === NO_SQUARE);
  if (off !== undefined) {
    return illegal(
      'offBoard',
      `There is no square ${off}; the board goes from a1 to ${nameOf(position.board, position.board.squares - 1)}.`,
    );
  }
  const attempt = { position, from: squareIndex(size, start), to: squareIndex(size, end), promotion };
  return (
    selectionFault(attempt) ??
    castlingFault(attempt) ??
    targetFault(attempt) ??
    wayFault(attempt) ??
    promotionFault(attempt) ??
    checkFault(attempt) ??
    illegal('cannotReach', `${start}${end} is not among the legal moves.`)
  );
}

const malformed = ({ board }: ChessPosition, text: string): string =>
  text.startsWith('O-O')
    ? `Write castling ${board.castling.written}, not as ${shown(text)}.`
    : `${shown(text)} is not a move. Write its two squares, such as e2e4, and q, r, b or n after a promotion.`;

const square = ({ position }: Attempt, index: number): string => nameOf(position.board, index);

/** The piece to move with its square, such as `the pawn on e2`. */
const mover = (attempt: Attempt): string =>
  `the ${kindName(attempt.position.cells[attempt.from]!)} on ${square(attempt, attempt.from)}`;

const Mover = (attempt: Attempt): string => `T${mover(attempt).slice(1)}`;

const kindOf = ({ position, from }: Attempt): number => position.cells[from]! * position.side;

function selectionFault(attempt: Attempt): Refusal | null {
  const { position, from, to } = attempt;
  const { cells, side } = position;
  const piece = cells[from]!;
  if (piece === EMPTY)
    return illegal(
      'emptySquare',
      `There is no piece on ${square(attempt, from)}. Choose a square with a piece of yours.`,
    );
  if (piece * side < 0)
    return illegal(
      'notYours',
      `${Mover(attempt)} belongs to ${sideName(other(side))}, but ${sideName(side)} is to move.`,
    );
  if (from === to) return illegal('cannotReach', `${Mover(attempt)} must move to another square.`);
  return null;
}

function targetFault(attempt: Attempt): Refusal | null {
  const { position, to } = attempt;
  const { cells, side } = position;
  if (cells[to]! * side <= 0) return null;
  return illegal(
    'ownPiece',
    `${sideName(side)}'s own ${kindName(cells[to]!)} stands on ${square(attempt, to)}${castlingHint(attempt)}.`,
  );
}

/** How to write castling, if the move looks like an attempt to castle. */
function castlingHint({ position, from, to }: Attempt): string {
  const { board, side } = position;
  const meant = castlingsFrom(board, side, kingOf(position, side)).find(
    (castling) => hasRight(position, castling) && isMeant(castling, from, to),
  );
  if (meant === undefined) return '';
  const [king, written] = [fromOf(meant.move), toOf(meant.move)].map((index) => nameOf(board, index));
  return `; castling is written ${board.castling.written}, as ${king}${written}`;
}

const isMeant = ({ king, rook, ways }: Castling, from: number, to: number): boolean =>
  from === king ? to === rook || ways.some(({ kingTo }) => kingTo === to) : from === rook && to === king;

function castlingFault(attempt: Attempt): Refusal | null {
  const { position, from, to } = attempt;
  if (kindOf(attempt) !== KING) return null;
  const castling = castlingWritten(position, from, to);
  if (castling === undefined) return null;
  const reason = castlingReason(attempt, castling);
  if (reason !== null) {
    return illegal('castling', `${sideName(castling.side)} cannot castle ${castling.san}: ${reason}.`);
  }
  const written = square(attempt, from) + square(attempt, to);
  return illegal('promotion', `Castling has no promotion letter after its squares. Write ${written}.`);
}

function castlingReason(attempt: Attempt, castling: Castling): string | null {
  const { position } = attempt;
  if (!hasRight(position, castling)) return 'the king or that rook has moved, or the rook was captured';
  const way = openWay(position, castling);
  if (way === undefined) {
    const taken = firstTaken(position, castling.ways.at(-1)!);
    return `there is a piece between king and rook, on ${square(attempt, taken)}`;
  }
  const from = checker(position);
  if (from !== NO_SQUARE) return `the king is in check from ${square(attempt, from)}`;
  const attacked = firstAttacked(position, castling, way);
  if (attacked === NO_SQUARE) return null;
  const by = attackerOn(position, castling, way, attacked);
  const verb = attacked === way.kingTo ? 'land on' : 'pass over';
  return `the king would ${verb} ${square(attempt, attacked)}, which is attacked from ${square(attempt, by)}`;
}

/** Refuses a move that the piece cannot make at all. */
function wayFault(attempt: Attempt): Refusal | null {
  const kind = kindOf(attempt);
  if (kind === PAWN) return pawnFault(attempt);
  return kind === KNIGHT || kind === KING ? leapFault(attempt, kind) : lineFault(attempt, kind);
}

const cannotReach = (attempt: Attempt): Refusal =>
  illegal(
    'cannotReach',
    `${Mover(attempt)} cannot go to ${square(attempt, attempt.to)}: ${WAYS[kindOf(attempt)]}${castlingHint(attempt)}.`,
  );

const WAYS = [
  '',
  'a pawn steps one square forward, or two from its first square, and captures diagonally forward',
  'a knight goes two squares along a line and one to the side',
  'a bishop moves diagonally',
  'a rook moves along ranks and files',
  'a queen moves along ranks, files and diagonals',
  'a king moves one square',
];

const blocked = (attempt: Attempt, by: number): Refusal =>
  illegal(
    'blocked',
    `${Mover(attempt)} cannot go to ${square(attempt, attempt.to)}: the ${kindName(attempt.position.cells[by]!)} on ${square(attempt, by)} is in the way.`,
  );

function leapFault(attempt: Attempt, kind: number): Refusal | null {
  const { board } = attempt.position;
  const table = kind === KNIGHT ? board.knight : board.king;
  return isListed(table, leapsFrom(attempt.from), attempt.to) ? null : cannotReach(attempt);
}

function lineFault(attempt: Attempt, kind: number): Refusal | null {
  const { position, from, to } = attempt;
  const { board, cells } = position;
  const direction = board.line[from * board.squares + to]!;
  if (direction < 0 || !slides(kind, direction)) return cannotReach(attempt);
  const by = between(board, from, to).find((index) => cells[index] !== EMPTY);
  return by === undefined ? null : blocked(attempt, by);
}

function pawnFault(attempt: Attempt): Refusal | null {
  const { position, from, to } = attempt;
  const { board, cells, side } = position;
  const { steps, takes } = pawnPathsOf(board, side);
  const start = stepsFrom(from);
  if (isListed(takes, start, to)) return cells[to] === EMPTY ? enPassantFault(attempt) : null;
  if (!isListed(steps, start, to)) return cannotReach(attempt);
  const by = [...between(board, from, to), to].find((index) => cells[index] !== EMPTY);
  if (by === undefined) return null;
  if (by !== to) return blocked(attempt, by);
  return illegal(
    'cannotCapture',
    `${Mover(attempt)} cannot take on ${square(attempt, to)}: a pawn captures only diagonally.`,
  );
}

/** A pawn moves diagonally to an empty square only en passant. */
function enPassantFault(attempt: Attempt): Refusal | null {
  const { position, to } = attempt;
  const { board, cells, side } = position;
  const passed = to - pawnPathsOf(board, side).forward;
  if (rankFor(board, other(side), to) !== 2 || cells[passed] !== -side * PAWN) {
    return illegal(
      'cannotCapture',
      `${Mover(attempt)} has nothing to take on ${square(attempt, to)}: a pawn goes diagonally only to capture.`,
    );
  }
  // The position does not keep an en passant square that would expose the king, so check that before saying it
  // lapsed.
  if (to === position.enPassant || (position.quiet === 0 && exposedFrom(attempt) !== NO_SQUARE)) return null;
  return illegal(
    'cannotCapture',
    `${Mover(attempt)} cannot take on ${square(attempt, to)}: en passant is possible only right after the double step.`,
  );
}

function promotionFault(attempt: Attempt): Refusal | null {
  const { position, to, promotion } = attempt;
  const promotes = kindOf(attempt) === PAWN && isEndRank(position.board, to);
  if (!promotes) {
    return promotion === ''
      ? null
      : illegal(
          'promotion',
          `${Mover(attempt)} does not promote on ${square(attempt, to)}. Leave out the letter ${promotion}.`,
        );
  }
  if (PROMOTIONS.some((kind) => kindLetter(kind).toLowerCase() === promotion)) return null;
  const wrong = promotion === '' ? '' : `, not ${promotion}`;
  return illegal(
    'promotion',
    `${Mover(attempt)} promotes on ${square(attempt, to)}. Add q, r, b or n to the move${wrong}.`,
  );
}

function checkFault(attempt: Attempt): Refusal | null {
  const { position, to } = attempt;
  const exposed = exposedFrom(attempt);
  if (exposed === NO_SQUARE) return null;
  const from = square(attempt, exposed);
  if (kindOf(attempt) === KING) {
    return illegal(
      'leavesKingInCheck',
      `The king cannot go to ${square(attempt, to)}: it would be in check from ${from}.`,
    );
  }
  const king = `the king on ${square(attempt, kingOf(position, position.side))}`;
  const verb = checker(position) === NO_SQUARE ? `put ${king} in check` : `leave ${king} in check`;
  return illegal('leavesKingInCheck', `Moving ${mover(attempt)} would ${verb} from ${from}.`);
}

function exposedFrom(attempt: Attempt): number {
  const { position, from, to } = attempt;
  const isDiagonal = position.board.file[from] !== position.board.file[to];
  const special = kindOf(attempt) === PAWN && isDiagonal && position.cells[to] === EMPTY ? EN_PASSANT : PLAIN;
  return attackerAfter(position, makeMove(from, to, 0, special));
}
