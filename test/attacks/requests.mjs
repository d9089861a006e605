import { oneOf } from '../support/random.mjs';
import { broken, junk, junkHeader, junkText, junkType, MESSAGES } from './junk.mjs';
import { documentOf, fields, routes } from './operations.mjs';
import { isNeeded, valueFor, valueOfType } from './values.mjs';

/** One random request for an operation over REST, GraphQL or a socket. */

const textOf = (value) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** A lone surrogate has no UTF-8 encoding; half of them are sent as the three bytes that it would have. */
const encoded = (value) =>
  encodeURIComponent(textOf(value).replace(/[\ud800-\udfff]/g, '\u0001')).replaceAll('%01', '%ED%A0%80');

function pathOf(pool, { path, parameters }) {
  const schemas = new Map(parameters.map(({ name, schema }) => [name, schema]));
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const text = encoded(valueFor(pool, name, schemas.get(name)));
    return name === 'path' ? text.replaceAll('%2F', '/') : text;
  });
}

const LONGEST = 12_000;

function queryOf(pool, { parameters }) {
  const { pick } = pool;
  const own = parameters.filter((one) => one.in === 'query' && (one.required || pick(3) === 0));
  const pairs = own.map(({ name, schema }) => `${name}${oneOf(pick, ['', '', '', '', '', '[]', '[a]'])}=${encoded(valueFor(pool, name, schema))}`); // prettier-ignore
  if (pick(12) === 0) pairs.push(`${encoded(junkText(pick))}=${encoded(junk(pick))}`);
  if (pick(12) === 0 && pairs.length > 0) pairs.push(pairs[0]);
  return pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, LONGEST)}`;
}

/** Node sends only these characters in a header. */
const sendable = (text) => text.replace(/[^\t\x20-\x7e\xa0-\xff]/g, '').slice(0, 4000);

function headersOf(pool, { parameters = [] }) {
  const { pick } = pool;
  const own = parameters.filter((one) => one.in === 'header' && pick(3) === 0);
  const named = own.flatMap(({ name, schema }) => [name, sendable(textOf(valueFor(pool, name, schema)))]);
  return pick(10) === 0 ? [...named, ...junkHeader(pick)] : named;
}

/** Any content type that the route accepts, with a value for it. */
function bodyOf(pool, { content }) {
  const { pick } = pool;
  if (content === null) return pick(20) === 0 ? jsonBody(pool, junk(pick)) : { headers: [], body: null };
  const [type, { schema }] = oneOf(pick, Object.entries(content));
  if (type !== 'application/json')
    return { headers: ['Content-Type', type], body: textOf(pool.text('text')) };
  return jsonBody(pool, valueFor(pool, 'body', schema));
}

function jsonBody({ pick }, value) {
  const text = JSON.stringify(value) ?? '';
  const type = pick(15) === 0 ? junkType(pick) : 'application/json';
  return { headers: ['Content-Type', type], body: pick(8) === 0 ? broken(pick, text) : text };
}

export function restRequest(pool) {
  const route = oneOf(pool.pick, routes);
  const { headers, body } = bodyOf(pool, route);
  const path = `${pathOf(pool, route)}${queryOf(pool, route)}`;
  return { name: route.name, method: route.method, path, headers: [...headers, ...headersOf(pool, route)], body }; // prettier-ignore
}

const overHttp = fields.filter(({ kind }) => kind !== 'subscription');
const overSockets = fields.filter(({ kind }) => kind === 'subscription');

function argumentsFor(pool, { field }) {
  const given = field.args.filter((arg) => (isNeeded(arg) ? pool.pick(20) > 0 : pool.pick(2) === 0));
  return Object.fromEntries(given.map(({ name, type }) => [name, valueOfType(pool, name, type)]));
}

const SPOILERS = [
  (query) => query.replace('{', '{ ...a '),
  (query) => `${query} fragment a on Query { ...a }`,
  (query) => query.replace('{', `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: __typename`).join(' ')} `),
  (query) => query.replace('{', `@include(if: false) @skip(if: "x") @x {`),
  (query) => query.replace('__typename', '__typename __schema { types { name } }'),
  (query) => `${'{ a '.repeat(300)}${query}`,
  (query, pick) => query.slice(0, pick(query.length)),
  (query, pick) => query.replace(/\w+/, () => junkText(pick)),
  (query) => query.replace(/\$\w+: [\w[\]!]+/, '$x: Nothing'),
  (query) => query.replace('(', '(__proto__: 1 '),
  (query) => `${query}\u0000\ud800`,
  (query) => `${query} ${query}`,
  (query) => `# ${'x'.repeat(50_000)}\n${query}`,
];

/** The parts of a GraphQL request, some of them corrupted. */
function operationOf(pool, from) {
  const { pick } = pool;
  const one = oneOf(pick, from);
  const variables = argumentsFor(pool, one);
  const plain = documentOf(one, variables, 1 + pick(3));
  const query = pick(10) === 0 ? oneOf(pick, SPOILERS)(plain, pick) : plain;
  const sent = { query, variables: pick(30) === 0 ? junk(pick) : variables };
  if (pick(30) === 0) sent.operationName = junk(pick);
  if (pick(40) === 0) sent.extensions = junk(pick);
  return { name: one.name, sent: pick(60) === 0 ? { ...sent, query: junk(pick) } : sent };
}

export function graphqlRequest(pool) {
  const { pick } = pool;
  const { name, sent } = operationOf(pool, overHttp);
  const headers = headersOf(pool, {});
  if (pick(25) === 0) {
    const query = Object.entries(sent).map(([key, value]) => `${key}=${encoded(value)}`).join('&'); // prettier-ignore
    return { name, method: 'GET', path: `/graphql?${query.slice(0, LONGEST)}`, headers, body: null };
  }
  const { headers: own, body } = jsonBody(pool, pick(60) === 0 ? [sent, sent] : sent);
  return { name, method: 'POST', path: '/graphql', headers: [...own, ...headers], body };
}

/** A message to send on an initialised socket, and the initialisation. */
export function socketRequest(pool, token) {
  const { pick } = pool;
  const { name, sent } = operationOf(pool, pick(4) === 0 ? overHttp : overSockets);
  const good = JSON.stringify({ id: '1', type: 'subscribe', payload: sent });
  const messages = Array.from({ length: 1 + pick(3) }, () => pick(2) === 0 ? good : oneOf(pick, MESSAGES)); // prettier-ignore
  const authorization = pick(5) === 0 ? junk(pick) : token && `Bearer ${token}`;
  const parameters = pick(10) === 0 ? junk(pick) : { authorization };
  return { name, parameters, messages, path: pick(20) === 0 ? `/${encoded(junkText(pick)).slice(0, 500)}` : '/graphql' }; // prettier-ignore
}
