import { shown } from '../rules/shown.js';

/** The form of untrusted JSON: a function that returns faults, and an equivalent JSON Schema as far as possible. */
export interface Shape {
  (value: unknown, at: string): readonly string[];
  readonly schema: Schema;
}

/** A JSON Schema as OpenAPI 3.0 has them. */
export type Schema = Readonly<Record<string, unknown>>;

export const shapeOf = (schema: Schema, faults: (value: unknown, at: string) => readonly string[]): Shape =>
  Object.assign((value: unknown, at: string) => faults(value, at), { schema });

const when = (fits: (value: unknown) => boolean, wanted: string, schema: Schema): Shape =>
  shapeOf(schema, (value, at) => (fits(value) ? [] : [`${at} must be ${wanted}`]));

export const text = when((value) => typeof value === 'string', 'a string', { type: 'string' });

export const flag = when((value) => typeof value === 'boolean', 'true or false', { type: 'boolean' });

export const matching = (pattern: RegExp, wanted: string): Shape =>
  when((value) => typeof value === 'string' && pattern.test(value), wanted, {
    type: 'string',
    pattern: pattern.source,
  });

export const countFrom = (minimum: number): Shape =>
  when(
    (value) => Number.isSafeInteger(value) && (value as number) >= minimum,
    `a whole number of at least ${minimum}`,
    { type: 'integer', minimum, maximum: Number.MAX_SAFE_INTEGER },
  );

export const oneOf = (values: readonly string[]): Shape =>
  when((value) => typeof value === 'string' && values.includes(value), `one of ${values.join(', ')}`, {
    type: 'string',
    enum: values,
  });

/** A string no longer than any in a valid record. */
export const shortText = when(
  (value) => typeof value === 'string' && value.length <= 1000,
  'a string of at most 1000 characters',
  { type: 'string', maxLength: 1000 },
);

/** This number alone. */
export const just = (expected: number): Shape =>
  when((value) => value === expected, JSON.stringify(expected), { type: 'integer', enum: [expected] });

/** A value without parts, as JSON knows them. */
export const scalar = when(
  (value) => ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  'a string, a number, true or false',
  { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
);

const NOTHING: Schema = { type: 'object', nullable: true, enum: [null] };

/** A nullable enum has to name null as well, and only what has a type can be nullable (OpenAPI 3.0). */
function nullable(schema: Schema): Schema {
  if (Array.isArray(schema['enum'])) return { ...schema, enum: [...(schema['enum'] as unknown[]), null], nullable: true }; // prettier-ignore
  return 'type' in schema ? { ...schema, nullable: true } : { anyOf: [schema, NOTHING] };
}

export const orNull = (shape: Shape): Shape =>
  shapeOf(nullable(shape.schema), (value, at) => (value === null ? [] : shape(value, at)));

const OPTIONAL = new WeakSet<Shape>();

/** May be missing, or null. */
export function optional(shape: Shape): Shape {
  const made = shapeOf(nullable(shape.schema), (value, at) =>
    value === undefined || value === null ? [] : shape(value, at),
  );
  OPTIONAL.add(made);
  return made;
}

export const listOf = (shape: Shape): Shape =>
  shapeOf({ type: 'array', items: shape.schema }, (value, at) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => shape(item, `${at}[${index}]`))
      : [`${at} must be an array`],
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const mapOf = (shape: Shape): Shape =>
  shapeOf({ type: 'object', additionalProperties: shape.schema }, (value, at) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => shape(item, `${at}.${name}`))
      : [`${at} must be an object`],
  );

type FieldsOf<T> = { readonly [Name in keyof T]-?: Shape };

/** An object with these fields; others are allowed and ignored. */
export const object = <T>(fields: FieldsOf<T>): Shape =>
  shapeOf(schemaOf(fields), (value, at) =>
    isObject(value)
      ? Object.entries<Shape>(fields).flatMap(([name, shape]) => shape(value[name], `${at}.${name}`))
      : [`${at} must be an object`],
  );

function schemaOf(fields: Readonly<Record<string, Shape>>): Schema {
  const all = Object.entries(fields);
  const required = all.filter(([, shape]) => !OPTIONAL.has(shape)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** An object with exactly these fields. */
export function exact<T>(fields: FieldsOf<T>): Shape {
  const shape = object<T>(fields);
  return shapeOf({ ...shape.schema, additionalProperties: false }, (value, at) => [
    ...shape(value, at),
    ...strangers(value, fields, at),
  ]);
}

const strangers = (value: unknown, fields: object, at: string): readonly string[] =>
  isObject(value)
    ? Object.keys(value)
        .filter((name) => !Object.hasOwn(fields, name))
        .map((name) => `${at} must not have a field ${shown(name, 40)}`)
    : [];
