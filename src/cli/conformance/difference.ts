import { isDeepStrictEqual } from 'node:util';

/** A difference between the rules and a line. `ply` counts from 1; it is null for the line as a whole. */
export interface Difference {
  readonly ply: number | null;
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
}

export const difference = (
  ply: number | null,
  field: string,
  expected: unknown,
  got: unknown,
): Difference => ({ ply, field, expected, got });

/** The fields in which the expected and the actual values differ. */
export function compare(
  ply: number | null,
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
): readonly Difference[] {
  return Object.keys(expected)
    .filter((field) => !isDeepStrictEqual(expected[field], got[field]))
    .map((field) => difference(ply, field, expected[field], got[field]));
}

/** How many characters of a long value are printed after and before the first difference. */
const AFTER = 60;
const BEFORE = 20;

const asText = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? `[${value.join(' ')}]` : JSON.stringify(value);
};

function cut(text: string, at: number): string {
  if (text.length <= BEFORE + AFTER) return text;
  const from = Math.max(0, at - BEFORE);
  const to = at + AFTER;
  return `${from > 0 ? '...' : ''}${text.slice(from, to)}${to < text.length ? '...' : ''}`;
}

/** `ply 3 san: expected "Nf3", got "Nf4"`; long values are cut to where they differ. */
export function inWords({ ply, field, expected, got }: Difference): string {
  const [said, found] = [asText(expected), asText(got)];
  let at = 0;
  while (at < said.length && said[at] === found[at]) at++;
  const place = ply === null ? field : `ply ${ply} ${field}`;
  return `${place}: expected ${cut(said, at)}, got ${cut(found, at)}`;
}
