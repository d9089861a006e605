import { FACE_DOWN_LETTER } from '../rules/board.js';
import type { Palette } from './palette.js';
import { isUpper } from './pieces.js';
import type { Scene } from './picture.js';
import { circle, num, path } from './svg.js';
import { CELL, HALF, middle, squareOf, type View } from './view.js';

/** What is marked on a board, by the names of squares. */
export interface Marks {
  /** A piece, and where it may go. */
  readonly moves?: { readonly from: string; readonly to: readonly string[] };
  /** The squares of a move that was chosen. */
  readonly chosen?: readonly string[];
  /** Where it may not go. */
  readonly crosses?: readonly string[];
  /** What stands in the way. */
  readonly blocks?: readonly string[];
  /** Moves, such as `e2e4`. */
  readonly arrows?: readonly string[];
}

type Place = readonly [number, number];
const EMPTY = '.';

/** The marks below the pieces. */
export function under(
  { trail, check }: Scene,
  { moves, chosen = [], blocks = [] }: Marks,
  view: View,
  palette: Palette,
) {
  const block =
    (inset: number, opacity: number, more = '') =>
    (square: string, colour: string) => {
      const [x, y] = middle(view, squareOf(square));
      const [left, top] = [x, y].map((value) => num(value - HALF + inset));
      const side = CELL - 2 * inset;
      return `<rect x="${left}" y="${top}" width="${side}" height="${side}" fill="${colour}" fill-opacity="${opacity}"${more}/>`;
    };
  const [full, inner] = [block(0, 0.6), block(0.5, 0.9)];
  // Seen beside any square, whatever its colour.
  const edged = block(1.5, 0.9, ` stroke="${palette.edge}" stroke-width="3"`);
  return [
    ...trail.map((square) => full(square, palette.lastMove)),
    ...(moves === undefined ? chosen : [moves.from]).map((square) => edged(square, palette.from)),
    ...blocks.map((square) => inner(square, palette.block)),
    ...(check === null ? [] : [edged(check, palette.check)]),
  ].join('');
}

/** The marks above the pieces. */
export function over(scene: Scene, marks: Marks, view: View, palette: Palette): string {
  const { moves, crosses = [], arrows = [] } = marks;
  const letterOn = (square: string) => scene.pieces.find((piece) => piece.square === square)?.letter ?? EMPTY;
  const at = (square: string) => middle(view, squareOf(square));
  const mover = moves === undefined ? EMPTY : letterOn(moves.from);
  return [
    ...(moves?.to ?? []).map((square) => target(mover, letterOn(square), at(square), palette)),
    ...crosses.map((square) => cross(letterOn(square) === EMPTY, at(square), palette)),
    ...arrows.map((move) => arrow(at, move, palette)),
  ].join('');
}

/** A dot for a move, a ring for a capture; the ring is broken if the piece to capture is face-down. */
function target(mover: string, letter: string, [x, y]: Place, { target: colour, castle, halo }: Palette) {
  if (letter === EMPTY) return circle(x, y, 8, `fill="${colour}" stroke="${halo}" stroke-width="2"`);
  const ring = (stroke: string, wide: number, more = '') =>
    circle(x, y, 19.5, `fill="none" stroke="${stroke}" stroke-width="${wide}"${more}`);
  if (letter === FACE_DOWN_LETTER) return ring(halo, 6) + ring(colour, 4, ' stroke-dasharray="7 4"');
  return ring(halo, 6) + ring(isUpper(letter) === isUpper(mover) ? castle : colour, 4);
}

/** On a piece the cross is small and in its corner, so that the piece can still be read. */
function cross(isFree: boolean, [x, y]: Place, { cross: colour, halo }: Palette): string {
  const [middleX, middleY, arm] = isFree ? [x, y, 9] : [x + 16, y - 16, 4.5];
  const data = `M${num(middleX - arm)} ${num(middleY - arm)}l${2 * arm} ${2 * arm}m0-${2 * arm}l-${2 * arm} ${2 * arm}`;
  const stroke = (ink: string, wide: number) =>
    path(data, `stroke="${ink}" stroke-width="${wide}" stroke-linecap="round"`);
  return stroke(halo, 7) + stroke(colour, 4);
}

function arrow(at: (square: string) => Place, move: string, { target: colour }: Palette): string {
  const [, from, to] = /^([a-z]\d+)([a-z]\d+)/.exec(move)!;
  const [start, end] = [at(from!), at(to!)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const [dx, dy] = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
  const near = (along: number, aside: number) =>
    `${num(end[0] - dx * along - dy * aside)} ${num(end[1] - dy * along + dx * aside)}`;
  const shaft = `M${num(start[0] + dx * 13)} ${num(start[1] + dy * 13)}L${near(18, 0)}`;
  return (
    path(shaft, `stroke="${colour}" stroke-width="5" stroke-opacity=".85"`) +
    path(`M${near(4, 0)}L${near(19, 9)}L${near(19, -9)}z`, `fill="${colour}" fill-opacity=".9"`)
  );
}
