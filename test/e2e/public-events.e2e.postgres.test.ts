import { setTimeout as pause } from 'node:timers/promises';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSite, pairOf, playAs } from '../support/sites.js';
import { untilChangesVisible } from '../support/changes.js';
import { closedAfterEach } from '../support/closed-after-each.js';
import { openStream, type RawStream } from '../support/event-streams.js';
import { EVENT, type Happened } from '../support/operations/events.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { ownTerms } from '../support/seeks.js';
import { startServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { statementsOf } from '../support/statements.js';
import { must } from '../support/transport.js';

/** The events of all public games, as pages and as they happen. */
// Both databases: the order depends on open transactions, of which the embedded database has one.

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  // A server of its own: the list has the games of all.
  server = await startServer({ SWEEP_SECONDS: '3600', OUTBOX_POLL_MS: '20' });
  api = restApi(server.http);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const { kept } = closedAfterEach();

/** All of them, in small pages. */
async function all(over: Api, from?: string): Promise<readonly Happened[]> {
  await untilChangesVisible(server.app);
  const events: Happened[] = [];
  for (let after = from; ;) {
    const { items, next } = must(await over.publicEvents(null, { first: 2, ...(after === undefined ? {} : { after }) })); // prettier-ignore
    events.push(...items);
    if (next === null) return events;
    after = next;
  }
}

const withoutIds = (events: readonly Happened[]) => events.map(({ id: _, ...event }) => event);
const of = (events: readonly Happened[], id: string) => events.filter(({ gameId }) => gameId === id);

async function stream(accept: string, after?: string): Promise<RawStream> {
  const streaming = kept(await openStream(server.url, 'events', null, { accept, ...(after === undefined ? {} : { after }) })); // prettier-ignore
  while (streaming.from() === undefined) await pause(10);
  return streaming;
}

const next = async (streaming: { next(): Promise<Happened> }, many: number) => {
  const events: Happened[] = [];
  while (events.length < many) events.push(await streaming.next());
  return events;
};

describe.each(TRANSPORTS)('over %s', (_, over) => {
  it('has of each game what its own events have, in one order', async () => {
    const asked = over(server.http);
    const [one, two] = [await begin(api, ann, ben, { rated: true }), await begin(api, ben, ann)];
    await playMoves(api, one, ['e2e4'], { first: ann, second: ben });
    await playMoves(api, two, ['d2d4', 'd7d5'], { first: ben, second: ann });
    await playMoves(api, must(await api.game(null, one.id)), ['e7e5'], { first: ann, second: ben });
    must(await api.resign(ann, one.id));
    let events = await all(asked);
    // Ratings change soon after the end.
    while (of(events, one.id).at(-1)!.type !== 'ratingChanged') events = await all(asked);
    for (const { id } of [one, two]) {
      const own = must(await asked.gameEvents(null, id)).items;
      const [first, ...rest] = withoutIds(of(events, id));
      // A list of the public begins with the game; `create` was before.
      expect(first!.type).toBe('accept');
      const times = ({ type, ...event }: Omit<Happened, 'id'>) =>
        type === 'ratingChanged' ? { ...event, type, at: '' } : { ...event, type };
      const expected = withoutIds(own).slice(-rest.length).map(times);
      expect(rest.map(times)).toEqual(expected);
    }
    const plies = events.filter(({ type }) => type === 'ply').map(({ gameId }) => gameId);
    expect(plies.slice(-4)).toEqual([one.id, two.id, two.id, one.id]);
    for (const [i, { id }] of events.entries()) if (i % 3 === 0) expect(await all(asked, id)).toEqual(events.slice(i + 1)); // prettier-ignore
  });

  it('has nothing that concerns its players alone', async () => {
    const asked = over(server.http);
    const before = (await all(asked)).at(-1)?.id;
    const { id } = await begin(api, ann, ben);
    must(await api.setConditionalMoves(ben, id, [{ when: 'e2e4', reply: 'e7e5' }]));
    must(await api.setNote(ann, id, 'mine'));
    must(await api.sendMessage(ann, id, 'Hello'));
    must(await api.createSeek(ann, { ruleset: 'chess', timeControl: { none: {} }, ...ownTerms() }));
    must(await api.blockUser(ann, ben.username));
    must(await api.updateProfile(ann, { displayName: 'Ann' }));
    expect(withoutIds(await all(asked, before)).map(({ type, gameId }) => [type, gameId])).toEqual([
      ['accept', id],
      ['start', id],
    ]);
  });

  it('leaves out the games of applications', async () => {
    const asked = over(server.http);
    const before = (await all(asked)).at(-1)!.id;
    const pair = await pairOf(api, await newSite(api, server.http), { rated: true });
    await playAs(api, pair, ['e2e4']);
    must(await api.resign(pair.players.second, pair.game.id));
    const { id } = await begin(api, ann, ben);
    const events = await all(asked, before);
    expect(new Set(events.map(({ gameId }) => gameId))).toEqual(new Set([id]));
  });

  it('refuses cursors of other lists', async () => {
    const { id } = await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    const others = [must(await api.gameEvents(null, id)).items[0]!.id, must(await api.myEvents(ann)).items[0]!.id]; // prettier-ignore
    for (const after of [...others, 'x'])
      expect((await over(server.http).publicEvents(null, { after })).refusal?.code).toBe('INVALID_CURSOR');
  });

  it('refuses a cursor whose event was lost', async () => {
    await begin(api, ann, ben);
    const after = (await all(api)).at(-1)!.id;
    await begin(api, ann, ben);
    await server.app.get(PrismaService).db.$executeRaw`
      DELETE FROM events WHERE steps > 0 AND (tide, id) < (SELECT tide, id FROM events ORDER BY tide DESC, id DESC LIMIT 1)`;
    const { refusal, message } = await over(server.http).publicEvents(null, { after });
    expect([refusal?.code, message]).toEqual(['CURSOR_EXPIRED', expect.stringContaining('with fromNow')]);
    // The end of the log is what everybody sees: the game before may still wait for another transaction.
    await untilChangesVisible(server.app);
    const { items, next } = must(await over(server.http).publicEvents(null, { fromNow: true }));
    expect(items).toEqual([]);
    const { id } = await begin(api, ann, ben);
    await untilChangesVisible(server.app);
    const told = must(await over(server.http).publicEvents(null, { after: next! })).items;
    expect(new Set(told.map(({ gameId }) => gameId))).toEqual(new Set([id]));
  });
});

describe.each(['text/event-stream', 'application/x-ndjson'])('a stream as %s', (accept) => {
  it('has what happens from now on in all games, or after an event', async () => {
    const streaming = await stream(accept);
    const [one, two] = [await begin(api, ann, ben), await begin(api, ben, ann)];
    must(await api.makeMove(ben, two.id, 1, 'e2e4'));
    const events = await next(streaming, 5);
    expect(events.map(({ type, gameId }) => [type, gameId])).toEqual([
      ['accept', one.id],
      ['start', one.id],
      ['accept', two.id],
      ['start', two.id],
      ['ply', two.id],
    ]);
    expect((await all(api)).slice(-5)).toEqual(events);
    expect(await next(await stream(accept, events[1]!.id), 3)).toEqual(events.slice(2));
    expect(await next(await stream(accept, streaming.from()), 5)).toEqual(events);
  });
});

it('is a subscription, too', async () => {
  const socket = kept(await openSocket(server, null));
  const { id } = await begin(api, ann, ben);
  const [first] = of(await all(api), id);
  const watch = socket.send(`subscription ($after: String) { publicEvents(after: $after) ${EVENT} }`, { after: first!.id }); // prettier-ignore
  const { data } = await watch.next();
  expect(data).toMatchObject({ publicEvents: { type: 'START', gameId: id, version: 1 } });
});

it('costs as few reads for many listeners as for one', async () => {
  const { id } = await begin(api, ann, ben);
  const streams = await Promise.all(Array.from({ length: 20 }, () => stream('application/x-ndjson')));
  must(await api.makeMove(ann, id, 1, 'e2e4'));
  await Promise.all(streams.map((each) => each.next()));
  const statements = await statementsOf(async () => {
    must(await api.makeMove(ben, id, 2, 'e7e5'));
    await Promise.all(streams.map((each) => each.next()));
  });
  const reads = statements.filter((text) => text.includes("coalesce(type, 'ratingChanged')") && text.includes('rating_changes')); // prettier-ignore
  expect(reads.length).toBeLessThanOrEqual(4);
});
