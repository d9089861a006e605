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
  for (let rank = 1; rank <= size.ranks; rank++) {
    const row = rows[size.ranks - rank]!;
    const from = cells.length;
    const fault = parseRow(row, letters, cells);
    if (fault !== null) return `row ${rank} ${fault}`;
    if (cells.length - from !== size.files) {
      return `row ${rank} has ${cells.length - from} squares instead of ${size.files}`;
    }
  }
  return cells;
}

const isDigit = (letter: string): boolean => letter >= '0' && letter <= '9';

/** Adds the squares of a row to those before it; answers what is wrong with it, null if nothing is. */
function parseRow(row: string, letters: string, cells: string[]): string | null {
  for (let at = 0; at < row.length; at++) {
    const letter = row.charAt(at);
    if (letters.includes(letter)) cells.push(letter);
    else if (!isDigit(letter)) return `holds the unknown letter ${JSON.stringify(letter)}`;
    else if (letter === '0' || isDigit(row.charAt(at + 1))) {
      return `writes "${row.slice(at, at + 2)}" for empty squares`;
    } else for (let empty = Number(letter); empty > 0; empty--) cells.push('');
  }
  return null;
}

/** The placement text of a board whose letters are given square by square, `''` where empty. */
export function placement(size: BoardSize, letter: (square: number) => string): string {
  let text = '';
  for (let rank = size.ranks - 1; rank >= 0; rank--) {
    const start = rank * size.files;
    let empty = 0;
    for (let square = start; square < start + size.files; square++) {
      const piece = letter(square);
      if (piece === '') empty++;
      else {
        text += empty > 0 ? String(empty) + piece : piece;
        empty = 0;
      }
    }
    if (empty > 0) text += String(empty);
    if (rank > 0) text += '/';
  }
  return text;
}

/** The whole number that a field prints, or null for anything that would print differently. */
export const parseCount = (text: string): number | null =>
  /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : null;
