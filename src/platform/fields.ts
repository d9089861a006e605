import { ID, Int } from '@nestjs/graphql';
import { z } from 'zod';
import { DateTimeScalar, JsonScalar } from './graphql/scalars.js';
import type { Kind, PropertyOptions } from './model.js';

/**
 * The fields of inputs, as data: a field is declared once, and its GraphQL type, its OpenAPI entry and its check follow.
 * In the message of a check `$` stands for the name of the field.
 */

export interface Field<T = unknown> {
  readonly type: () => Kind | readonly [Kind];
  readonly shown: PropertyOptions;
  readonly check: z.ZodType<T>;
  /** The value that a text in an address stands for, or what was given when it is no such text: the check refuses it. */
  readonly read?: (given: unknown) => unknown;
}

export interface OptionalField<T = unknown> extends Field<T> {
  readonly optional: true;
}

interface Told extends PropertyOptions {
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

/** A field that has a value when it is left out. */
export const byDefault = <T>(field: Field<T>, value: T): Field<T> => ({
  ...field,
  shown: { ...field.shown, defaultValue: value },
});

/** A field that is read before it is checked, in a body as in an address. */
export const readBy = <T>(field: Field<T>, read: (given: unknown) => unknown): Field<T> => ({
  ...field,
  check: z.preprocess(read, field.check),
});

const fieldOf = <T>(
  kind: Kind | readonly [Kind],
  description: string,
  { error: _, ...told }: Told,
  check: z.ZodType<T>,
): Field<T> => ({ type: () => kind, shown: { ...told, description }, check });

/** The largest integer that the database and GraphQL take. */
export const MOST_OF_A_NUMBER = 2 ** 31 - 1;

const TEXT = z.string('$ must be a string');
/** Longer texts are refused by the code that knows the right length, with its own words. */
const MOST_OF_A_TEXT = 500;

/** A text whose length is judged only by the code that reads it. */
export const longText = (description = '', told: Told = {}): Field<string> =>
  fieldOf(String, description, told, TEXT);

export function text(
  description = '',
  { least = 0, most = MOST_OF_A_TEXT, ...told }: Told & Range = {},
): Field<string> {
  const check = TEXT.min(least, `$ must be longer than or equal to ${least} characters`);
  return fieldOf(String, description, told, check.max(most, `$ must be shorter than or equal to ${most} characters`)); // prettier-ignore
}

export const id = (description = '', told: Told = {}): Field<string> =>
  fieldOf(ID, description, told, z.uuid('$ must be a UUID'));

/** The game that an input is about. */
export const gameId = id('The id of the game.');

/** The key of a request that may be sent again; in REST it comes as a header. */
export const idempotencyKey = optional(
  text(
    'A key of your choice, 1 to 64 printable ASCII characters without spaces. A request sent again with the same key ' +
      'has no second effect and is answered with what the first one made. Keys are kept for 7 days by default.',
  ),
);

/** An id that is looked for: what is no UUID is not found. */
export const soughtId = (description = '', told: Told = {}): Field<string> =>
  fieldOf(ID, description, told, TEXT);

/** A list of an address, with commas. */
export const splitAtCommas = (given: unknown): unknown =>
  typeof given === 'string' ? given.split(',') : given;

/** Digits alone: Number() takes spaces and 0x10 for numbers, too. */
const numberOf = (given: unknown): unknown =>
  typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given;

export function wholeNumber(
  description = '',
  { least = -Infinity, most = Infinity, ...told }: Told & Range = {},
): Field<number> {
  const { error = '$ must be an integer number' } = told;
  // Not z.int(): what is too large is for the code that knows the right range.
  const check = z
    .number(error)
    .refine(Number.isInteger, { error, abort: true })
    .min(least, told.error ?? `$ must not be less than ${least}`)
    .max(most, told.error ?? `$ must not be greater than ${most}`);
  return { ...fieldOf(Int, description, told, check), read: numberOf };
}

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

export const flag = (description = '', told: Told = {}): Field<boolean> => ({
  ...fieldOf(Boolean, description, told, z.boolean(told.error ?? '$ must be a boolean value')),
  read: (given) => FLAGS.get(given) ?? given,
});

export function oneOf<T extends string>(
  words: Readonly<Record<string, T>>,
  description = '',
  told: Told = {},
): Field<T> {
  const error = `$ must be one of the following values: ${Object.values(words).join(', ')}`;
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
  { error = '$ must be a moment as 2026-01-31T12:00:00.000Z', ...told }: Told = {},
): Field<Date> => readBy(fieldOf(DateTimeScalar, description, told, z.date(error)), momentOf);

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** An object, passed on as it came. */
export const json = (description = '', told: Told = {}): Field<Record<string, unknown>> =>
  fieldOf(JsonScalar, description, told, z.custom<Record<string, unknown>>(isObject, '$ must be an object'));

/** Any value but null, passed on as it came. */
export const anything = (description: string, told: Told): Field =>
  fieldOf(
    JsonScalar,
    description,
    told,
    z.custom<unknown>((given) => given != null, told.error),
  );

export function listOf<T>(
  item: Field<T>,
  description = '',
  { least = 0, most = Infinity, ...told }: Told & Range = {},
): Field<T[]> {
  const check = z
    .array(item.check, '$ must be an array')
    .min(least, '$ should not be empty')
    .max(most, told.error ?? `$ must contain no more than ${most} elements`);
  return fieldOf([item.type() as Kind], description, told, check);
}
