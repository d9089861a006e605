import { FACE_DOWN_LETTER } from '../rules/board.js';
import { EM, sign } from './signs.js';
import { circle, group, num, path } from './svg.js';
import type { Outlines } from './outlines.js';
import { HALF } from './view.js';

/** Pieces. Each kind on the board is defined once and used on its squares. */

/** What is drawn and said of a kind of piece. */
export interface DrawnPiece {
  readonly letter: string;
  readonly name: string;
  /** The characters on the pieces of the two sides, null where there are none. */
  readonly chinese: readonly string[] | null;
}

export const PIECE_SETS = ['chinese', 'western'] as const;
/** What pieces of Chinese chess show: characters, or the letters of positions. */
export type PieceSet = (typeof PIECE_SETS)[number];

const INK = '#1d1d1d';
const IVORY = '#fbf4e4';
const RED = '#b3261e';

/** No other drawing in the picture has an id. */
const idOf = (letter: string): string => `p${letter}`;

export const isUpper = (letter: string): boolean => letter !== letter.toLowerCase();

export const placedPiece = (letter: string, [x, y]: readonly [number, number]): string =>
  `<use href="#${idOf(letter)}" x="${num(x)}" y="${num(y)}"/>`;

/** The one drawing of all face-down pieces. */
const faceDown = (): string =>
  group(
    `id="${idOf(FACE_DOWN_LETTER)}" stroke="#d9b48a" fill="none"`,
    // The rim stands out from dark boards, the disc from light ones.
    circle(0, 0, 20, 'fill="#7d5233" stroke-width="2.5"') +
      circle(0, 0, 16, '') +
      path('M-9 0L0-9L9 0L0 9zM-4.5-4.5L4.5 4.5M4.5-4.5L-4.5 4.5', 'stroke-width="1.5"'),
  );

const PEN = 'stroke="#000" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';

const figure = (letter: string, outlines: Outlines): string =>
  group(
    `id="${idOf(letter)}" transform="translate(-${HALF}-${HALF})" fill="none" ${PEN}`,
    outlines.figures?.[letter] ?? '',
  );

const DISC = `<g id="disc">${circle(0, 0, 20, `fill="${IVORY}" stroke="${INK}"`)}${circle(0, 0, 17.5, 'fill="none"')}</g>`;
/** The heights of the signs on discs, in the units of the picture. */
const SIZES = { chinese: 27, western: 30 };

function disc(letter: string, { chinese }: DrawnPiece, set: PieceSet, outlines: Outlines): string {
  const isFirst = isUpper(letter);
  const colour = isFirst ? RED : INK;
  const size = SIZES[set];
  const face = () => path(outlines.characters?.[chinese![isFirst ? 0 : 1]!] ?? '', `stroke="none" transform="scale(${num(size / EM)})"`); // prettier-ignore
  const letters = () =>
    sign(letter.toUpperCase(), { at: [0, 0], size, isOnLine: false }, 'stroke="none" ', outlines);
  return group(
    `id="${idOf(letter)}" fill="${colour}" stroke="${colour}"`,
    `<use href="#disc"/>${set === 'western' ? letters() : face()}`,
  );
}

/** The definitions of the pieces with these letters. Where an outline has not been read yet, its piece is empty. */
export function definitions(
  letters: ReadonlySet<string>,
  kinds: readonly DrawnPiece[],
  set: 'chess' | PieceSet,
  outlines: Outlines,
): string {
  const faceUp = [...letters].filter((letter) => letter !== FACE_DOWN_LETTER).sort();
  const kindOf = (letter: string) => kinds.find((kind) => kind.letter === letter.toUpperCase())!;
  const drawn = faceUp.map((letter) =>
    set === 'chess' ? figure(letter, outlines) : disc(letter, kindOf(letter), set, outlines),
  );
  const hidden = letters.has(FACE_DOWN_LETTER) ? [faceDown()] : [];
  const shared = set !== 'chess' && drawn.length > 0 ? [DISC] : [];
  return `<defs>${[...shared, ...drawn, ...hidden].join('')}</defs>`;
}
