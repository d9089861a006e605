import { createClient, operations } from '../../packages/client/src/client.js';
import { beginGame, registerClient, SOON, type ClientUser } from '../support/clients.js';
import { startDroppingProxy, type DroppingProxy } from '../support/dropping-proxy.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { PASSWORD } from '../support/people.js';

/** What the client sends again when a connection breaks or the server is busy, and what it does not. */

let server: TestServer;
let proxy: DroppingProxy;
let ann: ClientUser;
let ben: ClientUser;

beforeAll(async () => {
  server = await sharedServer();
  proxy = await startDroppingProxy(server.url);
  [ann, ben] = [await registerClient(proxy.url, 'ann'), await registerClient(proxy.url, 'ben')];
});
afterEach(() => expect(proxy.left()).toBe(0));
afterAll(async () => {
  await proxy.close();
  await server.close();
});

const chess = (opponent: ClientUser) => ({
  ruleset: 'chess',
  opponent: { username: opponent.username },
  timeControl: { none: {} },
});

const incoming = async ({ halfmove }: ClientUser) =>
  (await halfmove.graphql(operations.challenges, { box: 'INCOMING', first: 100 })).challenges.edges.length;

describe.each(['request', 'answer'] as const)('when the %s is lost', (what) => {
  it('a read is sent again', async () => {
    proxy.drop(what, what);
    const { me } = await ann.halfmove.graphql(operations.me);
    expect(me.username).toBe(ann.username);
    proxy.drop(what);
    expect((await ann.halfmove.rest.GET('/v1/me')).data.username).toBe(ann.username);
  });

  it('a move is played once', async () => {
    const id = await beginGame(ann, ben);
    proxy.drop(what, what);
    const { makeMove } = await ann.halfmove.graphql(operations.makeMove, {
      input: { gameId: id, ply: 1, move: 'e4' },
    });
    expect(makeMove).toMatchObject({ game: { plyCount: 1 }, ply: { san: 'e4' } });
    proxy.drop(what);
    const params = { path: { id } };
    const { data } = await ben.halfmove.rest.POST('/v1/games/{id}/moves', {
      params,
      body: { ply: 2, move: 'e5' },
    });
    expect(data.game.plyCount).toBe(2);
    const moves = await ann.halfmove.rest.GET('/v1/games/{id}/moves', { params });
    expect(moves.data.items.map(({ san }) => san)).toEqual(['e4', 'e5']);
  });

  it('a challenge is made once', async () => {
    const before = await incoming(ben);
    proxy.drop(what);
    await ann.halfmove.graphql(operations.createChallenge, { input: chess(ben) });
    proxy.drop(what);
    await ann.halfmove.rest.POST('/v1/challenges', { body: chess(ben) });
    expect(await incoming(ben)).toBe(before + 2);
  });

  it('an account is made once', async () => {
    proxy.drop(what);
    const { halfmove } = await registerClient(proxy.url, 'cara');
    expect(halfmove.session).not.toBeNull();
  });

  it('an act on a version is done once', async () => {
    const id = await beginGame(ann, ben);
    const { game } = await ann.halfmove.graphql(operations.game, { id });
    proxy.drop(what);
    const { resign } = await ann.halfmove.graphql(operations.resign, {
      input: { gameId: id, version: game!.version },
    });
    expect(resign.game.outcome).toEqual({ winner: 'SECOND', reason: 'RESIGNATION' });
  });

  it('an act on what the client has seen is sent again', async () => {
    const id = await beginGame(ann, ben);
    proxy.drop(what);
    const { resign } = await ann.halfmove.graphql(operations.resign, { input: { gameId: id } });
    expect(resign.game.outcome).toEqual({ winner: 'SECOND', reason: 'RESIGNATION' });
  });

  it('a request without key, version or what was seen is not sent again', async () => {
    const id = await beginGame(ann, ben);
    const unseeing = createClient({ url: proxy.url, ...SOON, session: ann.halfmove.session, proofs: null });
    proxy.drop(what);
    const resigning = unseeing.graphql(operations.resign, { input: { gameId: id } });
    await expect(resigning).rejects.toMatchObject({ code: 'NO_ANSWER', status: 0 });
  });
});

it('gives up after the given number of retries', async () => {
  const { halfmove } = await registerClient(proxy.url, 'dora', { retries: 2 });
  proxy.drop('request', 'answer', 'request');
  await expect(halfmove.graphql(operations.me)).rejects.toMatchObject({ code: 'NO_ANSWER' });
});

