import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Webhook as Standard } from 'standardwebhooks';
import { Dispatcher } from '../../src/features/webhooks/dispatcher.js';
import { WebhookSecrets } from '../../src/features/webhooks/webhook-secrets.js';
import { AccountsStore } from '../../src/features/accounts/accounts.store.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type HookReceiver, OPEN_HOST, openReceiver, type Received } from '../support/hook-receiver.js';
import { untilChangesVisible } from '../support/changes.js';
import { type MailServer, openMailServer, secretsIn } from '../support/mail.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { newSite, pairOf, playAs, withToken } from '../support/sites.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** Webhooks: what is sent, in which order, how often, and to whom not. */

// Both databases: several processes walk the log and take webhooks by locks.

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
/** The events of others than games, as they are called here. */
const NAMED: Readonly<Record<string, string>> = {
  challengeCreated: 'challenge.created',
  challengeAccepted: 'challenge.accepted',
};
const PLAYED = ['e2e4', 'e7e5', 'g1f3'];

let server: TestServer;
let mailServer: MailServer;
let api: Api;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let receiver: HookReceiver;

beforeAll(async () => {
  mailServer = await openMailServer();
  server = await startServer({
    OUTGOING_NETWORKS: `${OPEN_HOST}/32`,
    OUTBOX_POLL_MS: '20',
    SWEEP_SECONDS: '3600',
    SMTP_URL: mailServer.url,
  });
  time = stopTime(server.app);
  api = restApi(server.http);
});
beforeEach(async () => {
  time.moment = new Date();
  receiver = await openReceiver();
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterEach(() => receiver.close());
afterAll(async () => {
  await server.close();
  await mailServer.close();
});

/** Moves the clock, and sends what is due then. */
async function after(milliseconds: number): Promise<void> {
  time.forward(milliseconds);
  // Their tokens have expired meanwhile.
  [ann, ben] = await Promise.all([renewed(server.http, ann), renewed(server.http, ben)]);
  await server.app.get(Dispatcher).look();
}

const hook = async (owner: Parameters<Api['createWebhook']>[0], types?: readonly string[]) =>
  must(await api.createWebhook(owner, { url: receiver.url, ...(types && { types }) }));

const movesOf = (received: readonly Received[]) =>
  received.map(({ message: { type, data } }) => [type, data.gameId, data.version]);

/** Until the last try is noted. */
async function settled(id: string, count: number) {
  for (;;) {
    const { edges } = must(await api.webhookDeliveries(ann, id));
    const done = edges.map(({ node }) => node).filter(({ waiting }) => !waiting);
    if (done.length >= count) return done;
    await pause(20);
  }
}

/** Until it is as `expected` says. */
async function until(id: string, isSo: (webhook: Awaited<ReturnType<typeof own>>) => boolean) {
  for (;;) {
    const webhook = await own(id);
    if (isSo(webhook)) return webhook;
    await pause(20);
  }
}
const own = async (id: string) => must(await api.myWebhooks(ann)).find((one) => one.id === id)!;

describe.each(TRANSPORTS)('over %s', (_, over) => {
  it('makes, shows, changes and deletes them', async () => {
    const spoken = over(server.http);
    const { webhook, secret } = must(
      await spoken.createWebhook(ann, { url: receiver.url, types: ['game.move', 'game.end', 'game.move'] }),
    );
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(webhook).toMatchObject({
      url: receiver.url,
      types: ['game.move', 'game.end'],
      on: true,
      offReason: null,
    });
    expect(must(await spoken.myWebhooks(ann))).toEqual([webhook]);
    expect(must(await spoken.myWebhooks(ben))).toEqual([]);
    const changed = must(await spoken.updateWebhook(ann, webhook.id, { types: [], on: false }));
    expect(changed).toMatchObject({ types: [], on: false, offReason: 'switchedOff' });
    const replaced = must(await spoken.replaceWebhookSecret(ann, webhook.id));
    expect(replaced.secret).not.toBe(secret);
    expect(replaced.webhook.oldSecretUntil).toBe(new Date(time.now().getTime() + DAY_MS).toISOString());
    expect((await spoken.testWebhook(ann, webhook.id)).refusal).toMatchObject({ code: 'FORBIDDEN' });
    expect((await spoken.updateWebhook(ben, webhook.id, { on: true })).refusal).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await spoken.deleteWebhook(ben, webhook.id)).refusal).toMatchObject({ code: 'NOT_FOUND' });
    expect((await spoken.webhookDeliveries(ben, webhook.id)).refusal).toMatchObject({ code: 'NOT_FOUND' });
    expect(must(await spoken.deleteWebhook(ann, webhook.id))).toBe(webhook.id);
    expect(must(await spoken.myWebhooks(ann))).toEqual([]);
  });

  it('sends a test, and says what became of it', async () => {
    const spoken = over(server.http);
    const { webhook, secret } = await hook(ann);
    receiver.answer = () => ({ status: 200, body: 'thank\u0007 you' });
    const asked = must(await spoken.testWebhook(ann, webhook.id));
    expect(asked).toMatchObject({ type: 'test', waiting: true, delivered: false, tries: 0 });
    const [received] = await receiver.got(1);
    const verified = new Standard(secret).verify(received!.body, received!.headers as Record<string, string>);
    expect(verified).toEqual(received!.message);
    expect(received!.headers['webhook-id']).toBe(asked.messageId);
    const [delivery] = await settled(webhook.id, 1);
    expect(delivery).toMatchObject({
      delivered: true,
      tries: 1,
      status: 200,
      answer: 'thank  you',
      failure: null,
    });
    expect(must(await spoken.redeliverWebhook(ann, webhook.id, { deliveryId: delivery!.id }))).toBe(1);
    await receiver.got(2);
    expect(receiver.received[1]!.headers['webhook-id']).toBe(asked.messageId);
  });
});

