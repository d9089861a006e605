/** Squares and piece placement as text, for boards of up to 26 files and 99 ranks. Square 0 is a1, 1 is b1. */

export interface BoardSize {
  readonly files: number;
  readonly ranks: number;
}

export const squareName = (size: BoardSize, square: number): string =>
  String.fromCharCode(97 + (square % size.files)) + String(Math.floor(square / size.files) + 1);

/** The index of a square's name, or -1 when the board has no such square. */
export function squareIndex(size: BoardSize, name: string): number {
  const file = name.charCodeAt(0) - 97;
  const rank = Number(name.slice(1)) - 1;
  if (!/^[a-z][1-9][0-9]?$/.test(name) || file >= size.files || rank >= size.ranks) return -1;
  return rank * size.files + file;
}

/** The piece letters of a placement text square by square (`''` where empty), or what is wrong with it. */
export function parsePlacement(size: BoardSize, text: string, letters: string): readonly string[] | string {
  if (text.length > 2 * size.files * size.ranks) return 'it is too long';
  const rows = text.split('/');
  if (rows.length !== size.ranks) return `it has ${rows.length} rows instead of ${size.ranks}`;
  const cells: string[] = [];
  for (const [above, row] of rows.reverse().entries()) {
    const from = cells.length;
    for (const run of row.match(/[0-9]+|[^0-9]/g) ?? []) {
      if (/^[0-9]/.test(run)) {
        if (!/^[1-9]$/.test(run)) return `row ${above + 1} writes "${run}" for empty squares`;
        for (let i = 0; i < Number(run); i++) cells.push('');
      } else if (letters.includes(run)) cells.push(run);
      else return `row ${above + 1} holds the unknown letter ${JSON.stringify(run)}`;
    }
    if (cells.length - from !== size.files) {
      return `row ${above + 1} has ${cells.length - from} squares instead of ${size.files}`;
    }
  }
  return cells;
}

/** The placement text of a board whose letters are given square by square, `''` where empty. */
export function placement(size: BoardSize, letter: (square: number) => string): string {
  const rows: string[] = [];
  for (let rank = size.ranks - 1; rank >= 0; rank--) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < size.files; file++) {
      const piece = letter(rank * size.files + file);
      if (piece === '') empty++;
      else {
        row += (empty > 0 ? String(empty) : '') + piece;
        empty = 0;
      }
    }
    rows.push(row + (empty > 0 ? String(empty) : ''));
  }
  return rows.join('/');
}

/** The whole number that a field prints, or null for anything that would print differently. */
export const parseCount = (text: string): number | null =>
  /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : null;
