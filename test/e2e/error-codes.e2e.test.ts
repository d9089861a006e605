import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLEnumType } from 'graphql';
import { graphqlApi, restApi } from '../support/api.js';
import { namedInGraphql } from '../support/named-codes.js';
import { must, send } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** The error codes and their explanations: one table for both schemas and both transports. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const openapi = JSON.parse(readFileSync('openapi.json', 'utf8'));

test('each is explained the same over both, but for those of GraphQL and of HTTP', async () => {
  const all = must(await graphqlApi(server.http).errorCodes(null));
  const inRest = must(await restApi(server.http).errorCodes(null));
  const ofProtocol = all.filter(({ code }) => /^(GRAPHQL|PERSISTED|OPERATION)_/.test(code));
  expect(ofProtocol).toHaveLength(5);
  const ofHttp = inRest.filter(({ code }) => code === 'METHOD_NOT_ALLOWED');
  expect(ofHttp).toHaveLength(1);
  expect(inRest.filter((one) => !ofHttp.includes(one))).toEqual(
    all.filter((one) => !ofProtocol.includes(one)),
  );
  for (const { description, advice } of all)
    for (const words of [description, advice]) expect(words).toMatch(/^[A-Z].{3,}\.$/);
  expect(new Set(all.map(({ description }) => description)).size).toBe(all.length);
});

test('lists them with descriptions in both schemas', async () => {
  const all = must(await graphqlApi(server.http).errorCodes(null));
  const values = (schema.getType('ErrorCode') as GraphQLEnumType).getValues();
  const described = new Map(values.map(({ name, description }) => [name, description]));
  expect(described).toEqual(new Map(all.map(({ code, description }) => [code, description])));
  const { ErrorCode, Problem } = openapi.components.schemas;
  expect(Problem.properties.code.$ref ?? Problem.properties.code.allOf[0].$ref).toMatch(/\/ErrorCode$/);
  const inRest = must(await restApi(server.http).errorCodes(null)).map(({ code }) => code);
  expect([...ErrorCode.enum].sort()).toEqual(inRest.sort());
  for (const code of (ErrorCode.enum as string[]).filter((each) => described.has(each)))
    expect(ErrorCode.description).toContain(described.get(code));
});

test('names the mutations that may return each code', async () => {
  const all = must(await graphqlApi(server.http).errorCodes(null));
  const told = new Map(all.map(({ code, mutations }) => [code, mutations]));
  expect(told.get('NO_OFFER')).toEqual(expect.arrayContaining(['acceptDraw', 'declinePause']));
  expect(told.get('INTERNAL')).toEqual([]);
  for (const name of Object.keys(schema.getMutationType()!.getFields())) {
    const naming = all.filter(({ mutations }) => mutations.includes(name)).map(({ code }) => code);
    expect([name, naming.sort()]).toEqual([name, [...namedInGraphql(name)].sort()]);
  }
});

test.each([
  ['{', 'GRAPHQL_PARSE_FAILED'],
  ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  ['query A { me { id } } query B { me { id } }', 'OPERATION_RESOLUTION_FAILURE'],
])('answers a document as %s with the documented status', async (query, code) => {
  const { status, body } = await send(server.http, '/graphql', { method: 'post', body: { query } });
  expect(body.errors[0].extensions.code).toBe(code);
  const told = must(await graphqlApi(server.http).errorCodes(null)).find((one) => one.code === code);
  expect(told!.status).toBe(status);
});

test('answers an unknown query hash with the documented status', async () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
  const { status, body } = await send(server.http, '/graphql', { method: 'post', body: { extensions } });
  expect([status, body.errors[0].extensions.code]).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
});