it('sends the events of a person, as the stream of their events has them', async () => {
  const { secret } = await hook(ann);
  const game = await begin(api, ann, ben);
  await playMoves(api, game, PLAYED, { first: ann, second: ben });
  const ofGame = () => receiver.received.filter(({ message }) => message.data.gameId === game.id);
  while (ofGame().length < PLAYED.length + 3) await pause(20);
  const { items } = must(await api.myEvents(ann, {}));
  const named = (type: string) => (type === 'ply' ? 'game.move' : (NAMED[type] ?? `game.${type}`));
  expect(receiver.received.map(({ message }) => message)).toEqual(
    items.map(({ type, at, gameId, version, player, subject, receipt }) => ({
      type: named(type),
      timestamp: at,
      data: { gameId, version, player, subject, receipt },
    })),
  );
  for (const { body, headers } of receiver.received) {
    new Standard(secret).verify(body, headers as Record<string, string>);
  }
});

it('sends only the chosen types, and nothing that happened before', async () => {
  const game = await begin(api, ann, ben);
  await playMoves(api, game, ['e2e4'], { first: ann, second: ben });
  await untilChangesVisible(server.app);
  await hook(ann, ['game.move']);
  const played = await playMoves(api, must(await api.game(null, game.id)), ['e7e5', 'g1f3'], {
    first: ann,
    second: ben,
  });
  must(await api.resign(ben, played.id));
  await playMoves(api, await begin(api, ann, ben), ['d2d4'], { first: ann, second: ben });
  await receiver.got(3);
  expect(receiver.received.map(({ message }) => message.type)).toEqual(Array(3).fill('game.move'));
});

it('sends those of the games of an application', async () => {
  const site = await newSite(api, server.http);
  const { secret } = must(await api.createWebhook(site.by, { url: receiver.url }));
  const pair = await pairOf(api, site);
  await playAs(api, pair, PLAYED);
  await receiver.got(PLAYED.length + 2);
  expect(movesOf(receiver.received)).toEqual([
    ['game.accept', pair.game.id, expect.any(Number)],
    ['game.start', pair.game.id, expect.any(Number)],
    ...PLAYED.map((__, i) => ['game.move', pair.game.id, pair.game.version + i + 1]),
  ]);
  new Standard(secret).verify(
    receiver.received[0]!.body,
    receiver.received[0]!.headers as Record<string, string>,
  );
});

