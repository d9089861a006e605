import { auditServer } from 'graphql-http';
import { sharedServer, type TestServer } from '../support/server.js';

/** What the specification of GraphQL over HTTP requires, checked by the audits of its reference implementation. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const PREFLIGHT =
  'A GET that a page of another origin can send without asking first is refused; with the header apollo-require-preflight it is answered.';
const STATUS =
  'The status says that a request was wrong whichever of the two media types is asked for, as in REST; with 200 a client that reads no further takes it for answered.';

/** Deviations from the specification, and why. */
const EXCEPTIONS: Readonly<Record<string, readonly [word: string, name: string, reason: string]>> = {
  '5A70': ['MAY', 'accept application/x-www-form-urlencoded formatted GET requests', PREFLIGHT],
  D6D5: ['MAY', 'allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json', PREFLIGHT], // prettier-ignore
  '6A70': ['MAY', 'allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json', PREFLIGHT], // prettier-ignore
  '572B': ['SHOULD', 'use 200 status code on document parsing failure when accepting application/json', STATUS], // prettier-ignore
  FDE2: ['SHOULD', 'use 200 status code on document validation failure when accepting application/json', STATUS], // prettier-ignore
  '7B9B': ['SHOULD', 'use a status code of 200 on variable coercion failure when accepting application/json', STATUS], // prettier-ignore
};

test('every failed audit has a reason', async () => {
  const audits = await auditServer({ url: `${server.url}/graphql` });
  const amiss = audits.filter(({ status }) => status !== 'ok').map(({ id, name }) => `${id}: ${name}`);
  expect(audits.length).toBeGreaterThan(60);
  expect(amiss.sort()).toEqual(
    Object.entries(EXCEPTIONS)
      .map(([id, [word, name]]) => `${id}: ${word} ${name}`)
      .sort(),
  );
});

test('answers a GET with the header, including variables', async () => {
  const query = new URLSearchParams({
    query: 'query ($name: String!) { __type(name: $name) { name } }',
    variables: '{"name":"Game"}',
  });
  const headers = { 'apollo-require-preflight': '1' };
  const answer = await fetch(`${server.url}/graphql?${query.toString()}`, { headers });
  expect([answer.status, await answer.json()]).toMatchObject([200, { data: { __type: { name: 'Game' } } }]);
});