it('stops waiting in the end', async () => {
  const never = (request: Request) =>
    new Promise<Response>((_, reject) =>
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)),
    );
  const halfmove = createClient({ url: server.url, retries: 0, timeoutMs: 50, fetch: never });
  await expect(halfmove.graphql(operations.me)).rejects.toMatchObject({
    code: 'NO_ANSWER',
    message: expect.stringContaining('50 ms'),
  });
});

it('gives up when the caller aborts', async () => {
  const leaving = new AbortController();
  const halfmove = createClient({ url: proxy.url, backoffMs: 60_000 });
  proxy.drop('request');
  const asked = halfmove.graphql(operations.rulesets, {}, { signal: leaving.signal });
  setTimeout(() => leaving.abort(), 200);
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

/** A server that gives this answer before the right one. */
function busy(answers: readonly (() => Response)[]) {
  const left = [...answers];
  let asked = 0;
  const halfmove = createClient({
    url: server.url,
    ...SOON,
    fetch: (request) => {
      asked += 1;
      return Promise.resolve(left.shift()?.() ?? fetch(request));
    },
  });
  return { halfmove, asked: () => asked };
}

const refused = (code: string, status: number, retryAfter: number) => () =>
  Response.json(
    { type: 'about:blank', title: '', status, detail: 'Later.', code, retryAfter, requestId: '1' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );

const refusedInGraphql = (code: string, retryAfter: number) => () =>
  Response.json({ errors: [{ message: 'Later.', extensions: { code, retryAfter } }] });

it('waits as long as the server asks for', async () => {
  const start = Date.now();
  const { halfmove, asked } = busy([
    refusedInGraphql('RATE_LIMITED', 0.2),
    refused('OVERLOADED', 503, 0.2),
    () => new Response('Bad gateway', { status: 502, headers: { 'retry-after': '0' } }),
  ]);
  expect((await halfmove.graphql(operations.rulesets)).rulesets.length).toBeGreaterThan(3);
  expect(asked()).toBe(4);
  expect(Date.now() - start).toBeGreaterThanOrEqual(400);
});

it('leaves a longer wait to the caller', async () => {
  const { halfmove, asked } = busy([refused('STORAGE_FULL', 503, 60)]);
  await expect(halfmove.rest.GET('/v1/rulesets')).rejects.toMatchObject({
    code: 'STORAGE_FULL',
    status: 503,
    retryAfter: 60,
  });
  expect(asked()).toBe(1);
});

it('does not repeat a request that was refused for good', async () => {
  const { halfmove, asked } = busy([]);
  const wrong = halfmove.login({ username: ann.username, password: `not ${PASSWORD}` });
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS', details: { path: ['login'] } });
  await expect(
    halfmove.rest.GET('/v1/games/{id}', { params: { path: { id: 'none' } } }),
  ).rejects.toMatchObject({ code: expect.stringMatching(/^(NOT_FOUND|BAD_INPUT)$/) });
  expect(asked()).toBe(2);
});

it.each([
  ['an HTML page', new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } })],
  ['nothing', new Response('')],
  ['an error without a code', Response.json({ errors: [{ message: 'No.' }] })],
  ['an error that is not an object', Response.json({ errors: [null] })],
])('reports an answer that is not GraphQL, with status 200: %s', async (_, answer) => {
  const { halfmove, asked } = busy([() => answer.clone(), () => answer]);
  const bad = { name: 'HalfmoveError', code: 'BAD_ANSWER', status: 200 };
  await expect(halfmove.graphql(operations.rulesets)).rejects.toMatchObject(bad);
  await expect(halfmove.rest.GET('/v1/rulesets')).rejects.toMatchObject(bad);
  expect(asked()).toBe(2);
});

it('says which field an error is about', async () => {
  const id = await beginGame(ann, ben);
  const move = (ply: number, text: string) =>
    (ply % 2 === 1 ? ann : ben).halfmove.graphql(operations.makeMove, {
      input: { gameId: id, ply, move: text },
    });
  await expect(move(1, 'Nf4')).rejects.toMatchObject({
    code: 'ILLEGAL_MOVE',
    details: { fault: expect.any(String) },
  });
  for (const [i, text] of ['Nf3', 'a6', 'd3', 'b6'].entries()) await move(i + 1, text);
  await expect(move(5, 'Nd2')).rejects.toMatchObject({
    name: 'HalfmoveError',
    code: 'AMBIGUOUS_MOVE',
    message: expect.stringContaining('Nd2'),
    candidates: expect.arrayContaining(['b1d2', 'f3d2']),
    field: expect.stringContaining('move'),
  });
});