it('keeps the order in each game while the address fails now and then, with the same id at each try', async () => {
  const { webhook } = await hook(ann, ['game.move']);
  const games = await Promise.all([1, 2, 3].map(() => begin(api, ann, ben)));
  receiver.answer = async (__, count) => {
    await pause(10 * (count % 4));
    return { status: count % 3 === 0 ? 500 : 204 };
  };
  // All at once, so that what may pass each other does.
  must(await api.updateWebhook(ann, webhook.id, { on: false }));
  for (const game of games) await playMoves(api, game, PLAYED, { first: ann, second: ben });
  must(await api.updateWebhook(ann, webhook.id, { on: true }));
  const taken = () =>
    new Set(
      receiver.received.filter((__, i) => (i + 1) % 3 !== 0).map(({ headers }) => headers['webhook-id']),
    );
  await receiver.got(1);
  while (taken().size < 9) {
    // Only in a pause: an hour would end the lease of who sends, or is just about to.
    const { nextTryAt } = await own(webhook.id);
    if (nextTryAt !== null && Date.parse(nextTryAt) > time.now().getTime()) await after(HOUR_MS);
    else await pause(20);
  }
  const firstTaken = receiver.received.filter(
    ({ headers }, i, all) =>
      (i + 1) % 3 !== 0 &&
      all.findIndex(
        (other, j) => (j + 1) % 3 !== 0 && other.headers['webhook-id'] === headers['webhook-id'],
      ) === i,
  );
  for (const game of games) {
    const versions = firstTaken
      .filter(({ message }) => message.data.gameId === game.id)
      .map(({ message }) => message.data.version);
    expect(versions).toEqual(PLAYED.map((__, i) => game.version + i + 1));
  }
  // Nothing that was taken came again.
  expect(firstTaken).toHaveLength(receiver.received.filter((__, i) => (i + 1) % 3 !== 0).length);
  // The last one may have come, and still be noted as failed.
  let deliveries = await settled(webhook.id, 9);
  while (!deliveries.every(({ delivered }) => delivered)) deliveries = await settled(webhook.id, 9);
  expect(deliveries).toHaveLength(9);
});

it('tries again with growing pauses over three days, then goes off, says so by mail, and goes on when switched on', async () => {
  const address = `${ann.username}@example.org`;
  must(await api.changeEmail(ann, address));
  must(await api.verifyEmail(null, secretsIn(await mailServer.next(address))[0]));
  const { webhook } = await hook(ann, ['game.move']);
  receiver.answer = () => ({ status: 500, body: 'no' });
  await playMoves(api, await begin(api, ann, ben), PLAYED, { first: ann, second: ben });
  const began = time.now().getTime();
  const tries: number[] = [];
  for (let count = 1; ; count++) {
    await receiver.got(count);
    tries.push(time.now().getTime() - began);
    const now = await until(
      webhook.id,
      ({ on, nextTryAt }) => !on || (nextTryAt !== null && Date.parse(nextTryAt) > time.now().getTime()),
    );
    if (!now.on) break;
    await after(Date.parse(now.nextTryAt!) - time.now().getTime());
  }
  expect(await own(webhook.id)).toMatchObject({ on: false, offReason: 'failing' });
  const pauses = tries.slice(1).map((at, i) => at - tries[i]!);
  [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS].forEach((usual, i) => {
    expect(pauses[i]).toBeGreaterThanOrEqual(usual * 0.8);
    expect(pauses[i]).toBeLessThanOrEqual(usual * 1.2);
  });
  expect(tries.at(-1)).toBeGreaterThan(2 * DAY_MS);
  expect(tries.at(-1)).toBeLessThanOrEqual(3 * DAY_MS);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  let mail = await mailServer.next(address);
  // Days pass, in which other mails come: of games that have begun, and a digest.
  while (mail.subject !== 'A webhook was switched off') mail = await mailServer.next(address);
  expect(mail.text).toContain(new URL(receiver.url).host);
  const many = receiver.received.length;
  receiver.answer = () => ({ status: 204 });
  must(await api.updateWebhook(ann, webhook.id, { on: true }));
  await receiver.got(many + PLAYED.length);
  expect(await until(webhook.id, ({ failingSince }) => failingSince === null)).toMatchObject({
    on: true,
    nextTryAt: null,
  });
}, 60_000);

