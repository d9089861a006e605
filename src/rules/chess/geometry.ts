import { squareName, type BoardSize } from '../board.js';
import { BISHOP, BLACK, KING, KNIGHT, QUEEN, ROOK, WHITE, type Side } from './pieces.js';

/**
 * Where the pieces go from every square of an empty board. Each table is made of lists of equal length that are read
 * from where `leapsFrom`, `stepsFrom` or `rayFrom` says until a negative number.
 */
export interface Geometry {
  readonly size: BoardSize;
  readonly squares: number;
  readonly file: Int8Array;
  readonly rank: Int8Array;
  readonly knight: Int8Array;
  readonly king: Int8Array;
  readonly white: PawnPaths;
  readonly black: PawnPaths;
  /** Eight rays for each square, nearest squares first: 0 to 3 along ranks and files, 4 to 7 along diagonals. */
  readonly rays: Int8Array;
  /** `line[from * squares + to]`: the direction in which `to` lies from `from`, negative where they share no line. */
  readonly line: Int8Array;
  readonly paths: Paths;
}

/**
 * The ways of knights, bishops, rooks and queens as one list: from `starts[pathOf(kind, from)]` on stand the squares of
 * the first line, nearest first, then those of the next one, until a negative number. Where something stands in the
 * way, `skips` says where the next line begins.
 */
export interface Paths {
  readonly starts: Int16Array;
  readonly squares: Int8Array;
  readonly skips: Int16Array;
  /** Direction of the line, plus 8 on its first square. */
  readonly seen: Int8Array;
}

/** Where the pawns of one side step (one square, then two if they have not moved yet) and where they capture. */
export interface PawnPaths {
  readonly forward: number;
  readonly steps: Int8Array;
  readonly takes: Int8Array;
  /** 1 on the squares from where a pawn may step two squares. */
  readonly doubles: Int8Array;
  /** 1 on the squares from where every move promotes. */
  readonly promotes: Int8Array;
}

// Lists have room for their longest entry and the number that ends it.
const END = -1;
const LEAPS = 9;
const STEPS = 3;
const RAY = 8;
const DIRECTIONS = 8;

export const leapsFrom = (square: number): number => square * LEAPS;
export const stepsFrom = (square: number): number => square * STEPS;
export const rayFrom = (square: number, direction: number): number => (square * DIRECTIONS + direction) * RAY;

export const pathOf = (kind: number, square: number): number => (kind << 6) | square;

type Step = readonly [file: number, rank: number];

const STRAIGHT_STEPS: readonly Step[] = [[0, 1], [1, 0], [0, -1], [-1, 0]]; // prettier-ignore
const DIAGONAL_STEPS: readonly Step[] = [[1, 1], [1, -1], [-1, -1], [-1, 1]]; // prettier-ignore
const KING_STEPS: readonly Step[] = [...STRAIGHT_STEPS, ...DIAGONAL_STEPS];
const KNIGHT_STEPS: readonly Step[] = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]]; // prettier-ignore

/** The tables of a board of at most eight ranks and files, so that a square fits into the six bits of a move. */
export function geometryOf(size: BoardSize): Geometry {
  const squares = squaresOf(size);
  const rays = squares.flatMap((from) => KING_STEPS.map((step) => ray(size, from, step)));
  return {
    size,
    squares: squares.length,
    file: Int8Array.from(squares, (square) => square % size.files),
    rank: Int8Array.from(squares, (square) => Math.floor(square / size.files)),
    knight: leaps(size, KNIGHT_STEPS, LEAPS),
    king: leaps(size, KING_STEPS, LEAPS),
    white: pawnPaths(size, WHITE),
    black: pawnPaths(size, BLACK),
    rays: lists(rays, RAY),
    line: lines(squares.length, rays),
    paths: pathsOf(size),
  };
}

export const nameOf = (board: Geometry, square: number): string => squareName(board.size, square);

/** The rank of a square as its side counts, 0 being that of its own back row. */
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

/** The lines of each kind from a square, each with its direction; those of a knight are its single leaps. */
function linesOf(
  size: BoardSize,
  kind: number,
  from: number,
): readonly (readonly [number, readonly number[]])[] {
  if (kind === KNIGHT) return KNIGHT_STEPS.map((step) => [0, ray(size, from, step).slice(0, 1)]);
  const runs = KING_STEPS.map((step, direction) => [direction, ray(size, from, step)] as const);
  return runs.slice(kind === BISHOP ? 4 : 0, kind === ROOK ? 4 : 8);
}

function pathsOf(size: BoardSize): Paths {
  const starts = new Int16Array(pathOf(KING, 0));
  const squares: number[] = [];
  const skips: number[] = [];
  const seen: number[] = [];
  for (const kind of [KNIGHT, BISHOP, ROOK, QUEEN]) {
    for (const from of squaresOf(size)) {
      starts[pathOf(kind, from)] = squares.length;
      for (const [direction, line] of linesOf(size, kind, from)) {
        const next = squares.length + line.length;
        squares.push(...line);
        line.forEach((_, at) => {
          skips.push(next);
          seen.push(at === 0 ? direction + DIRECTIONS : direction);
        });
      }
      squares.push(END);
      skips.push(0);
      seen.push(0);
    }
  }
  return {
    starts,
    squares: Int8Array.from(squares),
    skips: Int16Array.from(skips),
    seen: Int8Array.from(seen),
  };
}

const squaresOf = (size: BoardSize): readonly number[] =>
  Array.from({ length: size.files * size.ranks }, (_, square) => square);

const leaps = (size: BoardSize, steps: readonly Step[], room: number): Int8Array =>
  lists(
    squaresOf(size).map((from) => steps.flatMap((step) => ray(size, from, step).slice(0, 1))),
    room,
  );

const isEnd = ({ files, ranks }: BoardSize, square: number): boolean =>
  square < files || square >= files * (ranks - 1);

function pawnPaths(size: BoardSize, side: Side): PawnPaths {
  const home = side === WHITE ? 1 : size.ranks - 2;
  const steps = squaresOf(size).map((from) =>
    ray(size, from, [0, side]).slice(0, Math.floor(from / size.files) === home ? 2 : 1),
  );
  const takes = leaps(size, [[-1, side], [1, side]], STEPS); // prettier-ignore
  const promotes = Int8Array.from(steps, ([to]) => (to === undefined || isEnd(size, to) ? 1 : 0));
  const doubles = Int8Array.from(steps, ({ length }) => (length === 2 ? 1 : 0));
  return { forward: side * size.files, steps: lists(steps, STEPS), takes, doubles, promotes };
}

function ray(size: BoardSize, from: number, [files, ranks]: Step): readonly number[] {
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

function lists(all: readonly (readonly number[])[], room: number): Int8Array {
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
