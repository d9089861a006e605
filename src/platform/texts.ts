import type { TransformFnParams } from 'class-transformer';
import { DateTimeScalar } from './graphql/scalars.js';

/** REST has texts where GraphQL has values. What is none of the kind stays as it is, and is refused. */

/** A flag in the query of an address. */
export const flagOf = ({ obj, key }: TransformFnParams): unknown => {
  const given = (obj as Readonly<Record<string, unknown>>)[key];
  return given === 'true' ? true : given === 'false' ? false : given;
};

/** A whole number in the query of an address: nothing else that Number would take for one. */
export const wholeNumberOf = ({ value }: { readonly value: unknown }): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

/** A moment in a body. */
export function momentOf({ value }: { readonly value: unknown }): unknown {
  try {
    return typeof value === 'string' ? DateTimeScalar.parseValue(value) : value;
  } catch {
    return value;
  }
}
