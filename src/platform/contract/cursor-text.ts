import { canonicalJson } from '../../fairness/json.js';

/**
 * The sort keys of a row as JSON, so that a cursor outlives the version of Node that made it. What JSON would lose is an
 * object with one name that begins with `$`.
 */

const READERS: Readonly<Record<string, (content: never) => unknown>> = {
  $date: (time: number) => new Date(time),
  $bigint: (digits: string) => BigInt(digits),
  $number: (digits: string) => Number(digits),
};

/** Equal keys print to the same text. Throws for a key that would not be read back equal. */
export const printKey = (key: unknown): string => canonicalJson(forJson(key));

/** Throws for a text that `printKey` has not printed. */
export const readKey = (text: string): unknown => JSON.parse(text, (_, value: unknown) => fromJson(value));

function forJson(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Object.is(value, -0)) return { $number: '-0' };
      return Number.isFinite(value) ? value : { $number: String(value) };
    case 'bigint':
      return { $bigint: String(value) };
    case 'object':
      return objectForJson(value);
    default:
      throw new TypeError(`A cursor cannot hold a value of type ${typeof value}.`);
  }
}

function objectForJson(value: object | null): unknown {
  if (value === null) return null;
  if (value instanceof Date) return { $date: value.getTime() };
  if (Array.isArray(value)) return value.map(forJson);
  const parts = Object.entries(value).map(([name, part]) => [plainName(name), forJson(part)] as const);
  return Object.fromEntries(parts);
}

function plainName(name: string): string {
  if (name.startsWith('$')) throw new TypeError(`A cursor cannot hold a property named ${name}.`);
  return name;
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [name, ...others] = Object.keys(value);
  if (name?.startsWith('$') !== true) return value;
  const read = others.length === 0 ? READERS[name] : undefined;
  if (read === undefined) throw new SyntaxError(`Unknown value in a cursor: ${name}.`);
  return read((value as Record<string, never>)[name]!);
}
