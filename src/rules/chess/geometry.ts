import { squareName, type BoardSize } from '../board.js';
import { BLACK, WHITE, type Side } from './pieces.js';

/**
 * Move tables of an empty board. Each consists of lists of equal length, which start where `leapsFrom`, `stepsFrom`
 * or `rayFrom` says and end with a negative number.
 */
export interface Geometry {
  readonly size: BoardSize;
  readonly squares: number;
  /** The place of its first square; see places.ts. */
  readonly base: number;
  readonly file: Int8Array;
  readonly rank: Int8Array;
  readonly knight: Int8Array;
  readonly king: Int8Array;
  readonly white: PawnPaths;
  readonly black: PawnPaths;
  /** Eight rays for each square, nearest squares first: 0 to 3 along ranks and files, 4 to 7 along diagonals. */
  readonly rays: Int8Array;
  /** `line[from * squares + to]`: the direction from `from` to `to`, negative if they share no line. */
  readonly line: Int8Array;
}

/** The steps (one square, then two from the start) and captures of the pawns of one side. */
export interface PawnPaths {
  readonly forward: number;
  readonly steps: Int8Array;
  readonly takes: Int8Array;
  /** 1 on the squares from where a pawn may step two squares. */
  readonly doubles: Int8Array;
  /** 1 on the squares from where every move promotes. */
  readonly promotes: Int8Array;
}

/** The boards of the family, of at most eight ranks and files, so that a square fits into the six bits of a move. */
export const SIZES = [
  { files: 8, ranks: 8 },
  { files: 5, ranks: 5 },
] as const;
export type Size = (typeof SIZES)[number];

// The lengths of the lists: the longest entry and the number that ends it.
export const END = -1;
export const LEAPS = 9;
const STEPS = 3;
const RAY = 8;
export const DIRECTIONS = 8;

export const leapsFrom = (square: number): number => square * LEAPS;
export const stepsFrom = (square: number): number => square * STEPS;
export const rayFrom = (square: number, direction: number): number => (square * DIRECTIONS + direction) * RAY;

export type Step = readonly [file: number, rank: number];

const STRAIGHT_STEPS: readonly Step[] = [[0, 1], [1, 0], [0, -1], [-1, 0]]; // prettier-ignore
const DIAGONAL_STEPS: readonly Step[] = [[1, 1], [1, -1], [-1, -1], [-1, 1]]; // prettier-ignore
export const KING_STEPS: readonly Step[] = [...STRAIGHT_STEPS, ...DIAGONAL_STEPS];
export const KNIGHT_STEPS: readonly Step[] = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]]; // prettier-ignore

/** The tables of a board in `SIZES`; the generator has none for others. */
export function geometryOf(size: Size): Geometry {
  const squares = squaresOf(size);
  const rays = squares.flatMap((from) => KING_STEPS.map((step) => ray(size, from, step)));
  return {
    size,
    squares: squares.length,
    base: baseOf(size),
    file: Int8Array.from(squares, (square) => square % size.files),
    rank: Int8Array.from(squares, (square) => Math.floor(square / size.files)),
    knight: leaps(size, KNIGHT_STEPS, LEAPS),
    king: leaps(size, KING_STEPS, LEAPS),
    white: pawnPaths(size, WHITE),
    black: pawnPaths(size, BLACK),
    rays: lists(rays, RAY),
    line: lines(squares.length, rays),
  };
}

export const nameOf = (board: Geometry, square: number): string => squareName(board.size, square);

/** The rank of a square seen from a side, 0 being its own first rank. */
export const rankFor = (board: Geometry, side: Side, square: number): number =>
  side === WHITE ? board.rank[square]! : board.size.ranks - 1 - board.rank[square]!;

export const pawnPathsOf = (board: Geometry, side: Side): PawnPaths => (side > 0 ? board.white : board.black);

/** Is the square on the first or the last rank? */
export const isEndRank = ({ size }: Geometry, square: number): boolean => isEnd(size, square);