it('takes what is asked for in a pause for no further failure', async () => {
  const { webhook } = await hook(ann, ['game.move']);
  receiver.answer = () => ({ status: 500 });
  await playMoves(api, await begin(api, ann, ben), ['e2e4'], { first: ann, second: ben });
  await until(webhook.id, ({ nextTryAt }) => nextTryAt !== null);
  for (let count = 1; count <= 3; count++) {
    must(await api.testWebhook(ann, webhook.id));
    await settled(webhook.id, 1 + count);
  }
  const { nextTryAt } = await until(webhook.id, (shown) => shown.nextTryAt !== null);
  expect(Date.parse(nextTryAt!) - time.now().getTime()).toBeLessThanOrEqual(6000);
  receiver.answer = () => ({ status: 204 });
  must(await api.testWebhook(ann, webhook.id));
  const many = receiver.received.length;
  await receiver.got(many + 1);
  expect(await until(webhook.id, ({ failingSince }) => failingSince === null)).toMatchObject({ on: true });
});

it('stops in the midst when it is switched off, and goes on at another address', async () => {
  const other = await openReceiver();
  const { webhook } = await hook(ann, ['game.move']);
  must(await api.updateWebhook(ann, webhook.id, { on: false }));
  const game = await begin(api, ann, ben);
  await playMoves(api, game, PLAYED, { first: ann, second: ben });
  await untilChangesVisible(server.app);
  receiver.answer = async () => {
    must(await api.updateWebhook(ann, webhook.id, { on: false }));
    return { status: 204 };
  };
  must(await api.updateWebhook(ann, webhook.id, { on: true }));
  await settled(webhook.id, 1);
  await after(MINUTE_MS);
  await pause(100);
  expect(receiver.received).toHaveLength(1);
  receiver.answer = async () => {
    must(await api.updateWebhook(ann, webhook.id, { url: other.url }));
    return { status: 204 };
  };
  must(await api.updateWebhook(ann, webhook.id, { on: true }));
  // The second message was taken at the old address, of which nobody is sure any more.
  expect(movesOf(await other.got(2))).toEqual(
    [2, 3].map((ply) => ['game.move', game.id, game.version + ply]),
  );
  expect(receiver.received).toHaveLength(2);
  await other.close();
});

it('leaves out what happened while it was off, if asked to', async () => {
  const { webhook } = await hook(ann, ['game.move']);
  must(await api.updateWebhook(ann, webhook.id, { on: false }));
  const game = await playMoves(api, await begin(api, ann, ben), ['e2e4', 'e7e5'], {
    first: ann,
    second: ben,
  });
  await untilChangesVisible(server.app);
  must(await api.updateWebhook(ann, webhook.id, { on: true, fromNow: true }));
  await playMoves(api, game, ['g1f3'], { first: ann, second: ben });
  expect(movesOf(await receiver.got(1))).toEqual([['game.move', game.id, game.version + 1]]);
});

