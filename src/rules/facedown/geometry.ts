import { squareName, type BoardSize } from '../board.js';
import type { Move } from '../ruleset.js';

/** The squares, lines and moves of a board, computed once for each game. */
export interface Geometry {
  readonly size: BoardSize;
  readonly squares: number;
  /** For each square the squares of its rank and file, in four directions, nearest first. */
  readonly rays: readonly (readonly (readonly number[])[])[];
  /** For each square the squares one step away. */
  readonly neighbours: readonly (readonly number[])[];
  readonly names: readonly string[];
  /** A move is `from * squares + to`, a turn-up goes from a square to itself, and this comes after them all. */
  readonly pass: Move;
  /** The text of every move by its number. */
  readonly texts: readonly string[];
}

const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
] as const;

function ray({ files, ranks }: BoardSize, from: number, [right, up]: readonly [number, number]): number[] {
  const squares: number[] = [];
  let file = (from % files) + right;
  let rank = Math.floor(from / files) + up;
  for (; file >= 0 && file < files && rank >= 0 && rank < ranks; file += right, rank += up) {
    squares.push(rank * files + file);
  }
  return squares;
}

export function geometry(size: BoardSize): Geometry {
  const squares = size.files * size.ranks;
  const all = Array.from({ length: squares }, (_, square) => square);
  const rays = all.map((from) => DIRECTIONS.map((direction) => ray(size, from, direction)));
  const names = all.map((square) => squareName(size, square));
  const texts = names.flatMap((from) => names.map((to) => (from === to ? from : from + to)));
  return {
    size,
    squares,
    rays,
    neighbours: rays.map((lines) => lines.flatMap((line) => line.slice(0, 1))),
    names,
    pass: squares * squares,
    texts: [...texts, 'pass'],
  };
}
