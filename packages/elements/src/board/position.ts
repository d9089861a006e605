import type { Drawn } from '../../../../src/boards/picture.js';
import type { BoardSize } from '../../../../src/rules/board.js';
import { FACE_DOWN_LETTER, placed } from '../../../../src/rules/board.js';
import type { components } from '../../../client/src/client.js';

/** What of a position is drawn. */
export type BoardData = Pick<components['schemas']['Board'], 'squares' | 'check'>;

/** The board of a position: what stands where, and what lies face-down. */
export function boardAfter(position: string, { board }: { readonly board: BoardSize }): BoardData {
  const squares = placed(board, position.split(' ', 1)[0]!).map(({ square, letter }) => {
    const isHidden = letter === FACE_DOWN_LETTER;
    return { square, piece: isHidden ? null : letter, faceDown: isHidden };
  });
  return { check: false, squares };
}

/** Whether a text begins with the rows of a position: every piece known, every row as wide as the board. */
export function isPosition(fen: string, { board, pieces }: Drawn): boolean {
  const rows = fen.split(' ', 1)[0]!.split('/');
  const known = new Set([
    FACE_DOWN_LETTER,
    ...pieces.flatMap(({ letter }) => [letter, letter.toLowerCase()]),
  ]);
  const widthOf = (row: string) => [...row].reduce((sum, sign) => sum + (Number(sign) || (known.has(sign) ? 1 : Number.NaN)), 0); // prettier-ignore
  return rows.length === board.ranks && rows.every((row) => widthOf(row) === board.files);
}