it('goes off at 410, and waits as long as 429 and 503 ask for', async () => {
  const { webhook } = await hook(ann, ['game.move']);
  const game = await begin(api, ann, ben);
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': '7200' } });
  await playMoves(api, game, PLAYED, { first: ann, second: ben });
  await receiver.got(1);
  const waiting = await until(webhook.id, ({ nextTryAt }) => nextTryAt !== null);
  expect(Date.parse(waiting.nextTryAt!) - time.now().getTime()).toBe(2 * HOUR_MS);
  receiver.answer = () => ({
    status: 429,
    headers: { 'retry-after': new Date(time.now().getTime() + 4 * HOUR_MS).toUTCString() },
  });
  await after(2 * HOUR_MS);
  await receiver.got(2);
  const longer = await until(
    webhook.id,
    ({ nextTryAt }) =>
      nextTryAt !== null && Date.parse(nextTryAt) > Date.parse(waiting.nextTryAt!) + MINUTE_MS,
  );
  expect(Date.parse(longer.nextTryAt!) - time.now().getTime()).toBeGreaterThan(1.9 * HOUR_MS);
  receiver.answer = () => ({ status: 410 });
  await after(4 * HOUR_MS);
  await receiver.got(3);
  expect(await until(webhook.id, ({ on }) => !on)).toMatchObject({ offReason: 'gone' });
  await playMoves(api, await begin(api, ann, ben), ['e2e4'], { first: ann, second: ben });
  await after(DAY_MS);
  await pause(100);
  expect(receiver.received).toHaveLength(3);
});

it('follows no redirect, reads no more than it must, and waits for no answer longer than 15 seconds', async () => {
  const other = await openReceiver();
  const { webhook } = await hook(ann);
  receiver.answer = (__, count) =>
    count === 1
      ? { status: 302, headers: { location: other.url } }
      : { status: 200, body: 'x'.repeat(10_000_000) };
  must(await api.testWebhook(ann, webhook.id));
  expect(await settled(webhook.id, 1)).toMatchObject([{ delivered: false, status: 302 }]);
  must(await api.testWebhook(ann, webhook.id));
  const [large] = await settled(webhook.id, 2);
  expect(large).toMatchObject({ delivered: true, status: 200, answer: 'x'.repeat(300) });
  expect(other.received).toEqual([]);
  await other.close();
  receiver.answer = () => null;
  must(await api.testWebhook(ann, webhook.id));
  // What nothing holds is collected meanwhile, which a cut-off must outlive.
  setFlagsFromString('--expose-gc');
  const collecting = setInterval(runInNewContext('gc') as () => void, 500);
  const [late] = await settled(webhook.id, 3).finally(() => clearInterval(collecting));
  expect(late).toMatchObject({
    delivered: false,
    status: null,
    failure: 'No answer came within 15 seconds.',
  });
}, 40_000);

it('signs with both secrets for a day after one was replaced', async () => {
  const { webhook, secret } = await hook(ann);
  const { secret: newSecret } = must(await api.replaceWebhookSecret(ann, webhook.id));
  must(await api.testWebhook(ann, webhook.id));
  const [both] = await receiver.got(1);
  for (const each of [secret, newSecret])
    new Standard(each).verify(both!.body, both!.headers as Record<string, string>);
  await settled(webhook.id, 1);
  await after(DAY_MS + MINUTE_MS);
  must(await api.testWebhook(ann, webhook.id));
  await receiver.got(2);
  expect(String(receiver.received[1]!.headers['webhook-signature']).split(' ')).toHaveLength(1);
});

it('sends deliveries of a span of time once more', async () => {
  const { webhook } = await hook(ann, ['game.move']);
  await playMoves(api, await begin(api, ann, ben), PLAYED, { first: ann, second: ben });
  await settled(webhook.id, PLAYED.length);
  const span = { from: new Date(time.now().getTime() - MINUTE_MS).toISOString() };
  expect(must(await api.redeliverWebhook(ann, webhook.id, span))).toBe(PLAYED.length);
  await receiver.got(2 * PLAYED.length);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.slice(PLAYED.length)).toEqual(ids.slice(0, PLAYED.length));
  const past = { from: '2020-01-01T00:00:00.000Z', to: '2020-01-02T00:00:00.000Z' };
  expect(must(await api.redeliverWebhook(ann, webhook.id, past))).toBe(0);
});