/** Is the square light or dark? 0 or 1. */
export const shade = (board: Geometry, square: number): number =>
  (board.file[square]! + board.rank[square]!) & 1;

/** The squares strictly between two squares of one line, from the first on; none where they share no line. */
export function between(board: Geometry, from: number, to: number): readonly number[] {
  const direction = board.line[from * board.squares + to]!;
  if (direction < 0) return [];
  const start = rayFrom(from, direction);
  const ray = board.rays.subarray(start, start + RAY);
  return [...ray.subarray(0, ray.indexOf(to))];
}

/** Is the square in the list of a table that begins at `start`? */
export function isListed(table: Int8Array, start: number, wanted: number): boolean {
  let at = start;
  while (table[at]! >= 0 && table[at] !== wanted) at++;
  return table[at] === wanted;
}

export const squaresOf = (size: BoardSize): readonly number[] =>
  Array.from({ length: size.files * size.ranks }, (_, square) => square);

/** The number of places before those of this board. */
function baseOf({ files, ranks }: BoardSize): number {
  const index = SIZES.findIndex((size) => size.files === files && size.ranks === ranks);
  return SIZES.slice(0, index).reduce((base, size) => base + size.files * size.ranks, 0);
}

const leaps = (size: BoardSize, steps: readonly Step[], room: number): Int8Array =>
  lists(
    squaresOf(size).map((from) => leapsOf(size, from, steps)),
    room,
  );

export const leapsOf = (size: BoardSize, from: number, steps: readonly Step[]): readonly number[] =>
  steps.flatMap((step) => ray(size, from, step).slice(0, 1));

const isEnd = ({ files, ranks }: BoardSize, square: number): boolean =>
  square < files || square >= files * (ranks - 1);

/** True if every move of a pawn from this square promotes. */
export const isPromoting = (size: BoardSize, side: Side, from: number): boolean => {
  const [to] = ray(size, from, [0, side]);
  return to === undefined || isEnd(size, to);
};

/** The steps of a pawn on an empty board: one square, then two. */
export function pawnSteps(size: BoardSize, side: Side, from: number): readonly number[] {
  const home = side === WHITE ? 1 : size.ranks - 2;
  return ray(size, from, [0, side]).slice(0, Math.floor(from / size.files) === home ? 2 : 1);
}

function pawnPaths(size: BoardSize, side: Side): PawnPaths {
  const steps = squaresOf(size).map((from) => pawnSteps(size, side, from));
  const takes = leaps(size, [[-1, side], [1, side]], STEPS); // prettier-ignore
  const promotes = Int8Array.from(squaresOf(size), (from) => (isPromoting(size, side, from) ? 1 : 0));
  const doubles = Int8Array.from(steps, ({ length }) => (length === 2 ? 1 : 0));
  return { forward: side * size.files, steps: lists(steps, STEPS), takes, doubles, promotes };
}

/** The squares in one direction to the edge of the board, nearest first. */
export function ray(size: BoardSize, from: number, [files, ranks]: Step): readonly number[] {
  const squares: number[] = [];
  let file = (from % size.files) + files;
  let rank = Math.floor(from / size.files) + ranks;
  while (file >= 0 && file < size.files && rank >= 0 && rank < size.ranks) {
    squares.push(rank * size.files + file);
    file += files;
    rank += ranks;
  }
  return squares;
}

export function lists(all: readonly (readonly number[])[], room: number): Int8Array {
  const table = new Int8Array(all.length * room).fill(END);
  all.forEach((list, index) => table.set(list, index * room));
  return table;
}

function lines(squares: number, rays: readonly (readonly number[])[]): Int8Array {
  const table = new Int8Array(squares * squares).fill(END);
  rays.forEach((ray, index) => {
    const from = Math.floor(index / DIRECTIONS);
    for (const to of ray) table[from * squares + to] = index % DIRECTIONS;
  });
  return table;
}
