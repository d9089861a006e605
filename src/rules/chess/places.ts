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
 * Tables read for every piece of every position. A place is a square in tables shared by all boards, one board after
 * the other: V8 folds a module constant longer than 64 bytes, but not the fields of a board object.
 */
const PLACES = SIZES.flatMap((size) => squaresOf(size).map((square) => ({ size, square })));

/** Pawns have their own places, White's first. */
const PAWN_PLACES = ([WHITE, BLACK] as const).flatMap((side) => PLACES.map((place) => ({ ...place, side })));

export const placeOf = ({ base }: Geometry, square: number): number => base + square;

export const pawnPlaceOf = ({ base }: Geometry, side: Side, square: number): number =>
  side > 0 ? base + square : base + square + PLACES.length;

export const pathIndex = (kind: number, place: number): number => place * DIRECTIONS + kind;

const leapsOfAll = (steps: readonly Step[]): Int8Array =>
  lists(
    PLACES.map(({ size, square }) => leapsOf(size, square, steps)),
    LEAPS,
  );

/** Lists of squares; `leapsFrom` of a place says where they begin. */
export const KNIGHT_LEAPS = leapsOfAll(KNIGHT_STEPS);
export const KING_LEAPS = leapsOfAll(KING_STEPS);

/** The lines of a kind from a square with their directions; for a knight, its leaps. */
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
      all.starts[pathIndex(kind, at)] = all.squares.length;
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
 * The lines of knights, bishops, rooks and queens as one list: from `STARTS[pathIndex(kind, place)]` on the squares of
 * the first line, nearest first, then those of the next, until a negative number. From a blocked square, `SKIPS`
 * leads to the next line.
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
 * The target squares of a pawn's steps and captures. Its own square stands for a missing one, since that is neither
 * free nor the enemy's.
 */
export const FIRST_STEP = steps(0);
export const SECOND_STEP = steps(1);
export const LEFT_TAKE = takes(-1);
export const RIGHT_TAKE = takes(1);

/** How many moves each of them counts as: one for each promotion kind. */
export const PAWN_KINDS = Int8Array.from(PAWN_PLACES, ({ size, side, square }) =>
  isPromoting(size, side, square) ? PROMOTIONS.length : 1,
);
