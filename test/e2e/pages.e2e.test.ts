import { readFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { examplesOf, expectPolicy, loadedBy, openPage } from '../support/graphiql.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type Response, send } from '../support/transport.js';

/** The two pages for people: GraphiQL with its examples, and the REST reference. */

let server: TestServer;
let page: Response;
beforeAll(async () => {
  server = await sharedServer();
  page = await send(server.http, '/graphiql');
});
afterAll(() => server.close());

const INLINE_SCRIPT = /<script(?![^>]*\s(?:src=|type="application\/json"))/;

const typeOf = ({ headers }: Response) => headers['content-type']?.split(';')[0];

/** Sends an address as it is written; higher-level clients would normalise it. */
const statusOf = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpGet(server.url, { path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

describe('GraphiQL', () => {
  it('is a page under a strict policy, never cached', () => {
    expect(page.status).toBe(200);
    expect(typeOf(page)).toBe('text/html');
    expect(page.headers['cache-control']).toBe('no-store');
    expectPolicy(page);
    expect(page.text).not.toMatch(INLINE_SCRIPT);
  });

  it.each([
    ['play.example.org:3000', " connect-src 'self' ws://play.example.org:3000 wss://play.example.org:3000;"],
    ['[::1]:3000', " connect-src 'self';"],
    ['a.example; script-src *', " connect-src 'self';"],
  ])('allows sockets to its own host, here %s', async (host, directive) => {
    const response = await send(server.http, '/graphiql', { headers: { host } });
    expect(response.headers['content-security-policy']).toContain(directive);
  });

  it('refers to no other host', () => {
    // The sites of examples are only texts.
    expect(
      page.text.replaceAll(/https:\/\/(?:chess.example.org|hooks.example|push.example)/g, ''),
    ).not.toContain('//');
    for (const address of loadedBy(page.text)) expect(address).toMatch(/^(?:\/\w|data:,$)/);
  });

  it('loads scripts and styles that a browser may cache', async () => {
    const assets = loadedBy(page.text).filter((address) => address.startsWith('/assets/'));
    expect(assets).toHaveLength(6);
    for (const path of assets) {
      const response = await send(server.http, path);
      expect(response.status).toBe(200);
      expect(typeOf(response)).toMatch(
        path.endsWith('.css') ? 'text/css' : /^(?:text|application)\/javascript$/,
      );
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.text).not.toBe('');
      // A style sheet could load what the page does not name.
      if (typeOf(response) === 'text/css') expect(response.text).not.toMatch(/@import|url\((?!["']?data:)/);
    }
  });

  it.each([
    '/assets/',
    '/assets/graphiql.min.js.map',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '/assets//etc/passwd',
  ])('serves nothing else: %s', async (path) => {
    expect(await statusOf(path)).toBe(404);
  });
});

describe('the examples in GraphiQL', () => {
  it('open in at most six tabs, and are all in the list', async () => {
    const { tabs, open } = await openPage(server);
    expect(tabs().map(({ title }) => title)).toEqual([
      'anyoneLooks',
      'annAndBenRegister',
      'annChallenges',
      'benAccepts',
      'annMoves',
      'anyoneWatches',
    ]);
    for (const { name } of examplesOf(page.text)) expect(open(name).title).toBe(name);
  });

  it('open in one tab each, however often they are chosen', async () => {
    const { tabs, open } = await openPage(server);
    expect(open('benAccepts')).toBe(tabs()[3]);
    expect(open('benPlans')).toBe(tabs()[6]);
    open('anyoneWatches');
    expect(open('benPlans')).toBe(tabs()[6]);
    expect(tabs()).toHaveLength(7);
  });

  it('have players of this browser, the same at the next visit', async () => {
    const first = await openPage(server);
    const { playersNumber } = JSON.parse(first.stored.get('graphiql:halfmove')!);
    expect(playersNumber).toMatch(/^\d{6}$/);
    expect(first.open('annChallenges').variables).toContain(`"ben${playersNumber}"`);
    expect(first.open('annChallenges').headers).toContain(`{{ann${playersNumber}}}`);
    const next = await openPage(server, first.stored);
    expect(next.open('annChallenges').variables).toBe(first.open('annChallenges').variables);
    const other = await openPage(server);
    expect(other.open('annChallenges').variables).not.toBe(first.open('annChallenges').variables);
  });
});

describe('the values that the page fills in', () => {
  it('contain the rematch once both have offered it', async () => {
    const { open, run, stored, fetcher } = await openPage(server);
    for (const name of ['annAndBenRegister', 'annChallenges', 'benAccepts', 'annMoves', 'benMoves'])
      await run(name);
    const kept = () => JSON.parse(stored.get('graphiql:halfmove')!);
    const { gameId } = kept();
    await run('benResigns');
    await run('annOffersRematch');
    expect(kept().gameId).toBe(gameId);
    const { query, variables } = open('annOffersRematch');
    const { headers } = open('benResigns');
    const body = { query, variables: JSON.parse(variables!) };
    const { data } = await fetcher(body, { headers: JSON.parse(headers!) });
    const { challenge } = data.offerRematch;
    expect(challenge.status).toBe('ACCEPTED');
    expect(kept()).toMatchObject({ gameId: challenge.id, rematchId: challenge.id });
  });

  it('count the plies of the game', async () => {
    const { open, run, fetcher } = await openPage(server);
    for (const name of ['annAndBenRegister', 'annChallenges', 'benAccepts', 'annMoves', 'benMoves'])
      await run(name);
    const { query, variables, headers } = open('annMoves');
    const third = { query, variables: JSON.parse(variables!.replace('f2f3', 'g2g4')) };
    const { data } = await fetcher(third, { headers: JSON.parse(headers!) });
    expect(data.makeMove.ply).toMatchObject({ ply: 3, san: 'g4' });
  });

  it('are not replaced by the session of a user whose name is that of a value', async () => {
    const { fetcher, stored } = await openPage(server);
    const kept = () => JSON.parse(stored.get('graphiql:halfmove')!);
    stored.set('graphiql:halfmove', JSON.stringify({ ...kept(), seed: 'ab' }));
    const query = 'mutation($input: RegisterInput!) { register(input: $input) { session { accessToken accessTokenExpiresAt user { username } } } }'; // prettier-ignore
    await fetcher({ query, variables: { input: { username: 'seed', password: 'a long pass word 17' } } }, {});
    expect(kept()).toMatchObject({ seed: 'ab', 'session seed': { accessToken: expect.any(String) } });
  });

  it('are asked for when unknown, and nothing is sent', async () => {
    const { run, sent } = await openPage(server);
    const { errors } = await run('annMoves');
    expect(errors[0].message).toMatch(/^\{\{gameId\}\} is not known in this browser yet/);
    expect(sent).toEqual([]);
  });

  it('are left out of requests for the schema', async () => {
    const { fetcher, sent } = await openPage(server);
    const headers = { Authorization: 'Bearer {{nobody}}' };
    await fetcher({ query: '{ __typename }', operationName: 'IntrospectionQuery' }, { headers });
    expect(sent).toEqual([{ query: '{ __typename }', headers: {} }]);
  });

  it('contain a new token when the old one expires', async () => {
    const { run, stored } = await openPage(server);
    const { data } = await run('annAndBenRegister');
    const { username } = data.second.session.user;
    const kept = () => JSON.parse(stored.get('graphiql:halfmove')!)[`session ${username}`];
    const accessTokenExpiresAt = new Date(Date.now() + 5_000).toISOString();
    stored.set(
      'graphiql:halfmove',
      JSON.stringify({ [`session ${username}`]: { ...kept(), accessTokenExpiresAt } }),
    );
    expect((await run('benReads')).errors).toBeUndefined();
    expect(kept().refreshToken).not.toBe(data.second.session.refreshToken);
    expect(Date.parse(kept().accessTokenExpiresAt)).toBeGreaterThan(Date.now() + 60_000);
  });

  it('contain no token when the session has ended', async () => {
    const { run, stored } = await openPage(server);
    const { data } = await run('annAndBenRegister');
    const { username } = data.second.session.user;
    const ended = { accessToken: 'x', accessTokenExpiresAt: '2020-01-01T00:00:00Z', refreshToken: 'x' };
    stored.set('graphiql:halfmove', JSON.stringify({ [`session ${username}`]: ended }));
    const { errors } = await run('benReads');
    expect(errors[0].message).toMatch(new RegExp(`^${username}: .* \\(example annLogsIn\\)$`));
  });

  it('are sent only to this server, over sockets too', async () => {
    const { urls } = await openPage(server);
    const endpoint = `${server.url}/graphql`;
    expect(urls).toMatchObject({ url: endpoint, subscriptionUrl: endpoint.replace('http', 'ws') });
  });
});

describe('the REST reference', () => {
  it.each(['/docs', '/docs/'])('is a page under the same policy: %s', async (path) => {
    const response = await send(server.http, path);
    expect(response.status).toBe(200);
    expect(typeOf(response)).toBe('text/html');
    expectPolicy(response);
    expect(response.text).not.toMatch(INLINE_SCRIPT);
  });

  it('loads everything from this server', async () => {
    const { text } = await send(server.http, '/docs');
    const loaded = loadedBy(text).filter((address) => !address.startsWith('data:'));
    expect(loaded).toHaveLength(6);
    for (const address of loaded) {
      const { origin, pathname } = new URL(address, `${server.url}/docs`);
      expect(origin).toBe(new URL(server.url).origin);
      expect((await send(server.http, pathname)).status).toBe(200);
    }
  });
});

describe('the pages for programs', () => {
  it.each([
    ['/openapi.json', 'application/json', /"openapi":"3\.1\.0"/],
    ['/schema.graphql', 'application/graphql', /^type Query \{$/m],
  ])('are at %s, and may be cached', async (path, type, text) => {
    const response = await send(server.http, path);
    expect([response.status, typeOf(response)]).toEqual([200, type]);
    expect(response.text).toMatch(text);
    const headers = { 'If-None-Match': response.headers['etag']! };
    const again = await send(server.http, path, { headers });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('contain the files of the project', async () => {
    const schema = (await send(server.http, '/schema.graphql')).text;
    expect(schema).toBe(readFileSync('schema.graphql', 'utf8'));
    const { body } = await send(server.http, '/openapi.json');
    const written = JSON.parse(readFileSync('openapi.json', 'utf8')) as { readonly paths: object };
    expect(Object.keys(body.paths).sort()).toEqual(Object.keys(written.paths));
  });

  it('are linked from the root', async () => {
    const { status, headers } = await send(server.http, '/');
    expect(status).toBe(200);
    const links = [...headers['link']!.matchAll(/<([^>]+)>; rel="service-(?:desc|doc)"/g)].map(
      ([, path]) => path!,
    );
    expect(links).toEqual(['/openapi.json', '/schema.graphql', '/docs']);
    for (const path of links) expect((await send(server.http, path)).status).toBe(200);
  });
});
