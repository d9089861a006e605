import { NewsLog } from '../../src/features/news/news-log.js';
import { PushSender } from '../../src/features/news/push-sender.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { DAY_MS } from '../../src/platform/process/time.js';
import { restApi, TRANSPORTS } from '../support/api.js';
import { freshPlace, type Place } from '../support/databases.js';
import { OPEN_HOST } from '../support/hook-receiver.js';
import { bearer, PASSWORD, type Person, register, renewed } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { type Browser, openPushService, type PushService, vapidClaims } from '../support/push-service.js';
import { onServer } from '../support/scale.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** What users are told by push, from the log of events to a push service that reads it as a browser does. */

// Both databases: pushes are taken by one of several processes.

let service: PushService;
let place: Place;
let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  service = await openPushService();
  place = await freshPlace();
  server = await startServer({ ...SHARED_SETTINGS, OUTGOING_NETWORKS: `${OPEN_HOST}/32` }, place);
  time = stopTime(server.app);
});
afterEach(() => {
  service.answer = () => ({ status: 201 });
});
afterAll(async () => {
  await server.close();
  await place.remove();
  await service.close();
});

const api = () => restApi(server.http);

/** A person with a browser that is told. */
async function reachable(name: string, push: Body = {}): Promise<Person & { readonly browser: Browser }> {
  const person = await register(server.http, name);
  const browser = service.browser();
  must(await api().savePushSubscription(person, browser.subscription));
  if (Object.keys(push).length > 0) must(await api().updateNewsSettings(person, { push }));
  return { ...person, browser };
}

/** Opens once. */
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

/** The log is walked to its end, and what is due is posted. */
async function walked(): Promise<void> {
  const { db } = server.app.get(PrismaService);
  for (let left = true; left;) {
    await server.app.get(NewsLog).work();
    const [row] = await db.$queryRaw<[{ left: boolean }]>`
      SELECT EXISTS (SELECT FROM events e, log_readers r WHERE r.name = 'news' AND (e.tide, e.id) > (r.tide, r.id))
        OR EXISTS (SELECT FROM news_items WHERE due_at <= ${time.now()}::timestamptz) AS left`;
    left = row.left;
  }
}

async function told(): Promise<void> {
  await walked();
  await server.app.get(PushSender).send();
}

const signedInAgain = async (person: Person): Promise<Person> => {
  const { username } = person;
  return { ...person, ...bearer(must(await api().login(null, { username, password: PASSWORD }))) };
};

const messages = ({ browser }: { readonly browser: Browser }) => browser.pushed.map(({ message }) => message);
const waiting = ({ id: userId }: Person): Promise<number> =>
  server.app.get(PrismaService).db.push.count({ where: { subscription: { userId } } });

/** Ann has moved, and it is the turn of the other. */
async function startGame(ann: Person, ben: Person, terms: Body = {}) {
  const game = await begin(api(), ann, ben, terms);
  await playMoves(api(), game, ['e2e4'], { first: ann, second: ben });
  return game;
}

