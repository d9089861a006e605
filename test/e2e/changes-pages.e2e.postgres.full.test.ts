import { randomBytes } from 'node:crypto';
import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { allChanges, untilChangesVisible, briefly } from '../support/changes.js';
import { A_PAGE, type Change } from '../support/operations/changes.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { extraStatements, fewestStatements } from '../support/statements.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';

/** Changes page by page: where a client may continue, and what a page costs. */
// Both databases: the changes depend on open transactions, of which the embedded database has one.

const DAY = 86_400_000;
const BARE = '{ kind id deleted at }';

let server: TestServer;
let time: StoppedTime;
let api: Api;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  api = restApi(server.http);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let ask: Api['changes'];
  beforeAll(() => (ask = over(server.http).changes));

  it.each([1, 3, 100])('is complete and in order in pages of %d', async (first) => {
    for (let i = 0; i < 3; i++) await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    const whole = await ask(ann, { first: A_PAGE });
    const { items, pages } = await allChanges(ask, ann, undefined, Math.min(first, A_PAGE));
    expect(items.map(briefly)).toEqual(whole.data.items.map(briefly));
    expect(items.length).toBeGreaterThan(9);
    expect(new Set(items.map(briefly)).size).toBe(items.length);
    expect(pages).toBe(Math.ceil(items.length / Math.min(first, A_PAGE)));
    const at = items.map((change) => change.at);
    expect([...at].sort()).toEqual(at);
  });

  it('begins now on request', async () => {
    const { id } = await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    const { data } = await ask(ann, { fromNow: true });
    expect(data).toMatchObject({ items: [], hasMore: false });
    await api.makeMove(ann, id, 1, 'e2e4');
    await untilChangesVisible(server.app);
    const { items } = await allChanges(ask, ann, data.cursor);
    expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['game']));
    expect(items.map(({ kind }) => kind)).not.toContain('challenge');
    const both = await ask(ann, { fromNow: true, since: data.cursor });
    expect(both.refusal).toEqual({ code: 'BAD_INPUT', field: 'fromNow' });
    const whole = await ask(ann, { fromNow: false });
    expect(whole.data.items.map(briefly)).toContain(`challenge ${id}`);
  });

  it('requires a session and a valid page size', async () => {
    expect((await ask(null)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    // A single request must not ask for everything in long pages.
    for (const first of [0, -1, 101]) {
      expect((await ask(ann, { first }, BARE)).refusal).toEqual({ code: 'BAD_INPUT', field: 'first' });
    }
  });

  it('refuses another user’s cursor, an expired one, and a forged one', async () => {
    await untilChangesVisible(server.app);
    const invalid = { code: 'INVALID_CURSOR', field: 'since' };
    const { cursor } = (await ask(ann)).data;
    const { cursor: other } = (await ask(ben)).data;
    const broken = Buffer.from(cursor, 'base64url');
    broken[broken.length - 1]! ^= 1;
    const forged = [
      other,
      broken.toString('base64url'),
      cursor.slice(0, -4),
      `${cursor}A`,
      `${cursor}==`,
      '',
      'x',
      'é\u0000',
      randomBytes(60).toString('base64url'),
      Buffer.from('["changes","1","",""]').toString('base64url'),
    ];
    for (const since of forged) {
      const { refusal, message } = await ask(ann, { since });
      expect([since, refusal]).toEqual([since, invalid]);
      expect(message).toContain('start again without since');
    }
    expect((await ask(ann, { since: 'x'.repeat(501) })).refusal).toMatchObject({ field: 'since' });
    expect((await ask(ann, { since: cursor })).refusal).toBeUndefined();
    // A readable number would reveal the acts of others. The timestamp has 13 digits; fewer in a row occur by chance.
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/[0-9]{9,}/);

    time.forward(89 * DAY);
    ann = await renewed(server.http, ann);
    const { data: renewedOnce } = await ask(ann, { since: cursor });
    expect(renewedOnce.items).toEqual([]);
    time.forward(2 * DAY);
    ann = await renewed(server.http, ann);
    const { refusal, message } = await ask(ann, { since: cursor });
    const expired = { code: 'CURSOR_EXPIRED', field: 'since' };
    expect([refusal, message]).toEqual([expired, expect.stringContaining('older than 90 days')]);
    expect((await ask(ann, { since: renewedOnce.cursor })).refusal).toBeUndefined();
  });

  it('measures the age of a cursor from the start of the listing, not from the last page', async () => {
    await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    const { data: outset } = await ask(ann, { first: 1 });
    time.forward(60 * DAY);
    ann = await renewed(server.http, ann);
    const { data: midway } = await ask(ann, { since: outset.cursor, first: 1 });
    expect([outset.hasMore, midway.hasMore]).toEqual([true, true]);
    time.forward(31 * DAY);
    ann = await renewed(server.http, ann);
    const { message } = await ask(ann, { since: midway.cursor, first: 1 });
    expect(message).toContain('older than 90 days');
  });
});

it('needs as many statements for a long page as for a short one, and few for an empty one', async () => {
  [ann, ben] = [await renewed(server.http, ann), await renewed(server.http, ben)];
  for (let i = 0; i < 12; i++) {
    const { id } = await begin(api, ann, ben);
    await api.setNote(ann, id, 'A note');
    await api.sendMessage(ann, id, 'Hello');
    if (i % 2 === 0) await api.abort(ann, id);
    const { username } = await register(server.http, 'x');
    await api.blockUser(ann, username);
  }
  await untilChangesVisible(server.app);
  for (const [, over] of TRANSPORTS) {
    const ask = over(server.http).changes;
    const { items } = await allChanges(ask, ann);
    const kindsOf = (some: readonly Change[]) => [...new Set(some.map(({ kind }) => kind))].sort();
    const KINDS = 7;
    expect([items.length > 50, kindsOf(items).length]).toEqual([true, KINDS]);
    // Both pages have all kinds, the second more of each.
    expect(kindsOf(items.slice(0, 10))).toEqual(kindsOf(items));
    const page = (first: number) => fewestStatements(async () => void (await ask(ann, { first })));
    expect(extraStatements(await page(10), await page(50), KINDS)).toEqual([]);
  }
  const since = (await allChanges(api.changes, ann)).cursor;
  const polled = await fewestStatements(async () => void (await api.changes(ann, { since })));
  expect(polled.length).toBeLessThanOrEqual(2);
});

it('selects only what the GraphQL query asks for', async () => {
  const { id } = await begin(api, ann, ben);
  await untilChangesVisible(server.app);
  const seen = await fewestStatements(async () => {
    expect((await graphqlApi(server.http).changes(ann, {}, BARE)).data.items.map(briefly)).toContain(
      `game ${id}`,
    );
  });
  expect(seen.length).toBeLessThanOrEqual(2);
});
