import { createHash } from 'node:crypto';
import { get as httpGet, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { restApi } from '../support/api.js';
import { PASSWORD, type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { printCounts } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** Which answers are compressed, and which never are. */

let server: TestServer;
let ann: Person;
let ben: Person;
let id: string;

beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  ({ id } = await begin(restApi(server.http), ann, ben));
});

afterAll(() => server.close());

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** An answer as it came over the wire. */
function raw(
  path: string,
  encoding: string,
  { by, body, etag }: { by?: Person; body?: object; etag?: string } = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(encoding === '' ? {} : { 'accept-encoding': encoding }),
      ...(by && { authorization: by.authorization }),
      ...(etag && { 'if-none-match': etag }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const url = `${server.url}${path}`;
    const sent =
      body === undefined ? httpGet(url, { headers }) : httpRequest(url, { headers, method: 'POST' });
    sent.on('error', reject).on('response', (answer) => {
      const parts: Buffer[] = [];
      answer
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(parts) });
        });
    });
    if (body !== undefined) sent.end(JSON.stringify(body));
  });
}

const OPENED = { br: brotliDecompressSync, gzip: gunzipSync } as const;

describe.each(['br', 'gzip'] as const)('as %s', (encoding) => {
  test.each([
    ['a game', () => `/v1/games/${id}`],
    ['the rule sets', () => '/v1/rulesets'],
    ['a record', () => `/v1/games/${id}/record`],
    ['the document', () => '/openapi.json'],
    ['the page', () => '/graphiql'],
    ['a file of the page', async () => /\/assets\/graphiql[^"]*\.js/.exec((await raw('/graphiql', '')).bytes.toString())![0]], // prettier-ignore
    [
      'a query',
      () => `/graphql?query=${encodeURIComponent('{ rulesets { id name summary source start } }')}`,
    ],
  ])('%s', async (what, pathOf) => {
    const path = await pathOf();
    const [plain, packed] = [await raw(path, ''), await raw(path, encoding)];
    expect([plain.status, plain.headers['content-encoding']]).toEqual([packed.status, undefined]);
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.headers['vary']).toMatch(/accept-encoding/);
    expect(OPENED[encoding](packed.bytes).toString()).toBe(plain.bytes.toString());
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length * 0.7);
    printCounts(`${what} as ${encoding}`, {
      'bytes before': plain.bytes.length,
      'bytes after': packed.bytes.length,
    });
  });

  test('compresses a stream of games', async () => {
    for (let i = 0; i < 3; i += 1) {
      const game = await begin(restApi(server.http), ann, ben);
      must(await restApi(server.http).resign(ann, game.id));
    }
    const path = `/v1/users/${ann.username}/games`;
    const [plain, packed] = [await raw(path, ''), await raw(path, encoding)];
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(OPENED[encoding](packed.bytes).toString()).toBe(plain.bytes.toString());
  });
});

test.each([
  ['a game', () => `/v1/games/${id}`, 'Authorization, accept-encoding'],
  ['a rule set', () => '/v1/rulesets/chess', 'accept-encoding'],
])('keeps the same tag for %s, and 304 has the same Vary and no body', async (_, pathOf, vary) => {
  const [plain, packed] = [await raw(pathOf(), ''), await raw(pathOf(), 'br')];
  const etag = packed.headers['etag']!;
  const known = await raw(pathOf(), 'br', { etag });
  expect([plain, packed, known].map(({ headers }) => headers['etag'])).toEqual([etag, etag, etag]);
  expect([plain, packed, known].map(({ headers }) => headers['vary'])).toEqual([vary, vary, vary]);
  expect([known.status, known.bytes.length]).toEqual([304, 0]);
});

test.each(['', 'identity', 'deflate', 'br;q=0, gzip;q=0'])('does not compress for %j', async (encoding) => {
  expect((await raw('/v1/rulesets', encoding)).headers['content-encoding']).toBeUndefined();
});

test('does not compress short answers', async () => {
  expect((await raw('/v1/users/nobody-at-all', 'br')).headers['content-encoding']).toBeUndefined();
});

describe('never an answer with a secret', () => {
  const long = 'x '.repeat(2000);

  test('sessions', async () => {
    const body = { username: ann.username, password: PASSWORD };
    const answer = await raw('/v1/sessions', 'br', { body });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([201, undefined]);
    expect(answer.bytes.toString()).toContain('"accessToken":"');
  });

  test.each([
    ['by its name', '{ session { accessToken } }'],
    ['under an alias', '{ session { a: accessToken } }'],
    ['in a fragment', '{ session { ...F } } fragment F on Session { a: refreshToken }'],
  ])('a mutation that returns a token %s', async (_, selection) => {
    const [fields, fragment = ''] = selection.split(/(?<=\}) (?=fragment)/);
    const query = `mutation ($i: LoginInput!) { login(input: $i) ${fields} } ${fragment} #${long}`;
    const variables = { i: { username: ann.username, password: PASSWORD } };
    const answer = await raw('/graphql', 'br', { body: { query, variables } });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
  });

  test('a token under an alias in a persisted query', async () => {
    const query = `mutation ($i: LoginInput!) { login(input: $i) { session { a: accessToken } } } #${long}`;
    const variables = { i: { username: ann.username, password: PASSWORD } };
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    await raw('/graphql', 'br', { body: { query, variables, extensions } });
    const answer = await raw('/graphql', 'br', { body: { variables, extensions } });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
    expect(answer.bytes.toString()).toMatch(/"a":"ey/);
  });

  test('the link of a challenge, and the data of an account', async () => {
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
    const made = must(await restApi(server.http).createChallenge(ann, terms));
    const look = async (path: string, by: Person) =>
      (await raw(path, 'br', { by })).headers['content-encoding'];
    expect(await look(`/v1/challenges/${made.id}`, ann)).toBeUndefined();
    expect(await look('/v1/challenges?box=outgoing', ann)).toBeUndefined();
    expect(await look('/v1/changes', ann)).toBeUndefined();
    expect(await look('/v1/me/export', ann)).toBeUndefined();
    expect(await look('/v1/changes', ben)).toBe('br');
    const url = `{ challenge(id: "${made.id}") { a: url } rulesets { summary source } }`;
    expect(await look(`/graphql?query=${encodeURIComponent(url)}`, ann)).toBeUndefined();
    expect(await look(`/graphql?query=${encodeURIComponent(url)}`, ben)).toBe('br');
  });
});

test('refuses a compressed request', async () => {
  const answer = await fetch(`${server.url}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: '{}',
  });
  expect(answer.status).toBe(400);
});
