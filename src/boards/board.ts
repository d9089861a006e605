import type { Player } from '../rules/ruleset.js';
import { over, under, type Marks } from './marks.js';
import type { Outlines } from './outlines.js';
import { PALETTES, styleSheetOf, type Palette, type Theme } from './palette.js';
import type { Drawn, Scene } from './picture.js';
import { definitions, placedPiece, type PieceSet } from './pieces.js';
import { sign } from './signs.js';
import { SURFACES, type Surface } from './surfaces.js';
import { group } from './svg.js';
import {
  between,
  CELL,
  HALF,
  isInView,
  middle,
  paperOf,
  ranksIn,
  squareOf,
  viewOf,
  type View,
} from './view.js';

/** Boards as SVG, which load nothing, not even a font. */

export interface Look {
  /** The seat at the bottom. */
  readonly orientation: Player;
  readonly theme: Theme | 'page';
  readonly pieces: PieceSet;
  /** The longer side in pixels; null for 45 for each square. */
  readonly size: number | null;
  /** The part to show, such as `a1-e2`; null for all of it. */
  readonly crop: string | null;
}

export const USUAL: Look = {
  orientation: 'first',
  theme: 'light',
  pieces: 'chinese',
  size: null,
  crop: null,
};

/** `spoken` is the title and the description, for who reads the picture alone. */
export function drawBoard(
  scene: Scene,
  look: Look,
  outlines: Outlines,
  marks: Marks = {},
  spoken = '',
): string {
  const { ruleset } = scene;
  const [surface, set] = styleOf(ruleset);
  const palette = PALETTES[look.theme];
  const view = viewOf(ruleset.board, look.crop, look.orientation);
  const shown = scene.pieces.filter(({ square }) => isInView(view, squareOf(square)));
  const letters = new Set(shown.map(({ letter }) => letter));
  const parts = [
    spoken,
    styleSheetOf(look.theme),
    definitions(letters, ruleset.pieces, set === 'chinese' ? look.pieces : set, outlines),
    frame(view, palette),
    SURFACES[surface](ruleset.board, view, palette, outlines),
    coordinates(view, palette, outlines),
    under(scene, marks, view, palette),
    shown.map(({ square, letter }) => placedPiece(letter, middle(view, squareOf(square)))).join(''),
    over(scene, marks, view, palette),
  ];
  const body = parts.filter((part) => part !== '').join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" ${measures(view, look.size)} role="img">\n${body}\n</svg>\n`;
}

/** The surface of a game, and its set of pieces. */
export function styleOf({
  pieces,
  hidden,
}: Pick<Drawn, 'pieces' | 'hidden'>): readonly [Surface, 'chess' | 'chinese'] {
  if (pieces.every(({ chinese }) => chinese === null)) return ['chequered', 'chess'];
  return [hidden ? 'squares' : 'points', 'chinese'];
}

/** How large a picture of a whole board is, in pixels. */
export const sizeOf = ({ board }: Pick<Drawn, 'board'>, size: number): Size =>
  scaled(viewOf(board, null, 'first'), size);

interface Size {
  readonly width: number;
  readonly height: number;
}

function scaled(view: View, size: number | null): Size {
  const { wide, high } = paperOf(view);
  const scale = size === null ? 1 : size / Math.max(wide, high);
  return { width: Math.round(wide * scale), height: Math.round(high * scale) };
}

function measures(view: View, size: number | null): string {
  const { left, top, wide, high } = paperOf(view);
  const { width, height } = scaled(view, size);
  return `width="${width}" height="${height}" viewBox="${left} ${top} ${wide} ${high}"`;
}

function frame(view: View, palette: Palette): string {
  const { left, top, wide, high } = paperOf(view);
  return `<rect x="${left}" y="${top}" width="${wide}" height="${high}" rx="6" fill="${palette.frame}"/>`;
}

const COORDINATE_SIZE = 14.4;

/** Files below and ranks on the left. */
function coordinates(view: View, palette: Palette, outlines: Outlines): string {
  const { from, to } = view;
  const written = (name: string, x: number, y: number) =>
    sign(name, { at: [x, y], size: COORDINATE_SIZE, isOnLine: true }, '', outlines);
  const files = between(from.file, to.file).map((file) => {
    const [x] = middle(view, { file, rank: from.rank });
    return written(String.fromCharCode(97 + file), x, ranksIn(view) * CELL - HALF + 14.5);
  });
  const ranks = between(from.rank, to.rank).map((rank) => {
    const [, y] = middle(view, { file: from.file, rank });
    return written(String(rank + 1), -HALF - 10.5, y + 5);
  });
  return group(`fill="${palette.coordinate}"`, [...files, ...ranks].join(''));
}
