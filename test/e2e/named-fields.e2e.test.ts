import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { openApi } from '../../src/pages/openapi.js';
import { type Person, register } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { send, sendGraphql } from '../support/transport.js';

/** What a request names that is not there is named in the refusal as the request calls it. */

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const KNOWN: Readonly<Record<string, string>> = {
  ruleset: 'chess',
  pool: 'chess',
  number: '0',
};

/** Bodies of routes that need one, by the end of their path. */
const BODIES: Readonly<Record<string, object>> = {
  moves: { ply: 1, move: 'e2e4' },
  messages: { text: 'Hello' },
  note: { note: 'x' },
  mute: { muted: true },
  time: { ply: 1, seconds: 3600 },
  'time-request': { ply: 1, seconds: 3600 },
  takeback: { ply: 1 },
  'conditional-moves': { tree: [] },
  pause: { days: 1 },
};

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await sharedServer();
  ann = await register(server.http, 'ann');
});
afterAll(() => server.close());

const unknown = (name: string): string => (/^id$|Id$/.test(name) ? NOWHERE : name === 'number' ? '999999999' : 'nobody-here'); // prettier-ignore
const known = (name: string): string =>
  KNOWN[name] ?? (/^(username|opponent|player|a|b)$/.test(name) ? ann.username : unknown(name));

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

test('in every route with parts in its path', async () => {
  const { paths } = openApi(server.app);
  const wrong: string[] = [];
  let refusals = 0;
  for (const [path, methods] of Object.entries(paths)) {
    const parameters = (methods.get?.parameters ?? []) as readonly Parameter[];
    const parts = parameters.filter((part) => part.in === 'path').map(({ name }) => name);
    if (!path.startsWith('/v1/')) continue;
    const needed = parameters.filter((each) => each.in === 'query' && each.required).map(({ name }) => name);
    for (const part of [...parts, ...needed]) {
      const valueOf = (name: string) => (name === part ? unknown(name) : known(name));
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
      const query = Object.fromEntries(needed.map((name) => [name, valueOf(name)]));
      const { status, body } = await send(server.http, address, { query }, ann);
      // What an application does as itself is refused to a user, whatever it names.
      if (status < 400 || body.code === 'INSUFFICIENT_SCOPE') continue;
      refusals += 1;
      const names = parameters.map(({ name }) => name);
      if (!names.includes(body.field)) wrong.push(`${address}: ${body.code} ${body.field} ${body.detail}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(refusals).toBeGreaterThan(20);
});

test('in every query of GraphQL', async () => {
  const fields = buildSchema(readFileSync('schema.graphql', 'utf8')).getQueryType()!.getFields();
  const isText = (type: unknown) => /^(String|ID)!?$/.test(String(type));
  const wrong: string[] = [];
  let refusals = 0;
  const documentOf = ({ name, args, type }: GraphQLField<unknown, unknown>) => {
    const given = args.filter((arg) => isText(arg.type) && String(arg.type).endsWith('!'));
    const declared = given.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
    const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
    const inside = isLeafType(getNamedType(type)) ? '' : '{ __typename }';
    return {
      given: given.map((arg) => arg.name),
      query: `query (${declared}) { ${name}(${passed}) ${inside} }`,
    };
  };
  for (const field of Object.values(fields)) {
    const { given, query } = documentOf(field);
    for (const part of given) {
      const variables = Object.fromEntries(given.map((name) => [name, name === part ? unknown(name) : known(name)])); // prettier-ignore
      const { body } = await sendGraphql(server.http, query, variables, ann);
      const [error] = (body.errors ?? []) as {
        message: string;
        extensions: { code?: string; field?: string };
      }[];
      if (error === undefined || error.extensions.code === 'INSUFFICIENT_SCOPE') continue;
      refusals += 1;
      if (!given.includes(error.extensions.field ?? '')) wrong.push(`${field.name}: ${error.extensions.field} ${error.message}`); // prettier-ignore
    }
  }
  expect(wrong).toEqual([]);
  expect(refusals).toBeGreaterThan(5);
});

test('in every mutation of GraphQL, and every route that acts', async () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const valueOf = (type: GraphQLInputType, name: string): unknown => {
    const named = getNamedType(type);
    if (isEnumType(named)) return named.getValues()[0]!.name;
    if (isInputObjectType(named)) return passing(named);
    return (
      { Int: 1, Boolean: true, JSON: [], DateTime: '2026-01-31T12:00:00.000Z' }[named.name] ?? unknown(name)
    );
  };
  const passing = (type: GraphQLInputObjectType): Record<string, unknown> => {
    const all = Object.values(type.getFields());
    const needed = type.isOneOf ? all.slice(0, 1) : all.filter((field) => isNonNullType(field.type));
    return Object.fromEntries(needed.map((field) => [field.name, valueOf(field.type, field.name)]));
  };
  const wrong: string[] = [];
  let refusals = 0;
  for (const { name, args } of Object.values(schema.getMutationType()!.getFields())) {
    const type = args[0] && getNamedType(args[0].type);
    if (!isInputObjectType(type)) continue;
    const query = `mutation ($input: ${String(args[0]!.type)}) { ${name}(input: $input) { __typename } }`;
    const { body } = await sendGraphql(server.http, query, { input: passing(type) }, ann);
    const { code, field = '' } = (body.errors?.[0].extensions ?? {}) as { code?: string; field?: string };
    if (code !== 'NOT_FOUND') continue;
    refusals += 1;
    if (!(field.split('.')[0]! in type.getFields()))
      wrong.push(`${name}: ${field} ${body.errors[0].message}`);
  }
  const { paths } = openApi(server.app);
  for (const [path, { post, put, delete: remove }] of Object.entries(paths)) {
    if (!path.includes('{id}')) continue;
    for (const method of ['post', 'put', 'delete'] as const) {
      if ({ post, put, delete: remove }[method] === undefined) continue;
      const body = BODIES[path.split('/').at(-1)!] ?? {};
      const address = path
        .replace('{id}', NOWHERE)
        .replace(/\{(\w+)\}/g, (_, name: string) => (name === 'username' ? ann.username : NOWHERE));
      const { body: told } = await send(server.http, address, { method, body }, ann);
      if (told.code !== 'NOT_FOUND') continue;
      refusals += 1;
      if (told.field !== 'id') wrong.push(`${method} ${path}: ${told.field} ${told.detail}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(refusals).toBeGreaterThan(50);
});

test('in a condition on games, over both', async () => {
  const query = '{ games(filter: { player: "nobody-here" }) { edges { cursor } } }';
  const { body } = await sendGraphql(server.http, query);
  expect(body.errors[0].extensions).toEqual({ code: 'NOT_FOUND', field: 'filter.player' });
  const overRest = await send(server.http, '/v1/games?player=nobody-here');
  expect(overRest.body).toMatchObject({ code: 'NOT_FOUND', field: 'player' });
});
