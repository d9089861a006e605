import { getIntrospectionQuery } from 'graphql';
import { sharedServer, type TestServer } from '../support/server.js';
import { sendGraphql } from '../support/transport.js';

/** Every client can read the schema, but no query can make the server repeat it without limit. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const ask = (query: string) => sendGraphql(server.http, query, {});

const EVERYTHING = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
};

test.each([
  ['with all options', EVERYTHING],
  ['with the defaults', {}],
  ['without descriptions', { descriptions: false }],
])('answers the usual query of clients: %s', async (_, options) => {
  const { body } = await ask(getIntrospectionQuery(options));
  expect(body.errors).toBeUndefined();
  expect(body.data.__schema.types.length).toBeGreaterThan(100);
});

/** Each level asks for the types of all fields of all types before it. */
const nested = (levels: number): string =>
  levels === 0 ? 'name' : `fields { name type { ${nested(levels - 1)} ofType { ${nested(levels - 1)} } } }`;

test.each([
  ['types within types', `{ __schema { types { ${nested(3)} } } }`],
  ['one type, deeply nested', `{ __type(name: "Query") { ${nested(4)} } }`],
  [
    'many aliases',
    `{ __schema { ${Array.from({ length: 29 }, (_, i) => `a${i}: types { fields { type { fields { name description } } } }`).join(' ')} } }`,
  ],
  ['a long alias', `{ __schema { types { fields { type { fields { ${'a'.repeat(8000)}: name } } } } } }`],
  [
    'the same through fragments',
    `{ __schema { types { ...a } } } fragment a on __Type { fields { type { ...b } } }
     fragment b on __Type { fields { type { ...c } } } fragment c on __Type { fields { type { fields { name } } } }`,
  ],
])('refuses what multiplies: %s', async (_, query) => {
  const { status, body } = await ask(query);
  expect(status).toBe(400);
  // GraphQL itself refuses what goes down three lists.
  expect(body.errors[0].message).toMatch(
    /asks for more than 1024 KiB of the schema|levels deep|alias of 8000 characters \(a+\.\.\.\)|Maximum introspection depth exceeded/,
  );
});

test('the length of an answer is close to its calculated length', async () => {
  const { text } = await ask(getIntrospectionQuery(EVERYTHING));
  // With room for a schema that grows.
  expect(text.length).toBeLessThan(1024 * 1024 * 0.75);
});
