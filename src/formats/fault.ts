import type { MoveFault, Refusal } from '../rules/result.js';

/** What is read at an offset of a text: `refusalIn` makes of a miss the refusal that leaves, with line and column. */
export type Found<T> = { readonly ok: true; readonly value: T } | Miss;

export interface Miss {
  readonly ok: false;
  readonly at: number;
  readonly message: string;
  /** Of a word that is no legal move. */
  readonly fault?: MoveFault;
  /** Of a word that may be more than one move: those moves, as they are stored. */
  readonly candidates?: readonly string[];
}

/** What comes next in a text: a game, one of its plies, or a word that says nothing. */
export interface Step {
  readonly next: 'game' | 'ply' | 'word';
  readonly at: number;
}

export const found = <T>(value: T): Found<T> => ({ ok: true, value });

export const miss = (at: number, message: string): Miss => ({ ok: false, at, message });

export const refused = (at: number, { message }: Refusal): Miss => miss(at, message);

/** What no text of a game has: control characters but those of spaces and lines, and halves of characters. */
export const UNPRINTABLE = /[\u0000-\u0008\u000E-\u001F\u007F]|\p{Cs}/u;

/** A piece of a text as a message shows it. */
export function shown(text: string, longest = 20): string {
  const characters = [...text.slice(0, 2 * longest)];
  const cut = text.length > longest && characters.length > longest;
  return JSON.stringify(cut ? `${characters.slice(0, longest).join('')}...` : text);
}

/** The refusal of a text. A line ends with LF, CR or both; a byte order mark is no character. */
export function refusalIn(text: string, { at, message, candidates }: Miss): Refusal {
  let line = 1;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let each = start; each < at; each++) {
    const character = text.charAt(each);
    const ends = character === '\n' || (character === '\r' && text.charAt(each + 1) !== '\n');
    if (ends) [line, start] = [line + 1, each + 1];
  }
  const column = at < start ? 1 : [...text.slice(start, at)].length + 1;
  const words = `Line ${line}, column ${column}: ${message}`;
  const refusal = { code: 'INVALID_GAME_TEXT', field: 'text', message: words, line, column } as const;
  return candidates === undefined ? refusal : { ...refusal, candidates };
}
