import { createHash } from 'node:crypto';
import { getNamedType, getNullableType, isEnumType, isInputObjectType, isListType } from 'graphql';
import { oneOf } from '../support/random.mjs';
import { junk, junkNumber, junkText } from './junk.mjs';
import { resolved } from './operations.mjs';

/**
 * Nearly valid values: of the requested type, and where possible values that the server itself has returned
 * under the same name.
 */

const MOST = 60;

/** Used for names that no answer contains. */
const SAME = { id: 'id', gameId: 'id', username: 'username', opponent: 'username', player: 'username', a: 'username', b: 'username', after: 'cursor', before: 'cursor', since: 'cursor', ids: 'id' }; // prettier-ignore
const KNOWN = {
  ruleset: [
    'chess',
    'half-court-chess',
    'xiangqi',
    'xiangqi-tournament',
    'banqi-hongkong',
    'banqi-taiwan',
    'half-chess',
  ],
  move: ['e2e4', 'e7e5', 'g1f3', 'a1', 'b2', 'h2e2', 'a1a2', 'pass'],
  moves: ['e2e4,e7e5', 'e2e4'],
  format: ['pgn', 'json', 'ndjson', 'ucci', 'text'],
  text: [
    '[White "a"]\n\n1. f3 e5 2. g4 Qh4# 0-1',
    'position startpos moves h2e2',
    'hello',
    '{"ruleset":"chess"}',
  ],
  clientSeed: ['x', '', 'ABCDEF0123456789ABCDEF0123456789'],
  path: ['0/000.p/1', 'entries/000.p/1', '0/000', 'entries/x001/000', '7/000.p/256'],
  options: ['{}', '{"darkCaptures":true}'],
  password: ['a long enough password 1', 'password'],
  box: ['incoming', 'outgoing'],
  timeControl: ['none', 'bank', 'perMove'],
};
const OBJECTS = {
  options: [{}, { darkCaptures: true, multipleCaptures: true }, { quietLimit: 80 }],
  tree: [[{ when: 'e7e5', reply: 'g1f3' }], [{ when: 'a1', reveals: 'P', reply: 'b1' }], []],
  timeControl: [{ perMove: { seconds: 86_400 } }, { none: {} }, { bank: { initial: 3600 } }],
  conditionalMoves: [[{ when: 'e7e5', reply: 'g1f3' }]],
};

/** Values that the server has returned, by field name. */
export class Pool {
  constructor(pick) {
    this.pick = pick;
    this.said = new Map();
  }

  add(name, value) {
    const list = this.said.get(name) ?? [];
    if (list.length < MOST) list.push(value);
    else list[this.pick(MOST)] = value;
    this.said.set(name, list);
  }

  /** Collects values from an answer. */
  learn(value, name = '', depth = 0) {
    if (typeof value === 'string' && value.length < 300) this.add(CURSORS.has(name) ? 'cursor' : name, value);
    else if (typeof value === 'object' && value !== null && depth < 6)
      for (const [key, part] of Object.entries(value).slice(0, 30))
        this.learn(part, Array.isArray(value) ? name : key, depth + 1);
  }

  text(name) {
    const said = this.said.get(SAME[name] ?? name) ?? this.said.get(name);
    const known = KNOWN[name];
    if (FRESH[name] && this.pick(3) === 0) return FRESH[name](this);
    if (known && (said === undefined || this.pick(3) > 0)) return oneOf(this.pick, known);
    return said ? oneOf(this.pick, said) : junkText(this.pick);
  }
}

const seed = ({ pick }) => Array.from({ length: 32 }, () => pick(16).toString(16)).join('');

/** Generated for each request, because the server accepts each value only once. */
const FRESH = {
  clientSeed: seed,
  clientSeedHash: (pool) => {
    const drawn = seed(pool);
    pool.add('clientSeed', drawn);
    return createHash('sha256').update(drawn).digest('hex');
  },
};

const CURSORS = new Set(['cursor', 'startCursor', 'endCursor', 'next', 'previous']);
const WRONG = 6;

/** The type inside an optional or nullable one. */
const kindOf = (schema) => [schema?.type].flat().find((type) => type !== 'null');

/** A value for a schema of openapi.json; one in six is invalid. */
export function valueFor(pool, name, schema) {
  const { pick } = pool;
  if (pick(WRONG) === 0) return junk(pick);
  if (OBJECTS[name] && kindOf(schema) !== 'string') return oneOf(pick, OBJECTS[name]);
  const { enum: values, items, properties, allOf, anyOf, oneOf: forms } = resolved(schema) ?? {};
  const type = kindOf(resolved(schema));
  if (allOf ?? anyOf) return valueFor(pool, name, (allOf ?? anyOf)[0]);
  if (forms) return valueFor(pool, name, oneOf(pick, forms));
  if (values) return oneOf(pick, values);
  if (properties) return objectFor(pool, properties);
  if (type === 'array') return Array.from({ length: pick(4) }, () => valueFor(pool, name, items));
  if (type === 'boolean') return pick(2) === 0;
  if (type === 'integer' || type === 'number') return pick(3) > 0 ? pick(30) : junkNumber(pick);
  return pool.text(name);
}

export function objectFor(pool, properties) {
  const { pick } = pool;
  const chosen = Object.entries(properties).filter(() => pick(4) > 0);
  return Object.fromEntries(chosen.map(([name, schema]) => [name, valueFor(pool, name, schema)]));
}

/** The same for a type of schema.graphql. */
export function valueOfType(pool, name, type) {
  const { pick } = pool;
  if (pick(WRONG * 2) === 0) return junk(pick);
  if (OBJECTS[name] && String(getNamedType(type)) === 'JSON') return oneOf(pick, OBJECTS[name]);
  const inner = getNullableType(type);
  if (isListType(inner)) return Array.from({ length: pick(4) }, () => valueOfType(pool, name, inner.ofType));
  if (isEnumType(inner)) return oneOf(pick, inner.getValues()).name;
  if (isInputObjectType(inner)) return inputFor(pool, inner);
  if (inner.name === 'Boolean') return pick(2) === 0;
  if (inner.name === 'Int' || inner.name === 'Float') return pick(3) > 0 ? pick(30) : junkNumber(pick);
  return pool.text(name);
}

function inputFor(pool, type) {
  if (type.isOneOf && pool.pick(20) > 0) {
    const { name, type: own } = oneOf(pool.pick, Object.values(type.getFields()));
    return { [name]: valueOfType(pool, name, own) };
  }
  const chosen = Object.values(type.getFields()).filter((field) => isNeeded(field) ? pool.pick(20) > 0 : pool.pick(3) === 0); // prettier-ignore
  return Object.fromEntries(chosen.map(({ name, type: own }) => [name, valueOfType(pool, name, own)]));
}

export const isNeeded = ({ type, defaultValue }) => String(type).endsWith('!') && defaultValue === undefined;
