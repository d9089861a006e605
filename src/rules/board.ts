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

/** The numbers that a family gives its pieces, by the codes of their letters; 0 is no piece. */
export type PieceCodes = Int8Array;

export function pieceCodes(letters: string, numberOf: (letter: string) => number): PieceCodes {
  const codes = new Int8Array(128);
  for (const letter of letters) codes[letter.charCodeAt(0)] = numberOf(letter);
  return codes;
}

/** A board that is being filled, square by square. */
type Filled = number[] | Int8Array | Uint8Array;

/**
 * Reads a placement text into `cells`, an empty board (0 on every square), by the numbers of the pieces. Answers what
 * is wrong with the text, or null.
 */
export function readPlacement<C extends Filled>(
  { files, ranks }: BoardSize,
  text: string,
  codes: PieceCodes,
  cells: C,
): string | null {
  if (text.length > 2 * files * ranks) return 'it is too long';
  let start = 0;
  for (let rank = ranks; rank > 0; rank--) {
    const slash = text.indexOf('/', start);
    if (slash < 0 !== (rank === 1)) return `it has ${text.split('/').length} rows instead of ${ranks}`;
    const end = slash < 0 ? text.length : slash;
    const fault = readRow(text, start, end, files, codes, cells, (rank - 1) * files);
    if (fault !== null) return `row ${rank} ${fault}`;
    start = end + 1;
  }
  return null;
}

const ZERO = 48;

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** Reads the row that the text has from `start` to `end` into the cells from `first` on. */
function readRow<C extends Filled>(
  text: string,
  start: number,
  end: number,
  files: number,
  codes: PieceCodes,
  cells: C,
  first: number,
): string | null {
  let square = first;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const piece = codes[code] ?? 0;
    if (piece !== 0) {
      if (square < first + files) cells[square] = piece;
      square++;
    } else if (!isDigit(code)) return `holds the unknown letter ${JSON.stringify(text.charAt(at))}`;
    else if (code === ZERO || (at + 1 < end && isDigit(text.charCodeAt(at + 1)))) {
      return `writes "${text.slice(at, Math.min(at + 2, end))}" for empty squares`;
    } else square += code - ZERO;
  }
  return square === first + files ? null : `has ${square - first} squares instead of ${files}`;
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

/** What a placement text has on its squares, from a1 on. */
export function placed(size: BoardSize, text: string): readonly { square: string; letter: string }[] {
  const rows = text.split('/').reverse();
  return rows.flatMap((row, rank) => {
    const cells = row.replace(/\d/g, (many) => ' '.repeat(Number(many)));
    const at = (file: number) => squareName(size, rank * size.files + file);
    return [...cells].flatMap((letter, file) => (letter === ' ' ? [] : [{ square: at(file), letter }]));
  });
}

/** The squares of a move text; the whole way is null of a pass, and `to` of a piece that is turned up where it lies. */
export interface Way {
  readonly from: string | null;
  readonly to: string | null;
  /** The letter of the piece that a pawn becomes, in lower case. */
  readonly promotion: string | null;
}

export function wayOf(move: string): Way {
  const [, from = null, to = null, promotion = null] =
    /^([a-z][0-9]{1,2})(?:([a-z][0-9]{1,2})([a-z])?)?$/.exec(move) ?? [];
  return { from, to, promotion };
}

/** The whole number that a field prints, or null for anything that would print differently. */
export const parseCount = (text: string): number | null =>
  /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : null;
