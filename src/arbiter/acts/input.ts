import { MOVE_FORMATS } from '../../rules/ruleset.js';

/** What an act takes beside its game and version, as data: both transports and their checks are made from it. */

interface Told {
  readonly description?: string;
  readonly example?: string | number;
  /** May be left out, or null. */
  readonly optional?: true;
}

export type Field =
  | (Told & { readonly kind: 'wholeNumber'; readonly min: number })
  | (Told & { readonly kind: 'text'; readonly most: number })
  | (Told & { readonly kind: 'word'; readonly of: readonly string[] })
  | (Told & { readonly kind: 'flag' })
  /** A list of nodes, passed on as it came: its own reader says what is wrong with it. */
  | (Told & { readonly kind: 'tree' });

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends { readonly kind: 'wholeNumber' }
  ? number
  : F extends { readonly kind: 'text' }
    ? string
    : F extends { readonly kind: 'word'; readonly of: readonly (infer Word)[] }
      ? Word
      : F extends { readonly kind: 'flag' }
        ? boolean
        : unknown;

/** The input as an act is handed it. */
export type InputOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends { readonly optional: true }
    ? ValueOf<F[Name]> | null | undefined
    : ValueOf<F[Name]>;
};

/** The number of the ply that an act is about. */
export const plyField = (description: string, example: number) =>
  ({ kind: 'wholeNumber', min: 1, description, example }) as const;

/** A move as people write it. */
export const moveField = <More extends object>(description: string, more: More) =>
  ({ kind: 'text', most: 16, description, ...more }) as const;

/** The one way in which that move is written. */
export const moveFormatField = {
  kind: 'word',
  of: MOVE_FORMATS,
  optional: true,
  description:
    'The notation of the move. If left out, every notation of the game but UCCI is tried: squares in small letters are ' +
    'read as coordinates, in capitals as ICCS.',
} as const;
