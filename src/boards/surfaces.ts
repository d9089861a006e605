import type { BoardSize } from '../rules/board.js';
import type { Outlines } from './outlines.js';
import type { Palette } from './palette.js';
import { EM } from './signs.js';
import { group, num, path } from './svg.js';
import {
  between,
  CELL,
  filesIn,
  HALF,
  isInView,
  middle,
  ranksIn,
  squareOf,
  squaresIn,
  type Square,
  type View,
} from './view.js';

/** The surfaces under the pieces. */

export const SURFACES = { chequered, squares, points };
export type Surface = keyof typeof SURFACES;

const ground = (view: View, colour: string): string =>
  `<rect x="-${HALF}" y="-${HALF}" width="${filesIn(view) * CELL}" height="${ranksIn(view) * CELL}" fill="${colour}"/>`;

/** Dark and light squares; a1 is dark. */
function chequered(_board: BoardSize, view: View, palette: Palette): string {
  const dark = squaresIn(view)
    .filter(({ file, rank }) => (file + rank) % 2 === 0)
    .map((square) => middle(view, square))
    .map(([x, y]) => `M${num(x - HALF)} ${num(y - HALF)}h${CELL}v${CELL}h-${CELL}z`);
  return ground(view, palette.lightSquare) + path(dark.join(''), `fill="${palette.darkSquare}"`);
}

/** Half a board of Chinese chess: pieces stand in its squares. */
function squares(_board: BoardSize, view: View, palette: Palette): string {
  const [files, ranks] = [filesIn(view), ranksIn(view)];
  const upright = between(0, files).map((i) => `M${num(i * CELL - HALF)} -${HALF}v${ranks * CELL}`);
  const level = between(0, ranks).map((i) => `M-${HALF} ${num(i * CELL - HALF)}h${files * CELL}`);
  const lines = path([...upright, ...level].join(''), `stroke="${palette.line}" fill="none"`);
  return ground(view, palette.wood) + lines;
}

/** The diagonals of the palaces. */
const PALACES = [
  ['d1', 'f3'],
  ['f1', 'd3'],
  ['d8', 'f10'],
  ['f8', 'd10'],
].map(([from, to]) => [squareOf(from!), squareOf(to!)] as const);

/** The board of Chinese chess: pieces stand on the points. */
function points(board: BoardSize, view: View, palette: Palette, outlines: Outlines): string {
  const diagonals = PALACES.filter((ends) => ends.every((end) => isInView(view, end)));
  const lines = grid(board, view) + diagonals.map(([from, to]) => line(view, from, to)).join('');
  const isWhole = filesIn(view) === board.files && ranksIn(view) === board.ranks;
  return (
    ground(view, palette.wood) +
    path(lines, `stroke="${palette.line}" stroke-width="1.2" fill="none"`) +
    (isWhole ? border(board, palette) + river(board, palette, outlines) : '')
  );
}

/** From one place to another. */
function line(view: View, from: Square, to: Square): string {
  const [start, end] = [middle(view, from), middle(view, to)].map((place) => place.map(num).join(' '));
  return `M${start}L${end}`;
}

/** The lines of the shown part; they continue half a square past a cut. */
function grid({ files, ranks }: BoardSize, view: View): string {
  const { from, to } = view;
  const [left, right] = [Math.max(0, from.file - 0.5), Math.min(files - 1, to.file + 0.5)];
  const [bottom, top] = [Math.max(0, from.rank - 0.5), Math.min(ranks - 1, to.rank + 0.5)];
  const level = between(from.rank, to.rank).map((rank) =>
    line(view, { file: left, rank }, { file: right, rank }),
  );
  const shores = [ranks / 2 - 1, ranks / 2] as const;
  const upright = between(from.file, to.file).flatMap((file) => {
    const isEdge = file === 0 || file === files - 1;
    const spans = isEdge ? [[bottom, top]] : [[bottom, Math.min(top, shores[0])], [Math.max(bottom, shores[1]), top]]; // prettier-ignore
    return spans
      .filter(([low, high]) => low! < high!)
      .map(([low, high]) => line(view, { file, rank: low! }, { file, rank: high! }));
  });
  return [...level, ...upright].join('');
}

const BORDER = 4;

function border({ files, ranks }: BoardSize, { line: colour }: Palette): string {
  const [wide, high] = [files, ranks].map((many) => (many - 1) * CELL + 2 * BORDER);
  return `<rect x="-${BORDER}" y="-${BORDER}" width="${wide}" height="${high}" fill="none" stroke="${colour}" stroke-width="2"/>`;
}

const RIVER_SIZE = 25;
/** The characters in the river, by the files on either side. */
const RIVER = { 楚: 1.25, 河: 2.25, 漢: 5.75, 界: 6.75 };

function river({ ranks }: BoardSize, { river: colour }: Palette, outlines: Outlines): string {
  const scale = num(RIVER_SIZE / EM);
  const y = num(((ranks - 1) / 2) * CELL);
  const words = Object.entries(RIVER).map(([character, file]) =>
    path(
      outlines.characters?.[character] ?? '',
      `transform="translate(${num(file * CELL)} ${y})scale(${scale})"`,
    ),
  );
  return group(`fill="${colour}"`, words.join(''));
}