describe('refuses', () => {
  it.each(
    [
      ['http://example.org.'],
      ['ftp://example.org/'],
      ['https://user:password@example.org/'],
      ['https://127.0.0.1/'],
      ['https://0x7f.1/'],
      ['https://2130706433/'],
      ['https://0177.0.0.1/'],
      ['https://①②⑦.0.0.1/'],
      ['https://127.0.0.1./'],
      ['https://localhost/'],
      ['https://localhost./'],
      ['https://hooks.localhost/'],
      ['https://10.0.0.1/'],
      ['https://169.254.169.254/latest/'],
      ['https://[::1]/'],
      ['https://[::ffff:127.0.0.1]/'],
      ['https://[::ffff:7f00:1]/'],
      ['https://[fe80::1]/'],
      ['https://[fd00::1]/'],
      ['https://[64:ff9b::7f00:1]/'],
      ['https://[2002:7f00:1::]/'],
      ['https://0.0.0.0/'],
      ['https://255.255.255.255/'],
      ['https://224.0.0.1/'],
      ['https://100.64.0.1/'],
    ].slice(1),
  )('%s', async (url) => {
    expect((await api.createWebhook(ann, { url })).refusal).toMatchObject({
      code: 'BAD_INPUT',
      field: 'url',
    });
  });

  it('types that there are not, or that the token does not read', async () => {
    const unknown = (await api.createWebhook(ann, { url: receiver.url, types: ['game.move', 'game.ply'] }))
      .refusal;
    expect(unknown).toMatchObject({ code: 'BAD_INPUT', field: 'types' });
    const { token } = must(await api.createToken(ann, { name: 'hooks', scopes: ['webhooks', 'games:read'] }));
    const narrow = withToken({ token });
    const refused = (await api.createWebhook(narrow, { url: receiver.url, types: ['message.sent'] })).refusal;
    expect(refused).toMatchObject({ code: 'BAD_INPUT', field: 'types' });
    const blind = withToken(must(await api.createToken(ann, { name: 'none', scopes: ['webhooks'] })));
    expect((await api.createWebhook(blind, { url: receiver.url })).refusal).toMatchObject({
      code: 'BAD_INPUT',
    });
  });

  it('the types of a person in a webhook of an application, and names those that there are', async () => {
    const { by } = await newSite(api, server.http);
    for (const type of ['challenge.created', 'seat.changed', 'user.blocked', 'vacation.planned']) {
      const answer = await api.createWebhook(by, { url: receiver.url, types: ['game.move', type] });
      expect(answer.refusal).toEqual({ code: 'BAD_INPUT', field: 'types' });
      expect(answer.message).toMatch(/^Item 2 of types must be one of game\.move, .*, player\.left; got "/);
      expect(answer.message).toContain(`"${type}"`);
    }
    const types = ['game.end', 'rating.changed', 'seed.awaited', 'message.sent', 'player.left'];
    const { webhook } = must(await api.createWebhook(by, { url: receiver.url, types }));
    expect(webhook.types).toEqual(types);
    expect((await api.updateWebhook(by, webhook.id, { types: ['import.deleted'] })).refusal).toEqual({
      code: 'BAD_INPUT',
      field: 'types',
    });
  });

  it('more than the limit, also of requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.createWebhook(ann, { url: receiver.url })),
    );
    const refused = answers.filter(({ refusal }) => refusal?.code === 'LIMIT_REACHED');
    // Waiting makes no room.
    expect(refused.map(({ retryAfter }) => retryAfter)).toEqual([undefined, undefined]);
  });
});

it('sends plain http to no address that is not opened, even if its name was fine before', async () => {
  const inner = await openReceiver('127.0.0.1');
  const { webhook } = await hook(ann);
  // As if the name resolved to another address now.
  await server.app
    .get(AccountsStore)
    ['prisma'].db.webhook.update({ where: { id: webhook.id }, data: { url: inner.url } });
  must(await api.testWebhook(ann, webhook.id));
  const [refused] = await settled(webhook.id, 1);
  expect(refused).toMatchObject({ delivered: false, status: null });
  expect(refused!.failure).toContain('private network');
  expect(inner.received).toEqual([]);
  await inner.close();
});

