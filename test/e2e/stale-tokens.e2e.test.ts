import { ALL_SCOPES } from '../../src/platform/contract/scopes.js';
import { request as httpRequest } from 'node:http';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, PASSWORD, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { send, sendGraphql } from '../support/transport.js';

/**
 * A request without a token is anonymous; an invalid token is refused where the answer depends on the viewer, and only
 * there.
 */

const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };
const BROKEN = ['Bearer nonsense', 'Bearer ', 'Bearer a b', 'nonsense', 'Basic YTpi', 'Bearer'];

let server: TestServer;
let ann: Person;
let ben: Person;
let game: Game;
let stale: string;

beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  game = await begin(restApi(server.http), ann, ben);
  const ended = await register(server.http, 'eve');
  await restApi(server.http).logout(ended);
  stale = ended.authorization;
});
afterAll(() => server.close());

const broken = () => [stale, ...BROKEN].map((authorization) => ({ authorization }));

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it('public data is answered as to an anonymous viewer', async () => {
    const reads: readonly ((by: { authorization: string } | null) => Promise<{ text: string }>)[] = [
      (by) => api.user(by, ann.username),
      (by) => api.rulesets(by),
      (by) => api.statistics(by, ann.username),
    ];
    for (const read of reads) {
      const { text } = await read(null);
      for (const by of broken()) expect((await read(by)).text).toBe(text);
    }
  });

  it('registration, login and refresh ignore the token', async () => {
    for (const by of broken()) {
      const name = `new-${Math.random().toString(36).slice(2, 10)}`;
      const made = await api.register(by, { username: name, password: PASSWORD });
      expect(made.refusal).toBeUndefined();
      const session = await api.login(by, { username: name, password: PASSWORD });
      expect(session.refusal).toBeUndefined();
      expect((await api.refresh(by, session.data.refreshToken)).refusal).toBeUndefined();
    }
  });

  it('answers that depend on the viewer are refused, and never given as to a stranger', async () => {
    for (const by of broken()) {
      expect((await api.me(by)).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.game(by, game.id)).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.myGames(by)).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.makeMove(by, game.id, 1, 'e2e4')).refusal).toEqual(UNAUTHENTICATED);
    }
  });

  it('an empty header counts as none', async () => {
    expect((await api.game({ authorization: '' }, game.id)).data).toMatchObject({
      id: game.id,
      viewer: null,
    });
  });
});

it('the public part of a game is answered beside the refusal of the rest', async () => {
  const query = `query ($id: ID!) { game(id: $id) { id position viewer { seat } } rulesets { id } }`;
  const { body } = await sendGraphql(server.http, query, { id: game.id }, { authorization: stale });
  expect(body.data.game).toEqual({ id: game.id, position: game.position, viewer: null });
  expect(body.data.rulesets.length).toBeGreaterThan(5);
  expect(body.errors).toEqual([
    expect.objectContaining({
      path: ['game', 'viewer'],
      extensions: expect.objectContaining(UNAUTHENTICATED) as object,
    }),
  ]);
});

/** With headers that supertest would join or refuse. */
const sendRaw = (path: string, headers: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${server.url}${path}`, { headers: [...headers, 'Host', 'localhost'] });
    sent.on('response', (answer) => resolve(answer.resume().statusCode!)).on('error', reject);
    sent.end();
  });

it('refuses two headers, even if each is valid', async () => {
  const good = ['Authorization', ann.authorization];
  expect(await sendRaw('/v1/me', good)).toBe(200);
  expect(await sendRaw('/v1/me', [...good, ...good])).toBe(401);
  expect(await sendRaw('/v1/me', [...good, 'authorization', ben.authorization])).toBe(401);
  expect(await sendRaw('/v1/rulesets', [...good, ...good])).toBe(200);
});

it('refuses a valid token with something after it', async () => {
  const headers = { authorization: `${ann.authorization} anything` };
  expect((await send(server.http, '/v1/me', { headers })).status).toBe(401);
});

it('a token with a valid signature and another user’s id reveals nothing of a session, and does not affect it', async () => {
  const tokens = server.app.get(AccessTokens);
  const { sessionId } = await tokens.verify(ann.authorization.slice('Bearer '.length));
  for (const userId of [ben.id, ann.id, ben.id]) {
    const { accessToken } = tokens.sign(userId, sessionId, ALL_SCOPES);
    const { status } = await send(server.http, '/v1/me', {}, { authorization: `Bearer ${accessToken}` });
    expect(status).toBe(userId === ann.id ? 200 : 401);
  }
  expect((await restApi(server.http).me(ann)).data).toMatchObject({ id: ann.id });
});