describe('a turn', () => {
  it('is told at once, encrypted for the browser and signed by the server', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben')];
    const game = await startGame(ann, ben, { timeControl: { type: 'perMove', seconds: 86_400 } });
    await told();
    const pushed = ben.browser.pushed.at(-1)!;
    expect(pushed.message).toEqual({
      id: expect.any(String) as string,
      tag: game.id,
      title: expect.stringMatching(/^(Your turn|News of your games)$/) as string,
      body: expect.stringContaining(`It is your turn in your game against ${ann.username} (Chess). You have until `) as string, // prettier-ignore
      path: `/games/${game.id}`,
    });
    expect(pushed.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{32}$/) as string,
      urgency: 'normal',
    });
    expect(Number(pushed.headers['ttl'])).toBeGreaterThan(86_000);
    expect(Number(pushed.headers['ttl'])).toBeLessThanOrEqual(86_400);
    const { pushKey } = must(await api().newsSettings(ben));
    expect(vapidClaims(pushed, pushKey)).toMatchObject({ aud: service.origin });
  });

  it('that is over is taken back, once, and only where it is shown', async () => {
    const [ann, ben] = [await reachable('ann'), await reachable('ben')];
    const game = await startGame(ann, ben);
    await told();
    const before = messages(ben).length;
    must(await api().makeMove(ben, game.id, 2, 'e7e5'));
    await told();
    expect(messages(ben).slice(before)).toEqual([{ id: expect.any(String) as string, tag: game.id, clear: true }]); // prettier-ignore
    expect(messages(ann).at(-1)).toMatchObject({ tag: game.id, title: 'Your turn' });
    await playMoves(api(), { ...game, plyCount: 2, turn: 'first' }, ['d2d4', 'd7d5'], { first: ann, second: ben }); // prettier-ignore
    await told();
    // The second turn was over before it was told.
    expect(messages(ben).slice(before)).toHaveLength(1);
    expect(messages(ann).at(-1)).toMatchObject({ tag: game.id, title: 'Your turn' });
    must(await api().resign(ben, game.id));
    await told();
    expect(messages(ann).at(-1)).toMatchObject({ title: 'A game is over' });
    expect([await waiting(ann), await waiting(ben)]).toEqual([0, 0]);
  });

  it('is told again with other news of the game, in whose place that is shown', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { challenge: 'never' })];
    const game = await startGame(ann, ben);
    await told();
    must(await api().sendMessage(ann, game.id, 'Hello', 'key'));
    await told();
    must(await api().markNotificationsRead(ben, { gameId: game.id }));
    must(await api().makeMove(ben, game.id, 2, 'e7e5'));
    await told();
    expect(messages(ben)).toMatchObject([
      { title: 'Your turn' },
      { body: expect.stringMatching(/It is your turn .* has written to you/) as string },
      { clear: true },
    ]);
    expect(await waiting(ben)).toBe(0);
  });

  it('that two walks of the log find is told once', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { challenge: 'never' })];
    const game = await startGame(ann, ben);
    await told();
    await server.app.get(PrismaService).db.$executeRaw`
      INSERT INTO news_items (user_id, channel, game_id, type, at, ply, due_at)
      SELECT second_id, 'push', id, 'yourTurn', turn_started_at, ply_count, ${time.now()}::timestamptz FROM games
      WHERE id = ${game.id}::uuid`;
    await told();
    expect(messages(ben)).toMatchObject([{ title: 'Your turn' }]);
    expect(await waiting(ben)).toBe(1);
  });

  it('that ends while its push is on its way is taken back after it, and nothing else is told twice', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { challenge: 'never' })];
    const game = await startGame(ann, ben);
    must(await api().sendMessage(ann, game.id, 'Hello', 'key'));
    const [onItsWay, held] = [new Gate(), new Gate()];
    service.answer = async () => {
      onItsWay.open();
      await held.opened;
      return { status: 201 };
    };
    const sending = told();
    await onItsWay.opened;
    must(await api().makeMove(ben, game.id, 2, 'e7e5'));
    await walked();
    held.open();
    await sending;
    await told();
    expect(messages(ben)).toMatchObject([{ title: 'News of your games' }, { clear: true }]);
    expect(await waiting(ben)).toBe(0);
  });

  it('waits for the end of the quiet hours, and news of many games that has waited makes one push', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { yourTurn: 'daily', challenge: 'never' })]; // prettier-ignore
    const games = [];
    for (let i = 0; i < 5; i++) games.push(await startGame(ann, ben));
    await told();
    expect(messages(ben)).toEqual([]);
    time.forward(DAY_MS);
    await told();
    expect(messages(ben)).toMatchObject([{ tag: 'news', title: 'Your turn in 5 games', path: '/news' }]);
    expect(await waiting(ben)).toBe(0);
    time.forward(DAY_MS);
    await told();
    expect(messages(ben)).toHaveLength(1);
  });
});

