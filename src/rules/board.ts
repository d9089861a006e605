import { accept, refuse, type Result } from './result.js';
import { shown } from './shown.js';

/** Squares and piece placement as text, for boards of up to 26 files and 99 ranks. Square 0 is a1, 1 is b1. */

export interface BoardSize {
  readonly files: number;
  readonly ranks: number;
}

/** The letter of a face-down piece in a position. */
export const FACE_DOWN_LETTER = 'x';

export const squareName = (size: BoardSize, square: number): string =>
  String.fromCharCode(97 + (square % size.files)) + String(Math.floor(square / size.files) + 1);

/** The index of a square's name, or -1 when the board has no such square. */
export function squareIndex(size: BoardSize, name: string): number {
  const file = name.charCodeAt(0) - 97;
  const rank = Number(name.slice(1)) - 1;
  if (!/^[a-z][1-9][0-9]?$/.test(name) || file >= size.files || rank >= size.ranks) return -1;
  return rank * size.files + file;
}

/** The numbers of the pieces of a family, by the character codes of their letters; 0 is no piece. */
export type PieceCodes = Int8Array;

export function pieceCodes(letters: string, numberOf: (letter: string) => number): PieceCodes {
  const codes = new Int8Array(128);
  for (const letter of letters) codes[letter.charCodeAt(0)] = numberOf(letter);
  return codes;
}

/** A board that is being filled, square by square. */
type Filled = number[] | Int8Array | Uint8Array;

/** Reads a placement text into the empty board `cells`. Returns what is wrong with the text, or null. */
export function readPlacement<C extends Filled>(
  { files, ranks }: BoardSize,
  text: string,
  codes: PieceCodes,
  cells: C,
): string | null {
  if (text.length > 2 * files * ranks)
    return `it has ${text.length} characters, and at most ${2 * files * ranks} are possible`;
  let start = 0;
  for (let rank = ranks; rank > 0; rank--) {
    const slash = text.indexOf('/', start);
    if (slash < 0 !== (rank === 1)) return `it must have ${ranks} rows; got ${text.split('/').length}`;
    const end = slash < 0 ? text.length : slash;
    const fault = readRow(text, start, end, files, codes, cells, (rank - 1) * files);
    if (fault !== null) return `row ${rank} ${fault}`;
    start = end + 1;
  }
  return null;
}

const ZERO = 48;

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

/** Reads the row between `start` and `end` of the text into the cells from `first` on. */
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
    } else if (!isDigit(code)) return `has the unknown letter ${JSON.stringify(text.charAt(at))}`;
    else if (code === ZERO || (at + 1 < end && isDigit(text.charCodeAt(at + 1)))) {
      return `has "${text.slice(at, Math.min(at + 2, end))}" where one digit from 1 to 9 must count the empty squares`;
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

/** The pieces of a placement text, from a1 on. */
export function placed(size: BoardSize, text: string): readonly { square: string; letter: string }[] {
  const found: { square: string; letter: string }[] = [];
  const rows = text.split('/').reverse();
  for (const [rank, row] of rows.entries()) {
    let square = rank * size.files;
    for (const letter of row) {
      const empty = Number(letter);
      if (Number.isNaN(empty)) found.push({ square: squareName(size, square++), letter });
      else square += empty;
    }
  }
  return found;
}

/** The squares of a move text; all null for a pass, `to` null for a turn-up. */
export interface MoveSquares {
  readonly from: string | null;
  readonly to: string | null;
  /** The letter of the promotion piece, in lower case. */
  readonly promotion: string | null;
}

export function squaresOfMove(move: string): MoveSquares {
  const [, from = null, to = null, promotion = null] =
    /^([a-z][0-9]{1,2})(?:([a-z][0-9]{1,2})([a-z])?)?$/.exec(move) ?? [];
  return { from, to, promotion };
}

/** The names of the six fields of a position text, and its maximal length. */
export interface FieldsForm {
  readonly names: string;
  readonly longest: number;
}

export type SixFields = readonly [string, string, string, string, string, string];

/** The fields of a position text, none of them empty. Refused with INVALID_POSITION. */
export function sixFields(text: string, { names, longest }: FieldsForm): Result<SixFields> {
  if (text.length > longest) {
    const message = `The position must have at most ${longest} characters; got ${text.length}.`;
    return refuse('INVALID_POSITION', 'position', message, { max: longest });
  }
  const fields = text.split(' ');
  if (fields.length === 6 && !fields.includes('')) return accept(fields as unknown as SixFields);
  const message = `The position must have six fields separated by single spaces (${names}); got ${shown(text)}.`;
  return refuse('INVALID_POSITION', 'position', message);
}

const LARGEST_COUNT = 999_999_999;

/** A counter field with a value from `min` on. Refused with INVALID_POSITION. */
export function countField(field: string, name: string, text: string, min: 0 | 1): Result<number> {
  const count = parseCount(text);
  if (count !== null && count >= min) return accept(count);
  const message = `The ${name} must be a whole number from ${min} to ${LARGEST_COUNT}; got ${shown(text)}.`;
  return refuse('INVALID_POSITION', `position.${field}`, message, { min, max: LARGEST_COUNT });
}

/** The whole number of a field, or null for anything that would not print back the same. */
export const parseCount = (text: string): number | null =>
  /^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : null;
