import { MOVE_FORMATS } from '../../rules/ruleset.js';

/** The input of an act as data, besides game and version. Both transports and their validation are made from it. */

interface FieldInfo {
  readonly description?: string;
  readonly example?: string | number;
  /** True if it may be left out or null. */
  readonly optional?: true;
}

export type Field =
  | (FieldInfo & { readonly kind: 'wholeNumber'; readonly min: number })
  | (FieldInfo & { readonly kind: 'text'; readonly most: number })
  | (FieldInfo & { readonly kind: 'word'; readonly of: readonly string[] })
  | (FieldInfo & { readonly kind: 'flag' })
  /** A list of nodes, passed on unchecked to its own parser. */
  | (FieldInfo & { readonly kind: 'tree' });

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

/** The parsed input of an act. */
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

/** The notation of that move. */
export const moveFormatField = {
  kind: 'word',
  of: MOVE_FORMATS,
  optional: true,
  description:
    'The notation of the move. If left out, every notation of the game but UCCI is tried: squares in small letters are ' +
    'read as coordinates, in capitals as ICCS.',
} as const;