describe('a push', () => {
  it('carries nothing that a player wrote, and no face-down piece', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben')];
    must(await api().updateProfile(ann, { displayName: '<b>evil.example</b> @x' }));
    const game = await begin(api(), ann, ben, { ruleset: 'banqi-taiwan' });
    await playMoves(api(), game, ['a1'], { first: ann, second: ben });
    must(await api().sendMessage(ann, game.id, 'Go to https://evil.example\r\nBcc: x', 'key'));
    await told();
    const all = JSON.stringify(messages(ben));
    expect(all).toContain(`${ann.username} has written to you (Banqi`);
    expect(all).not.toMatch(/evil|<b>|\\r/);
  });

  it('that is not taken comes again with the same id, and with what was asked for', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { challenge: 'never' })];
    await startGame(ann, ben);
    service.answer = () => ({ status: 503, headers: { 'retry-after': '600' } });
    await told();
    time.forward(599_000);
    await told();
    expect(messages(ben)).toHaveLength(1);
    service.answer = () => ({ status: 201 });
    time.forward(2000);
    await told();
    const [first, second] = messages(ben);
    expect(second).toEqual(first);
    time.forward(DAY_MS);
    await told();
    expect(messages(ben)).toHaveLength(2);
  });

  it('waits for no other user, however many of theirs are due and hang', async () => {
    const [ann, ben, cy] = [await register(server.http, 'ann'), await reachable('ben', { challenge: 'never' }), await reachable('cy', { challenge: 'never' })]; // prettier-ignore
    const held = new Gate();
    service.answer = async (path) => {
      if (ben.browser.subscription.endpoint.endsWith(path)) await held.opened;
      return { status: 201 };
    };
    // Some of the first are being sent when the others come.
    for (let i = 0; i < 3; i++) await startGame(ann, ben);
    await walked();
    await server.app.get(PushSender).look();
    for (let i = 3; i < 12; i++) await startGame(ann, ben);
    await startGame(ann, cy);
    await walked();
    while (messages(cy).length === 0) await server.app.get(PushSender).look();
    expect(messages(ben).length).toBeLessThanOrEqual(8);
    held.open();
    await told();
    expect(messages(ben)).toHaveLength(12);
  });

  it('to a browser that is gone forgets it, as does one that fails for days', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { challenge: 'never' })];
    await startGame(ann, ben);
    service.answer = () => ({ status: 410 });
    await told();
    expect(must(await api().newsSettings(ben)).pushSubscriptions).toEqual([]);
    const cy = await reachable('cy', { challenge: 'never' });
    service.answer = () => ({ status: 500 });
    let [first, second]: [Person, Person] = [ann, cy];
    for (let day = 0; day < 5; day++) {
      [first, second] = [await renewed(server.http, first), await renewed(server.http, second)];
      await startGame(first, second);
      await told();
      time.forward(DAY_MS - 60_000);
      await told();
    }
    expect(must(await api().newsSettings(second)).pushSubscriptions).toEqual([]);
    expect(await waiting(cy)).toBe(0);
  });

  it('is not sent after the session has ended that wanted it, nor of kinds that are not wanted', async () => {
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { yourTurn: 'never', challenge: 'never' })]; // prettier-ignore
    const cy = await reachable('cy', { challenge: 'never' });
    const again = await signedInAgain(cy);
    must(await api().logout(cy));
    await startGame(ann, ben);
    await startGame(ann, again);
    await told();
    expect([messages(ben), messages(cy)]).toEqual([[], []]);
    expect(must(await api().newsSettings(again)).pushSubscriptions).toEqual([]);
    expect([await waiting(ben), await waiting(cy)]).toEqual([0, 0]);
  });
});

