import fc from 'fast-check';
import { JsonReader, type Node } from '../../src/formats/json-nodes.js';
import { runs } from '../support/scale.js';

/** JSON with positions is JSON: it reads and refuses the same as JSON.parse. */

/** Duplicate names, deep lists and numbers with more than 20 digits are refused only here. */
const OURS_ALONE = /second time|must not be nested/;
const LONG_NUMBER = /\d{21}|[eE][+-]?\d{4}/;

/** What JSON.parse returns for a text, or null if it throws. */
function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function valueOf(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(valueOf);
  return Object.fromEntries([...node.fields].map(([name, each]) => [name, valueOf(each)]));
}

/** Whether every value is at its node's position: each is read alone from there, as far as possible. */
function isPlaced(text: string, node: Node): boolean {
  const [alone] = new JsonReader(`[${text.slice(node.at)}`).games();
  const inside = node.kind === 'list' ? node.items : node.kind === 'object' ? [...node.fields.values()] : [];
  const isThere =
    alone?.ok === true && JSON.stringify(valueOf(alone.value)) === JSON.stringify(valueOf(node));
  return isThere && inside.every((each) => isPlaced(text, each));
}

function compare(inner: string): void {
  const text = ` {"a": ${inner}}`;
  const answers = [...new JsonReader(text).games()];
  const [first] = answers;
  const theirs = parsed(text);
  if (first?.ok === false && (OURS_ALONE.test(first.message) || LONG_NUMBER.test(inner))) return;
  const isOne = answers.length === 1 && first?.ok === true;
  expect([inner, isOne]).toEqual([inner, theirs !== null]);
  if (!isOne || theirs === null) return;
  expect(valueOf(first.value)).toEqual(theirs.value);
  expect(isPlaced(text, first.value)).toBe(true);
}

const json = fc.json({ maxDepth: 4, stringUnit: 'binary' });
const piece = fc.constantFrom(
  ...'{}[],:"\\ \n\t\u0000\u00a0\u2028-+.eE0190ntf/*',
  '\\u',
  'true',
  'null',
  '__proto__',
);

test('reads valid texts as JSON.parse does', () => {
  fc.assert(fc.property(json, compare), runs(500));
});

test('refuses broken texts as JSON.parse does', () => {
  const broken = fc.tuple(json, fc.nat(), fc.nat(3), piece).map(([text, at, cut, put]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + cut);
  });
  fc.assert(fc.property(broken, compare), runs(2000));
});
