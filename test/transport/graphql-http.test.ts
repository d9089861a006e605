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

const STATUS =
  'The status says that a request was wrong whichever of the two media types is asked for, as in REST; with 200 a client that reads no further takes it for answered.';

/** Deviations from the specification, and why. */
const EXCEPTIONS: Readonly<Record<string, readonly [word: string, name: string, reason: string]>> = {
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

const inAddress = (query: Record<string, string>) => `/graphql?${new URLSearchParams(query).toString()}`;

test('answers a GET without further headers, as urql sends it', async () => {
  const path = inAddress({
    operationName: 'Type',
    query: 'query Type($name: String!) { __type(name: $name) { name } }',
    variables: '{"name":"Game"}',
  });
  const accept = 'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'; // prettier-ignore
  for (const headers of [{}, { accept }]) {
    const { status, text } = await send(server.http, path, { headers });
    expect([status, JSON.parse(text)]).toMatchObject([200, { data: { __type: { name: 'Game' } } }]);
  }
});

test('carries out no mutation by GET', async () => {
  const { status, headers } = await send(server.http, inAddress({ query: 'mutation { logout { ended } }' }));
  expect([status, headers['allow']]).toEqual([405, 'POST']);
});

test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
  'refuses a body of the type %s, which a page may send without asking',
  async (type) => {
    const body = type.startsWith('text') ? '{"query":"{ __typename }"}' : 'query=%7B__typename%7D';
    const headers = { 'content-type': type };
    expect(await send(server.http, '/graphql', { method: 'post', headers, body })).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
  },
);

const sent = async (query: string, variables: Record<string, unknown> = {}) =>
  (await sendGraphql(server.http, query, variables)).body as {
    readonly data: Readonly<Record<string, { session: { accessToken: string } } | null>>;
    readonly errors: readonly { path: readonly string[]; extensions: { code: string } }[];
  };

// The same document twice: the second time it goes past Apollo Server.
test.each(['at first', 'repeated'])(
  'an error in one mutation neither blanks nor stops another, %s',
  async () => {
    const name = () => `field-${randomUUID().slice(0, 8)}`;
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