describe.each(TRANSPORTS)('a subscription over %s', (_, over) => {
  it('is listed, keeps its id when it is saved again, and is deleted', async () => {
    const spoken = over(server.http);
    const ann = await register(server.http, 'ann');
    const { subscription } = service.browser();
    const saved = must(await spoken.savePushSubscription(ann, subscription));
    expect(saved).toMatchObject({ service: new URL(service.origin).host, isCurrent: true });
    expect(must(await spoken.savePushSubscription(ann, subscription))).toEqual(saved);
    expect(must(await spoken.newsSettings(ann)).pushSubscriptions).toEqual([saved]);
    expect(must(await spoken.deletePushSubscription(ann, saved.id))).toBe(saved.id);
    expect((await spoken.deletePushSubscription(ann, saved.id)).refusal).toMatchObject({ code: 'NOT_FOUND' });
    expect(must(await spoken.newsSettings(ann)).pushSubscriptions).toEqual([]);
  });

  it('belongs to whoever saved it last, and of others nobody sees or ends any', async () => {
    const spoken = over(server.http);
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    const { subscription } = service.browser();
    const { id } = must(await spoken.savePushSubscription(ann, subscription));
    expect((await spoken.deletePushSubscription(ben, id)).refusal).toMatchObject({ code: 'NOT_FOUND' });
    const taken = must(await spoken.savePushSubscription(ben, subscription));
    expect(taken.id).not.toBe(id);
    expect(must(await spoken.newsSettings(ann)).pushSubscriptions).toEqual([]);
  });

  it('of one browser that several save at once is of one of them', async () => {
    const spoken = over(server.http);
    const people = await Promise.all(['ann', 'ben', 'cy'].map((name) => register(server.http, name)));
    const { subscription } = service.browser();
    const saving = [...people, ...people].map((person) => spoken.savePushSubscription(person, subscription));
    for (const saved of await Promise.all(saving)) expect(must(saved).isCurrent).toBe(true);
    const listed = await Promise.all(people.map((person) => spoken.newsSettings(person)));
    expect(listed.flatMap((settings) => must(settings).pushSubscriptions)).toHaveLength(1);
  });

  it('is limited to 10 browsers of open sessions', async () => {
    const spoken = over(server.http);
    const ann = await register(server.http, 'ann');
    for (let i = 0; i < 10; i++) must(await spoken.savePushSubscription(ann, service.browser().subscription));
    const { refusal } = await spoken.savePushSubscription(ann, service.browser().subscription);
    expect(refusal).toMatchObject({ code: 'LIMIT_REACHED' });
    const again = await signedInAgain(ann);
    must(await api().logout(ann));
    must(await spoken.savePushSubscription(again, service.browser().subscription));
  });

  it.each([
    ['endpoint', 'http://127.0.0.1:80/x'],
    ['endpoint', 'https://10.0.0.1/x'],
    ['endpoint', 'https://localhost/x'],
    ['endpoint', 'nonsense'],
    ['p256dh', 'AAAA'],
    ['p256dh', `B${'A'.repeat(86)}`],
    ['auth', 'AAAA'],
  ])('refuses the %s %s', async (field, value) => {
    const ann = await register(server.http, 'ann');
    const given = { ...service.browser().subscription, [field]: value };
    const { refusal } = await over(server.http).savePushSubscription(ann, given);
    expect(refusal).toMatchObject({ code: 'BAD_INPUT', field });
  });

  it('is of a session that was opened with the password', async () => {
    const ann = await register(server.http, 'ann');
    const token = must(await api().createToken(ann, { name: 'bot', scopes: ['profile:write'] })); // prettier-ignore
    const bot = { ...ann, authorization: `Bearer ${token.token}` };
    const { refusal } = await over(server.http).savePushSubscription(bot, service.browser().subscription);
    expect(refusal).toMatchObject({ code: 'SESSION_REQUIRED' });
  });
});

onServer('with two processes', () => {
  it('each push is sent once', async () => {
    const other = await startServer({ ...SHARED_SETTINGS, OUTGOING_NETWORKS: `${OPEN_HOST}/32` }, place);
    stopTime(other.app).moment = time.now();
    const [ann, ben] = [await register(server.http, 'ann'), await reachable('ben', { challenge: 'never' })];
    for (let i = 0; i < 30; i++) await startGame(ann, ben);
    await walked();
    await Promise.all([other.app.get(PushSender).send(), server.app.get(PushSender).send()]);
    expect(new Set(messages(ben).map(({ tag }) => tag)).size).toBe(30);
    expect(messages(ben)).toHaveLength(30);
    await other.close();
  });
});
