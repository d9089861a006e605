import {
  DIRECTIONS,
  END,
  KING_STEPS,
  KNIGHT_STEPS,
  LEAPS,
  SIZES,
  isPromoting,
  leapsOf,
  lists,
  pawnSteps,
  ray,
  squaresOf,
  type Geometry,
  type Step,
} from './geometry.js';
import { BISHOP, BLACK, KNIGHT, PROMOTIONS, QUEEN, ROOK, WHITE, type Side } from './pieces.js';

/**
 * What is read for every piece of every position. Here the squares of all boards stand in the same tables, one board
 * after the other, and are called places: V8 folds a table that is a constant of a module and longer than 64 bytes, but
 * not the fields of a board.
 */
const PLACES = SIZES.flatMap((size) => squaresOf(size).map((square) => ({ size, square })));

/** Pawns have their own places, first those of White. */
const PAWN_PLACES = ([WHITE, BLACK] as const).flatMap((side) => PLACES.map((place) => ({ ...place, side })));

export const placeOf = ({ base }: Geometry, square: number): number => base + square;

export const pawnPlaceOf = ({ base }: Geometry, side: Side, square: number): number =>
  side > 0 ? base + square : base + square + PLACES.length;

export const wayOf = (kind: number, place: number): number => place * DIRECTIONS + kind;

const leapsOfAll = (steps: readonly Step[]): Int8Array =>
  lists(
    PLACES.map(({ size, square }) => leapsOf(size, square, steps)),
    LEAPS,
  );

/** Lists of squares, as those of a board; `leapsFrom` of a place says where they begin. */
export const KNIGHT_LEAPS = leapsOfAll(KNIGHT_STEPS);
export const KING_LEAPS = leapsOfAll(KING_STEPS);

/** The lines of each kind from a square, each with its direction; those of a knight are its single leaps. */
function linesOf(
  kind: number,
  { size, square }: (typeof PLACES)[number],
): readonly (readonly [number, readonly number[]])[] {
  if (kind === KNIGHT) return leapsOf(size, square, KNIGHT_STEPS).map((to) => [0, [to]]);
  const lines = KING_STEPS.map((step, direction) => [direction, ray(size, square, step)] as const);
  return lines.slice(kind === BISHOP ? 4 : 0, kind === ROOK ? 4 : 8);
}

/** The lists of the four tables below. */
function ways(): Record<'starts' | 'squares' | 'skips' | 'seen', number[]> {
  const all = { starts: [], squares: [], skips: [], seen: [] } as ReturnType<typeof ways>;
  for (const kind of [KNIGHT, BISHOP, ROOK, QUEEN]) {
    PLACES.forEach((place, at) => {
      all.starts[wayOf(kind, at)] = all.squares.length;
      for (const [direction, line] of linesOf(kind, place)) {
        const next = all.squares.length + line.length;
        all.squares.push(...line);
        all.skips.push(...line.map(() => next));
        all.seen.push(...line.map((_, index) => (index === 0 ? direction + DIRECTIONS : direction)));
      }
      all.squares.push(END);
      all.skips.push(END);
      all.seen.push(END);
    });
  }
  return all;
}

const WAYS = ways();

/**
 * The ways of knights, bishops, rooks and queens as one list: from `STARTS[wayOf(kind, place)]` on stand the squares of
 * the first line, nearest first, then those of the next one, until a negative number. Where something stands in the
 * way, `SKIPS` says where the next line begins.
 */
export const STARTS = Int16Array.from(WAYS.starts);
export const SQUARES = Int8Array.from(WAYS.squares);
export const SKIPS = Int16Array.from(WAYS.skips);
/** Direction of the line, plus 8 on its first square. */
export const SEEN = Int8Array.from(WAYS.seen);

const steps = (index: 0 | 1): Int8Array =>
  Int8Array.from(PAWN_PLACES, ({ size, side, square }) => pawnSteps(size, side, square)[index] ?? square);

const takes = (file: -1 | 1): Int8Array =>
  Int8Array.from(PAWN_PLACES, ({ size, side, square }) => ray(size, square, [file, side])[0] ?? square);

/**
 * Where the steps of a pawn end and where it captures to either side: its own square in place of one that there
 * is not, as that is neither free nor the enemy's.
 */
export const FIRST_STEP = steps(0);
export const SECOND_STEP = steps(1);
export const LEFT_TAKE = takes(-1);
export const RIGHT_TAKE = takes(1);

/** How many moves each of them is: as many as there are kinds that the pawn may become. */
export const PAWN_KINDS = Int8Array.from(PAWN_PLACES, ({ size, side, square }) =>
  isPromoting(size, side, square) ? PROMOTIONS.length : 1,
);
