import { restApi } from '../support/api.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';
import { send } from '../support/transport.js';

/** What a page of another origin may do, and what a person sees in a browser. */

const ORIGIN = 'https://app.example.org';
const PREFLIGHT = {
  origin: ORIGIN,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,idempotency-key',
};

const preflight = async (server: TestServer, path: string, headers = PREFLIGHT) => {
  const answer = await fetch(`${server.url}${path}`, { method: 'OPTIONS', headers });
  return { status: answer.status, allowed: Object.fromEntries(answer.headers) };
};

describe('by default', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await sharedServer();
  });
  afterAll(() => server.close());

  it.each(['/graphql', '/v1/users', '/v1/games'])('a page of any origin may request %s', async (path) => {
    const { status, allowed } = await preflight(server, path);
    expect(status).toBe(204);
    expect(allowed).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type,idempotency-key',
      'access-control-max-age': '86400',
    });
    expect(allowed['access-control-allow-methods']).toMatch(/\bPATCH\b.*\bDELETE\b/);
    expect(allowed['access-control-allow-credentials']).toBeUndefined();
  });

  it('a page may read answers and errors with their important headers', async () => {
    for (const [path, status] of [
      ['/v1/rulesets', 200],
      ['/v1/users/nobody-at-all', 404],
      ['/v1/me', 401],
      ['/nowhere', 404],
    ] as const) {
      const answer = await send(server.http, path, { headers: { origin: ORIGIN } });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['access-control-expose-headers']).toMatch(/retry-after.*x-request-id/);
    }
  });

  it.each(['', '?', '?something=1', '?query=', '?queries=%7B__typename%7D', '?a=%zz'])(
    'shows the page when /graphql%s is opened in a browser',
    async (search) => {
      const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      const answer = await send(server.http, `/graphql${search}`, { headers: { accept } });
      expect([answer.status, answer.headers['location']]).toEqual([303, '/graphiql']);
    },
  );

  it('answers GET requests of programs to /graphql as usual', async () => {
    const answer = await send(server.http, '/graphql', {
      query: { query: '{ __typename }' },
      headers: { accept: 'application/json' },
    });
    expect(answer.body).toMatchObject({ data: { __typename: 'Query' } });
  });
});

describe('with CORS_ORIGINS set', () => {
  it('only pages of these origins may send requests', async () => {
    const server = await startServer({ CORS_ORIGINS: `${ORIGIN},https://other.example.org` });
    const asked = async (origin: string) =>
      (await preflight(server, '/graphql', { ...PREFLIGHT, origin })).allowed['access-control-allow-origin'];
    expect(await asked(ORIGIN)).toBe(ORIGIN);
    expect(await asked('https://evil.example.org')).toBeUndefined();
    await server.close();
  });

  it('with no origins listed, no page may', async () => {
    const server = await startServer({ CORS_ORIGINS: 'none' });
    expect((await preflight(server, '/graphql')).allowed['access-control-allow-origin']).toBeUndefined();
    expect((await restApi(server.http).rulesets(null)).status).toBe(200);
    await server.close();
  });
});
