import { ID, Int } from '@nestjs/graphql';
import { z } from 'zod';
import { DateTimeScalar, JsonScalar } from './scalars.js';
import type { FieldType, PropertyOptions } from './model.js';

/**
 * The fields of inputs, as data: a field is declared once, and its GraphQL type, its OpenAPI entry and its check follow.
 * In the message of a check `$` stands for the name of the field; the value that was sent is added to it.
 */

export interface Field<T = unknown> {
  readonly type: () => FieldType | readonly [FieldType];
  readonly shown: PropertyOptions;
  readonly check: z.ZodType<T>;
  /** Converts a text from an address; what cannot be converted stays as it is, and the check refuses it. */
  readonly read?: (given: unknown) => unknown;
}

export interface OptionalField<T = unknown> extends Field<T> {
  readonly optional: true;
}

interface FieldOptions extends PropertyOptions {
  /** The message for every fault, in place of the usual ones. */
  readonly error?: string;
}

interface Range {
  readonly least?: number;
  readonly most?: number;
}

/** A field that may be left out or null. */
export const optional = <T>(field: Field<T>): OptionalField<T> => ({
  ...field,
  shown: { ...field.shown, nullable: true },
  optional: true,
});

/** A field with a default. */
export const byDefault = <T>(field: Field<T>, value: T): Field<T> => ({
  ...field,
  shown: { ...field.shown, defaultValue: value },
});

/** A field whose value is converted before it is checked, in a body as well as in an address. */
export const readBy = <T>(field: Field<T>, read: (given: unknown) => unknown): Field<T> => ({
  ...field,
  check: z.preprocess(read, field.check),
});

const fieldOf = <T>(
  kind: FieldType | readonly [FieldType],
  description: string,
  { error: _, ...told }: FieldOptions,
  check: z.ZodType<T>,
): Field<T> => ({ type: () => kind, shown: { ...told, description }, check });

/** The largest integer that the database and GraphQL take. */
export const MOST_OF_A_NUMBER = 2 ** 31 - 1;

/** The words for a range, and the bounds that programs read. */
function boundsOf({ least = -Infinity, most = Infinity }: Range, one = '', many = '') {
  const [min, max] = [Number.isFinite(least), Number.isFinite(most)];
  const bounds = { ...(min ? { min: least } : {}), ...(max ? { max: most } : {}) };
  const unit = (count: number) => (count === 1 ? one : many);
  if (min && max)
    return { words: one === '' ? `between ${least} and ${most}` : `${least} to ${most}${many}`, bounds };
  return { words: min ? `at least ${least}${unit(least)}` : `at most ${most}${unit(most)}`, bounds };
}

/** Checks how many there are of what a value consists of. */
function counted<T extends { readonly length: number }>(
  check: z.ZodType<T>,
  range: Range,
  [one, many]: readonly [string, string],
  error?: string,
): z.ZodType<T> {
  const { least = 0, most = Infinity } = range;
  if (least === 0 && most === Infinity) return check;
  const { words, bounds } = boundsOf(least === 0 ? { most } : range, one, many);
  const params = { ...bounds, got: ({ length }: T) => length };
  return check.refine(({ length }) => length >= least && length <= most, {
    error: error ?? `$ must have ${words}`,
    params,
  });
}

const TEXT = z.string('$ must be a string');
/** A plain field is cut off here; code that knows a smaller limit checks it itself. */
const MOST_OF_A_TEXT = 500;

/** A text whose length is checked by the code that reads it. */
export const longText = (description = '', told: FieldOptions = {}): Field<string> =>
  fieldOf(String, description, told, TEXT);

export function text(
  description = '',
  { least = 0, most = MOST_OF_A_TEXT, ...told }: FieldOptions & Range = {},
): Field<string> {
  const check = counted(TEXT, { least, most }, [' character', ' characters']);
  return fieldOf(String, description, told, check);
}

export const id = (description = '', told: FieldOptions = {}): Field<string> =>
  fieldOf(ID, description, told, z.uuid('$ must be a UUID'));

/** A SHA-256 in hex. */
export const hash = (description: string): Field<string> =>
  fieldOf(String, description, {}, TEXT.regex(/^[0-9a-f]{64}$/, '$ must be 64 lower-case hex digits'));

/** The game that an input is about. */
export const gameId = id('The id of the game.');

/** The key that makes a request safe to send again; in REST it is a header. */
export const idempotencyKey = optional(
  text(
    'A key of your choice, 1 to 64 printable ASCII characters without spaces. A request sent again with the same key ' +
      'has no second effect and is answered with what the first one made. Keys are kept for 7 days by default.',
  ),
);

/** An id to look up: one that is not a UUID is not found, rather than malformed. */
export const lookupId = (description = '', told: FieldOptions = {}): Field<string> =>
  fieldOf(ID, description, told, TEXT);

/** A list in an address, separated by commas. */
export const splitList = (given: unknown): unknown => (typeof given === 'string' ? given.split(',') : given);

/** Digits only: Number() would also accept spaces and 0x10. */
const numberOf = (given: unknown): unknown =>
  typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given;

export function wholeNumber(
  description = '',
  { least = -Infinity, most = Infinity, ...told }: FieldOptions & Range = {},
): Field<number> {
  const { error = '$ must be an integer' } = told;
  const { words, bounds } = boundsOf({ least, most });
  // Not z.int(): code that knows the right range refuses a number that is too large.
  const check = z
    .number(error)
    .refine(Number.isInteger, { error, abort: true, params: bounds })
    .refine((value) => value >= least && value <= most, {
      error: told.error ?? `$ must be ${words}`,
      params: bounds,
    });
  return { ...fieldOf(Int, description, told, check), read: numberOf };
}

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

export const flag = (description = '', told: FieldOptions = {}): Field<boolean> => ({
  ...fieldOf(Boolean, description, told, z.boolean(told.error ?? '$ must be true or false')),
  read: (given) => FLAGS.get(given) ?? given,
});

export function oneOf<T extends string>(
  words: Readonly<Record<string, T>>,
  description = '',
  told: FieldOptions = {},
): Field<T> {
  const error = `$ must be one of ${Object.values(words).join(', ')}`;
  return fieldOf(words, description, told, z.enum(Object.values(words), error));
}

function momentOf(given: unknown): unknown {
  try {
    return typeof given === 'string' ? DateTimeScalar.parseValue(given) : given;
  } catch {
    return given;
  }
}

export const moment = (
  description = '',
  {
    error = '$ must be a time from 1970 to 9999, such as 2026-01-31T12:00:00.000Z',
    ...told
  }: FieldOptions = {},
): Field<Date> => readBy(fieldOf(DateTimeScalar, description, told, z.date(error)), momentOf);

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** An object of any shape. */
export const json = (description = '', told: FieldOptions = {}): Field<Record<string, unknown>> =>
  fieldOf(JsonScalar, description, told, z.custom<Record<string, unknown>>(isObject, '$ must be an object'));

/** Any value except null. */
export const anything = (description: string, told: FieldOptions): Field =>
  fieldOf(
    JsonScalar,
    description,
    told,
    z.custom<unknown>((given) => given != null, told.error),
  );

export function listOf<T>(
  item: Field<T>,
  description = '',
  { least = 0, most = Infinity, ...told }: FieldOptions & Range = {},
): Field<T[]> {
  const items = z.array(item.check, '$ must be a list');
  const check = counted(items, { least, most }, [' item', ' items'], told.error);
  return fieldOf([item.type() as FieldType], description, told, check);
}
