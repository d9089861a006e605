import { get as httpGet } from 'node:http';
import { runInNewContext } from 'node:vm';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getOperationAST, OperationTypeNode, parse, validate } from 'graphql';
import request from 'supertest';
import { startServer, type TestServer } from '../support/server.js';

/** The two pages for people: GraphiQL with its starter operations, and the REST reference. */

let server: TestServer;
let page: request.Response;
beforeAll(async () => {
  server = await startServer();
  page = await request(server.http).get('/graphiql');
}, 60_000);
afterAll(() => server.close());

const LOADED = /\s(?:src|href)="([^"]*)"/g;
const INLINE_SCRIPT = /<script(?![^>]*\s(?:src=|type="application\/json"))/;

/** What a page loads or links to. */
const loadedBy = (html: string): string[] => [...html.matchAll(LOADED)].map(([, address]) => address!);

/** An address sent as it is written; clients of a higher level would tidy it up first. */
const statusOf = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpGet(server.url, { path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

function expectPolicy(response: request.Response): void {
  const policy = response.get('content-security-policy') ?? '';
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(policy).not.toMatch(/\*|https?:|unsafe-eval|script-src[^;]*unsafe/);
}

describe('GraphiQL', () => {
  it('is where the root leads', async () => {
    const response = await request(server.http).get('/');
    expect([response.status, response.get('location')]).toEqual([302, '/graphiql']);
  });

  it('is a page under a strict policy, never kept', () => {
    expect(page.status).toBe(200);
    expect(page.type).toBe('text/html');
    expect(page.get('cache-control')).toBe('no-store');
    expectPolicy(page);
    expect(page.text).not.toMatch(INLINE_SCRIPT);
  });

  it.each([
    ['play.example.org:3000', " connect-src 'self' ws://play.example.org:3000 wss://play.example.org:3000;"],
    ['[::1]:3000', " connect-src 'self';"],
    ['a.example; script-src *', " connect-src 'self';"],
  ])('lets sockets go to its own host, here %s', async (host, directive) => {
    const response = await request(server.http).get('/graphiql').set('host', host);
    expect(response.get('content-security-policy')).toContain(directive);
  });

  it('refers to no other host', () => {
    expect(page.text).not.toContain('//');
    for (const address of loadedBy(page.text)) expect(address).toMatch(/^(?:\/\w|data:,$)/);
  });

  it('loads scripts and styles that a browser may keep', async () => {
    const assets = loadedBy(page.text).filter((address) => address.startsWith('/graphiql/assets/'));
    expect(assets).toHaveLength(6);
    for (const path of assets) {
      const response = await request(server.http).get(path);
      expect(response.status).toBe(200);
      expect(response.type).toBe(path.endsWith('.css') ? 'text/css' : 'text/javascript');
      expect(response.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.get('x-content-type-options')).toBe('nosniff');
      expect(response.text).not.toBe('');
      // A style sheet could fetch what the page does not name.
      if (response.type === 'text/css') expect(response.text).not.toMatch(/@import|url\((?!["']?data:)/);
    }
  });

  it.each([
    '/graphiql/assets/',
    '/graphiql/assets/graphiql.min.js.map',
    '/graphiql/assets/../../package.json',
    '/graphiql/assets/..%2f..%2fpackage.json',
    '/graphiql/assets/%2e%2e/%2e%2e/package.json',
    '/graphiql/assets/..\\..\\package.json',
    '/graphiql/assets//etc/passwd',
  ])('serves nothing else: %s', async (path) => {
    expect(await statusOf(path)).toBe(404);
  });
});

interface Tab {
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

/** Read as it comes; a test that reads it wrongly fails. */
type Json = request.Response['body'];
type Fetcher = (request: Json, options: Json) => Promise<Json>;

const tabsOf = (html: string): readonly Tab[] =>
  JSON.parse(/<script type="application\/json" id="tabs">(.*)<\/script>/.exec(html)![1]!);

/** The page's own script in a browser that has no more than it needs; `run` is what the play button does. */
async function openPage() {
  const { text: html } = await request(server.http).get('/graphiql');
  const start = loadedBy(html).find((address) => address.endsWith('start.js'))!;
  const { text: script } = await request(server.http).get(start);
  const stored = new Map<string, string>();
  const opened: { urls?: Json; fetcher?: Fetcher; defaultTabs?: Tab[] } = {};
  const sent: { query: string; headers: Json }[] = [];
  const createFetcher = (urls: Json): Fetcher => {
    opened.urls = urls;
    return async (body, { headers = {} }) => {
      sent.push({ query: body.query, headers });
      return (await request(server.http).post('/graphql').set(headers).send(body)).body;
    };
  };
  runInNewContext(script, {
    URL,
    location: { href: `${server.url}/graphiql` },
    navigator: {},
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
    document: { getElementById: () => ({ textContent: JSON.stringify(tabsOf(html)) }) },
    GraphiQL: { createFetcher },
    React: { createElement: (_: unknown, props: object | null) => props },
    ReactDOM: { createRoot: () => ({ render: (props: object) => Object.assign(opened, props) }) },
  });
  const tabs = new Map(opened.defaultTabs!.map((tab) => [operationOf(tab).name!.value, tab]));
  const run = (name: string): Promise<Json> => {
    const { query, variables = '{}', headers = '{}' } = tabs.get(name)!;
    const body = { query, variables: JSON.parse(variables), operationName: name };
    return opened.fetcher!(body, { headers: JSON.parse(headers) });
  };
  return { tabs, run, stored, sent, urls: opened.urls!, fetcher: opened.fetcher! };
}

const operationOf = ({ query }: Tab) => getOperationAST(parse(query))!;

describe('the starter operations', () => {
  it('fit the schema', () => {
    const { schema } = server.app.get(GraphQLSchemaHost);
    for (const { query } of tabsOf(page.text)) expect(validate(schema, parse(query))).toEqual([]);
  });

  it('have one operation each, whose name is the name of the tab', () => {
    const names = tabsOf(page.text).map((tab) => operationOf(tab).name?.value);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain(undefined);
  });

  it('have comments that fit the editor of a window 1280 wide', () => {
    const comments = tabsOf(page.text).flatMap(({ query }) => query.match(/^#.*$/gm) ?? []);
    expect(comments.filter((line) => line.length > 51)).toEqual([]);
  });

  it('have new names each time', async () => {
    const names = new Set<string>();
    // Four digits may well be drawn twice, but not five times over.
    for (let i = 0; i < 5; i++) names.add((await openPage()).tabs.get('registerAnn')!.variables!);
    expect(names.size).toBeGreaterThan(1);
  });

  it('play, one after the other, as they stand', async () => {
    const { tabs, run } = await openPage();
    const answers: Record<string, Json> = {};
    for (const [name, tab] of tabs) {
      if (operationOf(tab).operation === OperationTypeNode.SUBSCRIPTION) continue;
      const { data, errors } = await run(name);
      expect([name, errors]).toEqual([name, undefined]);
      answers[name] = data;
    }
    expect(answers['startHere'].rulesets.map(({ id }: Json) => id)).toContain('banqi-hongkong');
    expect(answers['benReads'].challenges.edges).toHaveLength(1);
    expect(answers['annLooks'].game.legalMoves).toHaveLength(20);
    expect(answers['benLooks'].game.legalMoves).toHaveLength(20);
    expect(answers['benMoves'].makeMove).toMatchObject({ plyCount: 2, turn: 'first' });
    expect(answers['analyse'].analyse.plies.map(({ san }: Json) => san)).toEqual(['Rd7', 'Kf8', 'Rd8+']);
    const { moves } = answers['wholeGame'].game;
    expect(moves.edges.map(({ node }: Json) => node.san)).toEqual(['f3', 'e5']);
    expect(answers['resign'].resign.outcome).toEqual({ winner: 'first', reason: 'resignation' });
    expect(answers['benAcceptsByLink'].acceptChallenge.position).toMatch(/^xxxx\//);
    expect(answers['abort'].abort.status).toBe('aborted');
  }, 30_000);
});

describe('what the page fills in', () => {
  it('asks for what is not known yet, and sends nothing', async () => {
    const { run, sent } = await openPage();
    const { errors } = await run('annMoves');
    expect(errors[0].message).toMatch(/^\{\{gameId\}\} is not known in this browser yet/);
    expect(sent).toEqual([]);
  });

  it('asks for the schema without headers', async () => {
    const { fetcher, sent } = await openPage();
    const headers = { Authorization: 'Bearer {{nobody}}' };
    await fetcher({ query: '{ __typename }', operationName: 'IntrospectionQuery' }, { headers });
    expect(sent).toEqual([{ query: '{ __typename }', headers: {} }]);
  });

  it('is a fresh token when the old one runs out', async () => {
    const { run, stored } = await openPage();
    const { data } = await run('registerBen');
    const { username } = data.register.user;
    const kept = () => JSON.parse(stored.get('graphiql:halfmove')!)[username];
    const accessTokenExpiresAt = new Date(Date.now() + 5_000).toISOString();
    stored.set('graphiql:halfmove', JSON.stringify({ [username]: { ...kept(), accessTokenExpiresAt } }));
    expect((await run('benReads')).errors).toBeUndefined();
    expect(kept().refreshToken).not.toBe(data.register.refreshToken);
    expect(Date.parse(kept().accessTokenExpiresAt)).toBeGreaterThan(Date.now() + 60_000);
  });

  it('is nothing when the session has ended', async () => {
    const { run, stored } = await openPage();
    const { data } = await run('registerBen');
    const { username } = data.register.user;
    const ended = { accessToken: 'x', accessTokenExpiresAt: '2020-01-01T00:00:00Z', refreshToken: 'x' };
    stored.set('graphiql:halfmove', JSON.stringify({ [username]: ended }));
    const { errors } = await run('benReads');
    expect(errors[0].message).toMatch(new RegExp(`^${username}: .* \\(tab signIn\\)$`));
  });

  it('goes to this server, over sockets too', async () => {
    const { urls } = await openPage();
    const endpoint = `${server.url}/graphql`;
    expect(urls).toMatchObject({ url: endpoint, subscriptionUrl: endpoint.replace('http', 'ws') });
  });
});

describe('the REST reference', () => {
  it.each(['/docs', '/docs/'])('is a page under the same policy: %s', async (path) => {
    const response = await request(server.http).get(path);
    expect(response.status).toBe(200);
    expect(response.type).toBe('text/html');
    expectPolicy(response);
    expect(response.text).not.toMatch(INLINE_SCRIPT);
  });

  it('loads everything from this server', async () => {
    const { text } = await request(server.http).get('/docs');
    const loaded = loadedBy(text);
    expect(loaded.length).toBeGreaterThan(4);
    for (const address of loaded) {
      const { origin, pathname } = new URL(address, `${server.url}/docs`);
      expect(origin).toBe(new URL(server.url).origin);
      expect((await request(server.http).get(pathname)).status).toBe(200);
    }
  });

  it('is a document of OpenAPI, too', async () => {
    const { status, type, body } = await request(server.http).get('/docs/openapi.json');
    expect([status, type]).toEqual([200, 'application/json']);
    expect(body.openapi).toMatch(/^3\./);
    expect(Object.keys(body.paths).length).toBeGreaterThan(10);
    const yaml = await request(server.http).get('/docs/openapi.yaml');
    expect(yaml.text).toMatch(/^openapi: 3\./);
  });
});
