import { squareName } from '../board.js';
import { BLACK, RED, type Side } from './pieces.js';

/**
 * Move tables of the empty board. Square 0 is a1, 1 is b1, 89 is i10. Each table consists of lists of equal length,
 * one per square, which start where `stepsFrom`, `leapsFrom` or `rayFrom` says and end with a negative number.
 */

export const BOARD = { files: 9, ranks: 10 } as const;
export const SQUARES = BOARD.files * BOARD.ranks;
export const NO_SQUARE = -1;

const STEPS = 5;
const LEAPS = 17;
const REACH = 10;
const END = -1;

/** The rays of a square are numbered clockwise from the one towards Black. */
export const UP = 0;
export const DOWN = 2;

export const stepsFrom = (square: number): number => square * STEPS;
export const leapsFrom = (square: number): number => square * LEAPS;
export const rayFrom = (square: number, direction: number): number => (square * 4 + direction) * REACH;

export const fileOf = (square: number): number => square % BOARD.files;
export const rankOf = (square: number): number => Math.floor(square / BOARD.files);
export const nameOf = (square: number): string => squareName(BOARD, square);

/** The rank of a square seen from a side, 0 being its own first rank. */
export const rankFor = (side: Side, square: number): number =>
  side === RED ? rankOf(square) : BOARD.ranks - 1 - rankOf(square);

/** Is the square on this side's half of the board? */
export const isOwnHalf = (side: Side, square: number): boolean => rankFor(side, square) <= 4;

/** Is the square in this side's palace? */
export const isPalace = (side: Side, square: number): boolean =>
  Math.abs(fileOf(square) - 4) <= 1 && rankFor(side, square) <= 2;

type Step = readonly [file: number, rank: number];

const STRAIGHT: readonly Step[] = [[0, 1], [1, 0], [0, -1], [-1, 0]]; // prettier-ignore
const DIAGONAL: readonly Step[] = [[1, 1], [1, -1], [-1, -1], [-1, 1]]; // prettier-ignore
const SIDES: readonly Side[] = [RED, BLACK];

/** The square at this offset, or NO_SQUARE beyond the edge. */
function offset(square: number, [files, ranks]: Step): number {
  const file = fileOf(square) + files;
  const rank = rankOf(square) + ranks;
  const isOn = file >= 0 && file < BOARD.files && rank >= 0 && rank < BOARD.ranks;
  return isOn ? rank * BOARD.files + file : NO_SQUARE;
}

const isPalaceStep = (from: number, to: number): boolean =>
  SIDES.some((side) => isPalace(side, from) && isPalace(side, to));

/** Single steps within one palace. */
const palaceSteps = (from: number, steps: readonly Step[]): readonly number[] =>
  steps.map((step) => offset(from, step)).filter((to) => to !== NO_SQUARE && isPalaceStep(from, to));

function soldierSteps(side: Side, from: number): readonly number[] {
  const sideways: readonly Step[] = isOwnHalf(side, from) ? [] : [[1, 0], [-1, 0]]; // prettier-ignore
  const steps: readonly Step[] = [[0, side], ...sideways];
  return steps.map((step) => offset(from, step)).filter((to) => to !== NO_SQUARE);
}

/** Two squares diagonally, each followed by the square between, the elephant's eye. */
const elephantLeaps = (from: number): readonly number[] =>
  DIAGONAL.map(([file, rank]) => [offset(from, [2 * file, 2 * rank]), offset(from, [file, rank])])
    .filter(([to]) => to !== NO_SQUARE && isOwnHalf(RED, to!) === isOwnHalf(RED, from))
    .flat();

/** The targets of a horse, each followed by the square that it steps over, the horse's leg. */
const horseLeaps = (from: number): readonly number[] =>
  STRAIGHT.flatMap((leg) => {
    const [file, rank] = leg;
    return [1, -1]
      .map((out) => [offset(from, [2 * file + out * rank, 2 * rank + out * file]), offset(from, leg)])
      .filter(([to]) => to !== NO_SQUARE)
      .flat();
  });

/** The squares from which a horse reaches this one, each followed by its leg. */
const horseOrigins = (to: number): readonly number[] =>
  DIAGONAL.flatMap((leg) => {
    const [file, rank] = leg;
    const steps: readonly Step[] = [[2 * file, rank], [file, 2 * rank]]; // prettier-ignore
    return steps
      .map((step) => [offset(to, step), offset(to, leg)])
      .filter(([from]) => from !== NO_SQUARE)
      .flat();
  });

function ray(from: number, step: Step): readonly number[] {
  const squares: number[] = [];
  for (let to = offset(from, step); to !== NO_SQUARE; to = offset(to, step)) squares.push(to);
  return squares;
}

const squares = Array.from({ length: SQUARES }, (_, square) => square);

function lists(all: readonly (readonly number[])[], room: number): Int8Array {
  const table = new Int8Array(all.length * room).fill(END);
  all.forEach((list, index) => table.set(list, index * room));
  return table;
}

const stepTable = (steps: (from: number) => readonly number[]): Int8Array => lists(squares.map(steps), STEPS);

export const GENERAL_STEPS = stepTable((from) => palaceSteps(from, STRAIGHT));
export const ADVISOR_STEPS = stepTable((from) => palaceSteps(from, DIAGONAL));
export const RED_SOLDIER_STEPS = stepTable((from) => soldierSteps(RED, from));
export const BLACK_SOLDIER_STEPS = stepTable((from) => soldierSteps(BLACK, from));

/** Pairs: where the piece lands, and the square that must be empty for it. */
export const ELEPHANT_LEAPS = lists(squares.map(elephantLeaps), LEAPS);
export const HORSE_LEAPS = lists(squares.map(horseLeaps), LEAPS);
/** Pairs: from where a horse lands on the square, and the square that must be empty for it. */
export const HORSE_ORIGINS = lists(squares.map(horseOrigins), LEAPS);

/** Four rays for each square, nearest squares first. */
export const RAYS = lists(
  squares.flatMap((from) => STRAIGHT.map((step) => ray(from, step))),
  REACH,
);

/** The squares strictly between two squares of one rank or file, from the first on; null where they share none. */
export function between(from: number, to: number): readonly number[] | null {
  const found = STRAIGHT.map((step) => ray(from, step)).find((squares) => squares.includes(to));
  return found === undefined ? null : found.slice(0, found.indexOf(to));
}

/** Is the square in the list of a table of steps that begins at `start`? */
export function isListed(table: Int8Array, start: number, wanted: number): boolean {
  let at = start;
  while (table[at]! >= 0 && table[at] !== wanted) at++;
  return table[at] === wanted;
}
