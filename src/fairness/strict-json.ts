import { found, miss, refusalIn, type Found, type Miss } from '../formats/fault.js';
import { JsonReader, type Limits, type Node } from '../formats/json-nodes.js';
import { accept, type Result } from '../rules/result.js';

/**
 * The subset of JSON (RFC 8259) that every program parses to the same value, as hashing and signing require: no
 * duplicate names, no lone surrogates, and only whole numbers within 2^53 - 1 written in digits.
 */

/** Far above the longest game, which has some 3,000 rows of 30 values. */
const RECORD: Limits = { what: 'A record', depth: 16, values: 500_000, space: ' \t\n\r' };
const MAX_LENGTH = 16 * 2 ** 20;

const WHOLE = /(?:0|-?[1-9][0-9]*)(?![0-9.eE])/y;
const HALF_OF_PAIR = /\p{Surrogate}/u;

/** Parses to the value that JSON.parse gives, or refuses with line, column and the path to the value. */
export function parseStrict(text: string): Result<unknown> {
  const read = text.length > MAX_LENGTH ? tooLong(text) : readWhole(text);
  return read.ok ? accept(read.value) : { ok: false, refusal: refusalIn(text, read) };
}

const tooLong = ({ length }: string): Miss =>
  miss(0, `A record must have at most ${MAX_LENGTH} characters; this one has ${length}.`);

function readWhole(text: string): Found<unknown> {
  const root = new JsonReader(text, RECORD).whole();
  return root.ok ? valueOf(text, root.value, '$') : root;
}

function valueOf(text: string, node: Node, path: string): Found<unknown> {
  if (node.kind === 'list') return listOf(text, node.items, path);
  if (node.kind === 'object') return objectOf(text, node.fields, path);
  const { value, at } = node;
  if (typeof value === 'number' && !isExact(text, at, value)) {
    return miss(
      at,
      `${path} must be a whole number within 2^53 - 1, written with digits only; got ${value}.`,
    );
  }
  if (typeof value === 'string' && HALF_OF_PAIR.test(value)) {
    return miss(at, `${path} must be valid Unicode; it has half of a character (a lone surrogate).`);
  }
  return found(value);
}

function isExact(text: string, at: number, value: number): boolean {
  WHOLE.lastIndex = at;
  return WHOLE.test(text) && Number.isSafeInteger(value);
}

function listOf(text: string, items: readonly Node[], path: string): Found<unknown> {
  const values: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const value = valueOf(text, item, `${path}[${index}]`);
    if (!value.ok) return value;
    values.push(value.value);
  }
  return found(values);
}

function objectOf(text: string, fields: ReadonlyMap<string, Node>, path: string): Found<unknown> {
  const values: [string, unknown][] = [];
  for (const [name, node] of fields) {
    if (HALF_OF_PAIR.test(name))
      return miss(
        node.at,
        `The names in ${path} must be valid Unicode; one has half of a character (a lone surrogate).`,
      );
    const value = valueOf(text, node, pathOf(path, name));
    if (!value.ok) return value;
    values.push([name, value.value]);
  }
  return found(Object.fromEntries(values));
}

/** For example `$.rows[3].data`; other names are quoted. */
const pathOf = (path: string, name: string): string =>
  /^\w{1,40}$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name.slice(0, 40))}]`;
