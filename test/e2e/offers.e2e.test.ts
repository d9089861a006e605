import { type Api, TRANSPORTS, VERBS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';
import { rest } from '../support/transport.js';

/** Limits on annoying offers: one that is taken back unread leaves nothing, and their number is limited. */

const TERMS = { ruleset: 'chess', timeControl: NO_CLOCK };

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeAll(async () => {
    api = over(server.http);
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  });

  const news = async () => {
    const { edges, unreadCount } = (await api.notifications(ben)).data;
    return { items: edges.map(({ node }) => ({ type: node.type, gameId: node.gameId })), unreadCount };
  };

  test('a challenge that is cancelled before it was read leaves no notification', async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = (await api.createChallenge(ann, { ...TERMS, opponent: ben.username })).data;
      expect((await news()).unreadCount).toBe(1);
      await api.cancelChallenge(ann, id);
      expect((await news()).unreadCount).toBe(0);
    }
    expect((await news()).items).toEqual([]);
  });

  test('one that was read stays read', async () => {
    const { id } = (await api.createChallenge(ann, { ...TERMS, opponent: ben.username })).data;
    await api.markNotificationsRead(ben, { gameId: id });
    await api.cancelChallenge(ann, id);
    expect(await news()).toMatchObject({ items: [{ type: 'challenge', gameId: id }], unreadCount: 0 });
  });
});

test('challenges, seeks and rematches share one limit per minute', async () => {
  const own = await startServer({ CHALLENGES_PER_MINUTE: '3' });
  const api = TRANSPORTS[0][1](own.http);
  const [ann, ben] = [await register(own.http, 'ann'), await register(own.http, 'ben')];
  for (let i = 0; i < 2; i++) {
    const { id } = (await api.createChallenge(ann, { ...TERMS, opponent: ben.username })).data;
    await api.cancelChallenge(ann, id);
  }
  expect((await api.createSeek(ann, TERMS)).refusal).toBeUndefined();
  const refused = await api.createChallenge(ann, { ...TERMS, opponent: ben.username });
  expect(refused.refusal).toEqual({ code: 'RATE_LIMITED' });
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect((await api.createChallenge(ben, { ...TERMS, opponent: ann.username })).refusal).toBeUndefined();
  await own.close();
});

test('a refusal at the limit says when to retry', async () => {
  const own = await startServer({ MAX_OPEN_CHALLENGES: '1' });
  const ann = await register(own.http, 'ann');
  for (const [, over] of TRANSPORTS) {
    await over(own.http).createChallenge(ann, TERMS);
    const refused = await over(own.http).createChallenge(ann, TERMS);
    expect(refused).toMatchObject({ refusal: { code: 'LIMIT_REACHED' }, retryAfter: 60 });
  }
  const answer = await fetch(`${own.url}/v1/challenges`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ann.authorization },
    body: JSON.stringify(VERBS.createChallenge.rest(TERMS).body),
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
  expect((await rest(own.http, ann, VERBS.createChallenge.rest(TERMS))).status).toBe(429);
  await own.close();
});
