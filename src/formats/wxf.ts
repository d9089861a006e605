import { find, position, type Game } from '../rules/play.js';
import { ambiguous, illegalWord, legalTexts, malformed, ownPieces, pieces } from './candidates.js';
import type { Found } from './fault.js';
import { plain, type Notation, type WrittenPly } from './notation.js';

/** Move texts of Xiangqi: WXF (`C2=5`), and squares with ranks from 0, as ICCS (`H2-E2`) and UCCI (`h2e2`) have them. */

const LONGEST = 12;
const FORMS = 'C2=5, +R-2 or H2-E2';
const SQUARES = /^([A-Ia-i])([0-9])-?([A-Ia-i])([0-9])$/;
const WXF = /^(?:[A-Z][1-9]|[+-][A-Z]|[1-9][A-Z]|[1-9]{2})[+=-][1-9]$/;

/** A move of squares as it is stored (ranks from 1); null when the text is none. */
export function fromSquares(text: string): string | null {
  const [, file, rank, toFile, toRank] = SQUARES.exec(text) ?? [];
  if (toRank === undefined) return null;
  return `${file!.toLowerCase()}${Number(rank) + 1}${toFile!.toLowerCase()}${Number(toRank) + 1}`;
}

const squaresOf = (move: string): readonly [from: string, to: string] => {
  const [, from, to] = /^([a-z][0-9]+)([a-z][0-9]+)$/.exec(move) ?? [];
  return [from ?? '', to ?? ''];
};

const rankOf = (square: string): number => Number(square.slice(1));
const engineSquare = (square: string): string => `${square.charAt(0)}${rankOf(square) - 1}`;

/** A stored move as UCCI writes it: `h2e2`. */
export const ucciText = (move: string): string => squaresOf(move).map(engineSquare).join('');

/** A stored move as ICCS writes it: `H2-E2`. */
export const iccsText = (move: string): string => squaresOf(move).map(engineSquare).join('-').toUpperCase();

/** Strips marks of check, mate and evaluation, which the rules do not need. */
const stripped = (word: string): string => word.replace(/[+#!?]{0,6}$/, '');

const read: Notation['read'] = (game, word, at) =>
  isWxf(stripped(word)) ? readWxf(game, word, at) : readSquares(game, word, at);

/** A move of squares with ranks from 0. */
export function readSquares(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  const move = word.length <= LONGEST ? fromSquares(stripped(word)) : null;
  if (move === null) return malformed(word, at, FORMS);
  return find(game, move).ok ? plain(move) : illegalWord(game, word, at, [move]);
}

const OTHER_LETTERS: Readonly<Record<string, string>> = { N: 'H', B: 'E', M: 'E', G: 'A' };

/** The same with the letters and signs that WXF has: `N` for a horse, `.` for sideways, `R+-2` for `+R-2`. */
function usual(word: string): string {
  const upper = word.toUpperCase().replace(/^([A-Z])([+-])(?=[+=.-])/, '$2$1');
  const signed =
    upper.length === 4 && upper.charAt(2) === '.' ? `${upper.slice(0, 2)}=${upper.slice(3)}` : upper;
  return signed.replace(
    /^(.?)([NBMG])/,
    (_, before: string, letter: string) => before + OTHER_LETTERS[letter]!,
  );
}

/** Does it look like a move in WXF? */
export const isWxf = (word: string): boolean => word.length <= LONGEST && WXF.test(usual(word));

/** The legal moves that go so far are written in all accepted ways; the word must be one of them, for one move alone. */
export function readWxf(game: Game<unknown>, word: string, at: number): Found<WrittenPly> {
  if (!isWxf(stripped(word))) return malformed(word, at, FORMS);
  const written = usual(stripped(word));
  const here = position(game);
  const isRed = game.ruleset.turn(here) === 'first';
  const end = written.slice(-2);
  const fitting = legalTexts(game)
    .filter(({ text }) => goal(...squaresOf(text), isRed) === end)
    .map(({ move, text }) => ({ text, san: game.ruleset.san(here, move, null) }));
  const exact = fitting.find(({ san }) => san === written);
  if (exact !== undefined) return plain(exact.text);
  const letters = new Map(pieces(game).map(({ square, letter }) => [square, letter]));
  const meant = fitting.filter(({ san, text }) => spellings(san, text, letters, isRed).includes(written));
  if (meant.length === 1) return plain(meant[0]!.text);
  if (meant.length === 0) return illegalWord(game, word, at, attempts(game, written, isRed));
  return ambiguous(word, at, meant);
}

/** Piece letters of positions and of WXF. */
const WXF_LETTERS: Readonly<Record<string, string>> = {
  K: 'K',
  A: 'A',
  B: 'E',
  N: 'H',
  R: 'R',
  C: 'C',
  P: 'P',
};

const fileNumber = (square: string, isRed: boolean): number => {
  const file = square.charCodeAt(0) - 97;
  return isRed ? 9 - file : file + 1;
};

/** The operator and the number: `=5`, `+7`. */
function goal(from: string, to: string, isRed: boolean): string {
  const advance = (rankOf(to) - rankOf(from)) * (isRed ? 1 : -1);
  const sign = advance === 0 ? '=' : advance > 0 ? '+' : '-';
  return sign + String(from.charAt(0) === to.charAt(0) ? Math.abs(advance) : fileNumber(to, isRed));
}

/** The other ways to write a move: the piece by its file, and those that stand in a row by their number. */
function spellings(
  san: string,
  text: string,
  letters: ReadonlyMap<string, string>,
  isRed: boolean,
): readonly string[] {
  const [from, to] = squaresOf(text);
  const letter = WXF_LETTERS[(letters.get(from) ?? '').toUpperCase()] ?? '';
  const file = fileNumber(from, isRed);
  const end = goal(from, to, isRed);
  const place = placeIn(san);
  const numbered = place === null ? [] : [`${place}${letter}${end}`, `${place}${file}${end}`];
  return [`${letter}${file}${end}`, ...numbered];
}

/** Which of the pieces on a file it is, from the front, as the rules write it; null when it stands alone. */
function placeIn(san: string): number | null {
  if (san.startsWith('+')) return 1;
  if (san.startsWith('-')) return 2;
  const first = Number(san.charAt(0));
  return Number.isNaN(first) ? null : first;
}

/** The moves that a word may have meant: those of its pieces that would be written so. */
function attempts(game: Game<unknown>, written: string, isRed: boolean): readonly string[] {
  const [letter] = /[A-Z]/.exec(written) ?? ['P'];
  const piece = Object.keys(WXF_LETTERS).find((each) => WXF_LETTERS[each] === letter);
  const file = /^[A-Z][1-9]/.test(written) ? Number(written.charAt(1)) : null;
  const squares = ownPieces(game, piece ?? '').filter(
    (square) => file === null || fileNumber(square, isRed) === file,
  );
  const end = written.slice(-2);
  return squares.flatMap((from) =>
    BOARD.filter((to) => to !== from && goal(from, to, isRed) === end).map((to) => from + to),
  );
}

const BOARD: readonly string[] = [...'abcdefghi'].flatMap((file) =>
  Array.from({ length: 10 }, (_, rank) => `${file}${rank + 1}`),
);

export const xiangqiNotation: Notation = { hasVariations: true, forms: FORMS, read };
