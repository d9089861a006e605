import { ArgsType, InputType } from '@nestjs/graphql';
import { z } from 'zod';
import { optional, type Field, type OptionalField } from './fields.js';
import { unknownField } from './input-errors.js';
import { declare, property, type PropertyOptions } from './model.js';

/** Classes of inputs, made of fields: both schemas show them, and InputPipe checks requests against them. */

type Fields = Readonly<Record<string, Field>>;
type ValueOf<F> = F extends Field<infer T> ? T : never;
type OptionalIn<F> = { [N in keyof F]: F[N] extends OptionalField ? N : never }[keyof F];

export type InputOf<F extends Fields> = {
  readonly [N in Exclude<keyof F, OptionalIn<F>>]: ValueOf<F[N]>;
} & { readonly [N in OptionalIn<F>]?: ValueOf<F[N]> | null };

interface Checks {
  readonly inBody: z.ZodObject;
  /** In a path or a query string every value is a text. */
  readonly inAddress: z.ZodObject;
}

const checks = new WeakMap<object, Checks>();

/** The checks of an input class; undefined for other classes. */
export function checksOf(type: object | null | undefined): Checks | undefined {
  return type == null
    ? undefined
    : (checks.get(type) ?? checksOf(Object.getPrototypeOf(type) as object | null));
}

function checkOf({ check, read, shown, ...field }: Field, inAddress: boolean): z.ZodType {
  const whole = inAddress && read !== undefined ? z.preprocess(read, check) : check;
  if ('optional' in field) return whole.nullish();
  return shown.defaultValue === undefined ? whole : whole.default(shown.defaultValue);
}

function objectOf(fields: Fields, inAddress: boolean): z.ZodObject {
  const entries = Object.entries(fields).map(([name, field]) => [name, checkOf(field, inAddress)]);
  return z.strictObject(Object.fromEntries(entries) as Record<string, z.ZodType>, {
    error: unknownField(Object.keys(fields), '$ must be an object'),
  });
}

/** A base class for an input, with @InputType or @ArgsType for GraphQL, or with neither for REST. */
export function inputOf<F extends Fields>(fields: F, more: PropertyOptions = {}): new () => InputOf<F> {
  class Input {}
  for (const [name, { type, shown, ...field }] of Object.entries(fields)) {
    declare(Input, name, property(type, { ...shown, ...more }, !('optional' in field)));
  }
  InputType({ isAbstract: true })(Input);
  ArgsType()(Input);
  checks.set(Input, { inBody: objectOf(fields, false), inAddress: objectOf(fields, true) });
  return Input as new () => InputOf<F>;
}

type ChoiceOf<F extends Fields> = { readonly [N in keyof F]?: ValueOf<F[N]> | null };

/** As inputOf, for an input with exactly one of its fields; used with @InputType({ isOneOf: true }). */
export function choiceOf<F extends Fields>(fields: F): new () => ChoiceOf<F> {
  const each = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]));
  const Choice = inputOf(each, { isChoice: true });
  const names = Object.keys(fields);
  const error = `$ must have exactly one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const params = { got: (given: object) => Object.keys(given).join(' and ') || 'none' };
  const isOne = (given: object) => Object.values(given).length === 1 && Object.values(given)[0] != null;
  const { inBody, inAddress } = checks.get(Choice)!;
  checks.set(Choice, {
    inBody: inBody.refine(isOne, { error, params }),
    inAddress: inAddress.refine(isOne, { error, params }),
  });
  return Choice as new () => ChoiceOf<F>;
}

/**
 * As inputOf, for arguments in GraphQL and for path and query parameters, which routes declare to OpenAPI themselves.
 */
export const argsOf = <F extends Fields>(fields: F): new () => InputOf<F> =>
  inputOf(fields, { graphqlOnly: true });

/** A field whose value is a nested input. */
export const inputField = <T extends object>(
  type: new () => T,
  description = '',
  error?: string,
): Field<T> => {
  const { inBody } = checksOf(type)!;
  const check =
    error === undefined
      ? inBody
      : z.strictObject(inBody.shape, { error: unknownField(Object.keys(inBody.shape), error) });
  return { type: () => type, shown: { description }, check: check as unknown as z.ZodType<T> };
};
