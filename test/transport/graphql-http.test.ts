import { randomUUID } from 'node:crypto';
import { auditServer } from 'graphql-http';
import type { Session } from '../support/operations/accounts.js';
import { bearer, PASSWORD } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { send, sendGraphql } from '../support/transport.js';

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

const sent = async (query: string, variables: Record<string, unknown> = {}) =>
  (await sendGraphql(server.http, query, variables)).body as {
    readonly data: Readonly<Record<string, { session: { accessToken: string } } | null>>;
    readonly errors: readonly { path: readonly string[]; extensions: { code: string } }[];
  };

// The same document twice: the second time it goes past Apollo Server.
test.each(['at first', 'repeated'])(
  'an error in one mutation neither blanks nor stops another, %s',
  async () => {
    const name = () => `root-${randomUUID().slice(0, 8)}`;
    const [first, last] = [name(), name()].map((username) => ({ username, password: PASSWORD }));
    const query = `mutation ($first: RegisterInput!, $last: RegisterInput!) {
    one: register(input: $first) { session { accessToken } }
    same: register(input: $first) { session { accessToken } }
    last: register(input: $last) { session { accessToken } }
  }`;
    const { data, errors } = await sent(query, { first, last });
    expect(errors).toMatchObject([{ path: ['same'], extensions: { code: 'USERNAME_TAKEN' } }]);
    expect(data).toEqual({
      one: { session: expect.anything() },
      same: null,
      last: { session: expect.anything() },
    });
    const me = await send(server.http, '/v1/me', {}, bearer(data['one']!.session as Session));
    expect(me.body).toMatchObject({ username: first!.username });
  },
);

test('an error in one query does not blank another', async () => {
  const { data, errors } = await sent('{ me { id } rulesets { id } }');
  expect(errors).toMatchObject([{ path: ['me'], extensions: { code: 'UNAUTHENTICATED' } }]);
  expect(data).toEqual({ me: null, rulesets: expect.arrayContaining([{ id: 'chess' }]) });
});
