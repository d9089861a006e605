/** What untrusted JSON must look like: a shape answers with the faults that it finds, none when it fits. */
export type Shape = (value: unknown, at: string) => readonly string[];

const when =
  (fits: (value: unknown) => boolean, wanted: string): Shape =>
  (value, at) =>
    fits(value) ? [] : [`${at} must be ${wanted}`];

export const text = when((value) => typeof value === 'string', 'a text');

export const flag = when((value) => typeof value === 'boolean', 'true or false');

export const matching = (pattern: RegExp, wanted: string): Shape =>
  when((value) => typeof value === 'string' && pattern.test(value), wanted);

export const countFrom = (min: number): Shape =>
  when((value) => Number.isSafeInteger(value) && (value as number) >= min, `a whole number from ${min}`);

export const oneOf = (values: readonly string[]): Shape =>
  when((value) => typeof value === 'string' && values.includes(value), `one of ${values.join(', ')}`);

/** A value without parts, as JSON knows them. */
export const scalar = when(
  (value) => ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  'a text, a number, true or false',
);

export const orNull =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? [] : shape(value, at);

/** May be missing, or null. */
export const optional =
  (shape: Shape): Shape =>
  (value, at) =>
    value === undefined || value === null ? [] : shape(value, at);

export const listOf =
  (shape: Shape): Shape =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => shape(item, `${at}[${index}]`))
      : [`${at} must be a list`];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const mapOf =
  (shape: Shape): Shape =>
  (value, at) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => shape(item, `${at}.${name}`))
      : [`${at} must be an object`];

/** An object with these fields; others are allowed and not looked at. */
export const object =
  <T>(fields: { readonly [Name in keyof T]-?: Shape }): Shape =>
  (value, at) =>
    isObject(value)
      ? Object.entries<Shape>(fields).flatMap(([name, shape]) => shape(value[name], `${at}.${name}`))
      : [`${at} must be an object`];
