import type { Bounds, MoveFault, Refusal } from '../rules/result.js';

/** The result of parsing at an offset of a text. `refusalIn` turns a miss into a refusal with line and column. */
export type Found<T> = { readonly ok: true; readonly value: T } | Miss;

export interface Miss {
  readonly ok: false;
  readonly at: number;
  readonly message: string;
  /** Set if a word is not a legal move. */
  readonly fault?: MoveFault;
  /** Set if a word may mean more than one move: those moves, in coordinates. */
  readonly candidates?: readonly string[];
  readonly bounds?: Bounds;
}

/** What comes next in a text: a game, a ply, or a word without meaning. */
export interface Step {
  readonly next: 'game' | 'ply' | 'word';
  readonly at: number;
}

export const found = <T>(value: T): Found<T> => ({ ok: true, value });

export const miss = (at: number, message: string, bounds: Bounds = {}): Miss => ({
  ok: false,
  at,
  message,
  bounds,
});

export const refused = (at: number, { message, min, max, limit }: Refusal): Miss =>
  miss(at, message, {
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(limit === undefined ? {} : { limit }),
  });

/** Characters refused in texts: control characters other than white space, and lone surrogates. */
export const UNPRINTABLE = /[\u0000-\u0008\u000E-\u001F\u007F]|\p{Cs}/u;

/** The refusal of a text. Lines end with LF, CR or both; a byte order mark is not counted. */
export function refusalIn(text: string, { at, message, candidates, bounds }: Miss): Refusal {
  let line = 1;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let each = start; each < at; each++) {
    const character = text.charAt(each);
    const ends = character === '\n' || (character === '\r' && text.charAt(each + 1) !== '\n');
    if (ends) [line, start] = [line + 1, each + 1];
  }
  const column = at < start ? 1 : [...text.slice(start, at)].length + 1;
  const words = `Line ${line}, column ${column}: ${message}`;
  const refusal = {
    code: 'INVALID_GAME_TEXT',
    field: 'text',
    message: words,
    line,
    column,
    ...bounds,
  } as const;
  return candidates === undefined ? refusal : { ...refusal, candidates };
}
