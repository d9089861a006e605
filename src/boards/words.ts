import { FACE_DOWN_LETTER } from '../rules/board.js';
import { capitalized } from '../rules/capitalized.js';
import { isUpper } from './pieces.js';
import type { Picture } from './picture.js';
import { escaped } from './svg.js';

/** The title and the description of a picture, for screen readers. */

export const spokenOf = (picture: Picture): string =>
  `${titleOf(picture)}\n<desc>${escaped(descriptionOf(picture))}</desc>`;

const titleOf = ({ ruleset, caption }: Picture): string =>
  `<title>${escaped(`${ruleset.name}: ${caption}`)}</title>`;

/** The position in words. */
export function descriptionOf(picture: Picture): string {
  const { ruleset, pieces, fen, lastMove, check } = picture;
  const [first, second] = ruleset.sides;
  const faceUp = pieces.filter(({ letter }) => letter !== FACE_DOWN_LETTER);
  const hidden = pieces.filter(({ letter }) => letter === FACE_DOWN_LETTER).map(({ square }) => square);
  const said = [
    listOf(first!, named(picture, faceUp.filter(({ letter }) => isUpper(letter)))), // prettier-ignore
    listOf(second!, named(picture, faceUp.filter(({ letter }) => !isUpper(letter)))), // prettier-ignore
    listOf('face-down', hidden),
    `${capitalized(picture.toMove)} to move${check === null ? '' : ', in check'}.`,
    lastMove === null ? '' : `Marked move: ${lastMove}.`,
    `FEN: ${fen}`,
  ];
  return said.filter((text) => text !== '').join(' ');
}

const listOf = (head: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `${capitalized(head)}: ${items.join(', ')}.`;

/** Kinds with their squares, such as `rook a1 h1`. */
const named = ({ ruleset }: Picture, pieces: Picture['pieces']): readonly string[] =>
  ruleset.pieces.flatMap(({ letter, name }) => {
    const squares = pieces.filter((piece) => piece.letter.toUpperCase() === letter);
    return squares.length === 0 ? [] : [`${name} ${squares.map(({ square }) => square).join(' ')}`];
  });