it('sends what a personal token reads, and ends with it', async () => {
  const made = must(await api.createToken(ann, { name: 'hooks', scopes: ['webhooks', 'games:read'] }));
  const narrow = withToken(made);
  const { webhook } = await hook(narrow);
  const game = await begin(api, ann, ben);
  must(await api.sendMessage(ben, game.id, 'hello'));
  await playMoves(api, game, ['e2e4'], { first: ann, second: ben });
  while (!receiver.received.some(({ message }) => message.type === 'game.move')) await pause(20);
  const types = receiver.received.map(({ message }) => message.type);
  expect(types).not.toContain('message.sent');
  expect(types).not.toContain('challenge.created');
  const many = receiver.received.length;
  // Its webhook alone is for it: another may send more than it reads.
  const { webhook: broad } = must(await api.createWebhook(ann, { url: 'https://hooks.example/' }));
  expect(must(await api.myWebhooks(narrow)).map(({ id }) => id)).toEqual([webhook.id]);
  for (const refused of [
    await api.updateWebhook(narrow, broad.id, { url: receiver.url }),
    await api.webhookDeliveries(narrow, broad.id),
    await api.replaceWebhookSecret(narrow, broad.id),
    await api.redeliverWebhook(narrow, broad.id, { from: '2020-01-01T00:00:00Z' }),
    await api.testWebhook(narrow, broad.id),
    await api.deleteWebhook(narrow, broad.id),
  ]) {
    expect(refused.refusal).toMatchObject({ code: 'NOT_FOUND' });
  }
  must(await api.deleteWebhook(ann, broad.id));
  must(await api.deleteToken(ann, made.personalToken.id));
  await playMoves(api, must(await api.game(null, game.id)), ['e7e5'], { first: ann, second: ben });
  expect(await until(webhook.id, ({ on }) => !on)).toMatchObject({ offReason: 'tokenEnded' });
  expect(receiver.received).toHaveLength(many);
  expect((await api.updateWebhook(ann, webhook.id, { on: true })).refusal).toMatchObject({
    code: 'FORBIDDEN',
  });
});

it('switches off what it cannot sign for, tells the owner, and goes on with another secret', async () => {
  const address = `${ann.username}@example.org`;
  must(await api.changeEmail(ann, address));
  must(await api.verifyEmail(null, secretsIn(await mailServer.next(address))[0]));
  const { webhook } = await hook(ann, ['game.move']);
  // As if SEED_SECRET was another one then.
  const { sealed } = new WebhookSecrets({ seedSecret: 'x'.repeat(64) }).make(webhook.id);
  const { db } = server.app.get(AccountsStore)['prisma'];
  await db.webhook.update({ where: { id: webhook.id }, data: { secret: sealed } });
  const game = await begin(api, ann, ben);
  await playMoves(api, game, ['e2e4'], { first: ann, second: ben });
  expect(await until(webhook.id, ({ on }) => !on)).toMatchObject({
    offReason: 'secretLost',
    failingSince: null,
  });
  expect(receiver.received).toEqual([]);
  let mail = await mailServer.next(address);
  while (mail.subject !== 'A webhook was switched off') mail = await mailServer.next(address);
  expect(mail.text).toContain('(replaceWebhookSecret)');
  const { secret } = must(await api.replaceWebhookSecret(ann, webhook.id));
  must(await api.updateWebhook(ann, webhook.id, { on: true }));
  const [received] = await receiver.got(1);
  expect(received!.headers['webhook-signature']).not.toContain(' ');
  new Standard(secret).verify(received!.body, received!.headers as Record<string, string>);
});

it('takes tokens of persons and applications alone', async () => {
  const site = await newSite(api, server.http);
  const { players } = await pairOf(api, site);
  const refusals = [
    await api.createWebhook(players.first, { url: receiver.url }),
    await api.createWebhook(null, { url: receiver.url }),
  ].map(({ refusal }) => refusal?.code);
  expect(refusals).toEqual(['INSUFFICIENT_SCOPE', 'UNAUTHENTICATED']);
});
