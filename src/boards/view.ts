import type { BoardSize } from '../rules/board.js';
import type { Player } from '../rules/ruleset.js';

/** The places of squares in a picture. The middle of the upper left square is 0,0. */

export const CELL = 45;
export const HALF = CELL / 2;
const LEFT = 20.5;
const RIGHT = 7.5;
const TOP = 7.5;
const BOTTOM = 20.5;

export interface Square {
  readonly file: number;
  readonly rank: number;
}

/** The part of the board that is shown, both ends included, and the seat at the bottom. */
export interface View {
  readonly from: Square;
  readonly to: Square;
  readonly orientation: Player;
}

export const squareOf = (name: string): Square => ({
  file: name.charCodeAt(0) - 97,
  rank: Number(name.slice(1)) - 1,
});

/** The view of a part of the board, such as `a1-e2`; null for all of it. */
export function viewOf({ files, ranks }: BoardSize, part: string | null, orientation: Player): View {
  const whole = { from: { file: 0, rank: 0 }, to: { file: files - 1, rank: ranks - 1 } };
  const [from, to] = (part ?? '').split('-').map(squareOf);
  return { ...(from === undefined || to === undefined ? whole : { from, to }), orientation };
}

export const filesIn = ({ from, to }: View): number => to.file - from.file + 1;
export const ranksIn = ({ from, to }: View): number => to.rank - from.rank + 1;

/** The middle of a square; halves are places between squares. */
export const middle = ({ from, to, orientation }: View, { file, rank }: Square): readonly [number, number] =>
  orientation === 'first'
    ? [(file - from.file) * CELL, (to.rank - rank) * CELL]
    : [(to.file - file) * CELL, (rank - from.rank) * CELL];

export const isInView = ({ from, to }: View, { file, rank }: Square): boolean =>
  file >= from.file && file <= to.file && rank >= from.rank && rank <= to.rank;

export const squaresIn = ({ from, to }: View): readonly Square[] =>
  between(from.rank, to.rank).flatMap((rank) => between(from.file, to.file).map((file) => ({ file, rank })));

export const between = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The paper around the shown part: its corner, its width and its height. */
export const paperOf = (view: View) => ({
  left: -HALF - LEFT,
  top: -HALF - TOP,
  wide: filesIn(view) * CELL + LEFT + RIGHT,
  high: ranksIn(view) * CELL + TOP + BOTTOM,
});
