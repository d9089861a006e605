import { clientSeedHash } from '../../src/fairness/commitment.js';
import { ChangesService } from '../../src/features/changes/changes.service.js';
import { EventsService } from '../../src/features/events/events.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { untilChangesVisible } from '../support/changes.js';
import { newSeed } from '../support/chosen-deals.js';
import type { Happened } from '../support/operations/events.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** Events in pages: who receives them, in which order, and what is kept from everyone. */
// Both databases: the events depend on open transactions, of which the embedded database has one.

const DAY = 86_400_000;

let server: TestServer;
let time: StoppedTime;
let api: Api;
let ann: Person;
let ben: Person;
let eve: Person;

beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  api = restApi(server.http);
});
beforeEach(async () => {
  const signUp = (name: string) => register(server.http, name);
  [ann, ben, eve] = await Promise.all([signUp('ann'), signUp('ben'), signUp('eve')]);
});
afterAll(() => server.close());

const words = (events: readonly Happened[]) => events.map(({ type }) => type);

/** All events, read in small pages; concurrent transactions may delay the last ones. */
async function all(
  read: (page: {
    first: number;
    after?: string;
  }) => Promise<{ items: readonly Happened[]; next: string | null }>,
) {
  const events: Happened[] = [];
  for (let after: string | undefined; ;) {
    const { items, next } = await read({ first: 2, ...(after === undefined ? {} : { after }) });
    events.push(...items);
    if (next === null) return events;
    after = next;
  }
}

const ofUser = (over: Api, by: Person) => all(async (page) => must(await over.myEvents(by, page)));
const ofGame = (over: Api, by: Person | null, id: string) =>
  all(async (page) => must(await over.gameEvents(by, id, page)));

/** Reads until there are this many events. */
async function told(over: Api, by: Person, many: number): Promise<readonly Happened[]> {
  for (;;) {
    const events = await ofUser(over, by);
    if (events.length >= many) return events;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let asked: Api;
  beforeAll(() => (asked = over(server.http)));

  it('tells both players and the public about a game, in the order of its versions', async () => {
    const { id } = await begin(api, ann, ben);
    must(await api.makeMove(ann, id, 1, 'e2e4'));
    must(await api.makeMove(ben, id, 2, 'e7e5'));
    must(await api.plain(ben, 'offerDraw', id));
    must(await api.resign(ann, id));
    const game = ['create', 'accept', 'start', 'ply', 'ply', 'offerDraw', 'resign', 'end'];
    const seen = await ofGame(asked, null, id);
    expect(words(seen)).toEqual(game);
    expect(seen.map(({ version }) => version)).toEqual(
      [...seen.map(({ version }) => version)].sort((a, b) => a! - b!),
    );
    expect(seen.filter(({ type }) => type === 'ply').map(({ player }) => player)).toEqual([
      'first',
      'second',
    ]);
    expect(seen.at(-1)).toMatchObject({ gameId: id, version: (await api.game(null, id)).data.version });
    expect(await ofGame(asked, ann, id)).toEqual(seen);

    const own = ['challengeCreated', 'challengeAccepted', ...game.slice(1)];
    for (const by of [ann, ben]) {
      const events = await told(asked, by, own.length);
      expect(words(events)).toEqual(own);
      expect(events[0]).toMatchObject({ subject: id, gameId: null });
      expect(events.slice(2).map(({ id: _id, ...event }) => event)).toEqual(
        seen.slice(1).map(({ id: _id, ...event }) => event),
      );
      expect(new Set(events.map((event) => event.id)).size).toBe(own.length);
      expect(await ofUser(asked, by)).toEqual(events);
    }
    expect(await ofUser(asked, eve)).toEqual([]);
  });

  it('continues after any event, also between two of one act', async () => {
    const { id } = await begin(api, ann, ben);
    must(await api.makeMove(ann, id, 1, 'f2f3'));
    must(await api.makeMove(ben, id, 2, 'e7e5'));
    must(await api.makeMove(ann, id, 3, 'g2g4'));
    must(await api.makeMove(ben, id, 4, 'd8h4'));
    const own = await told(asked, ann, 9);
    expect(words(own).slice(-2)).toEqual(['ply', 'end']);
    for (const [i, event] of own.entries()) {
      expect(must(await asked.myEvents(ann, { after: event.id })).items).toEqual(own.slice(i + 1));
    }
    const game = await ofGame(asked, null, id);
    for (const [i, event] of game.entries()) {
      expect(must(await asked.gameEvents(null, id, { after: event.id })).items).toEqual(game.slice(i + 1));
    }
  });

  it('tells a user about their own other events, and no one else', async () => {
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK };
    const { id } = must(await api.createChallenge(ann, { ...terms, opponent: ben.username }));
    must(await api.declineChallenge(ben, id));
    const game = await begin(api, ann, ben);
    must(await api.sendMessage(ben, game.id, 'Good luck'));
    must(await api.setNote(ann, game.id, 'Attack'));
    must(await api.blockUser(ann, eve.username));
    must(await api.unblockUser(ann, eve.username));
    must(await api.importGames(ann, { text: '1. e4 e5 1-0', ruleset: 'chess' }));
    const start = [
      'challengeCreated',
      'challengeDeclined',
      'challengeCreated',
      'challengeAccepted',
      'accept',
      'start',
    ];
    const anns = await told(asked, ann, 11);
    expect(words(anns)).toEqual([
      ...start,
      'messageSent',
      'seatChanged',
      'userBlocked',
      'userUnblocked',
      'gamesImported',
    ]);
    expect(anns.find(({ type }) => type === 'userBlocked')!.subject).toBe(eve.id);
    expect(words(await told(asked, ben, 7))).toEqual([...start, 'messageSent']);
    expect(await ofUser(asked, eve)).toEqual([]);
  });

  it('tells only their owner about conditional moves', async () => {
    const { id } = await begin(api, ann, ben);
    must(await api.setConditionalMoves(ben, id, [{ when: 'e2e4', reply: 'e7e5' }]));
    must(await api.makeMove(ann, id, 1, 'd2d4'));
    expect(
      words(await told(asked, ben, 6))
        .slice(4)
        .sort(),
    ).toEqual(['conditionalDropped', 'ply']);
    expect(words(await told(asked, ann, 5)).slice(4)).toEqual(['ply']);
    expect(words(await ofGame(asked, null, id))).not.toContain('conditionalDropped');
  });

  it('tells what a rated game changed in the ratings', async () => {
    const { id } = await begin(api, ann, ben, { rated: true });
    must(await api.makeMove(ann, id, 1, 'e2e4'));
    must(await api.makeMove(ben, id, 2, 'e7e5'));
    must(await api.resign(ann, id));
    const [last] = (await told(asked, ann, 9)).slice(-1);
    expect(last).toMatchObject({ type: 'ratingChanged', gameId: id, subject: 'chess' });
    const seen = (await ofGame(asked, null, id)).slice(-3);
    expect(seen.map(({ type, player }) => `${type} ${player}`)).toEqual([
      'end null',
      'ratingChanged first',
      'ratingChanged second',
    ]);
    expect(new Set(seen.map(({ version }) => version)).size).toBe(1);
  });

  it('reveals nothing of a face-down game', async () => {
    const game = await begin(api, ann, ben, { ruleset: 'banqi-taiwan' });
    const [move] = must(await api.legalMoves(ann, game.id));
    const { serverSeed } = must(await api.makeMove(ann, game.id, 1, move!.move)).fairness;
    expect(serverSeed).toBeNull();
    const text = JSON.stringify([await ofGame(asked, null, game.id), await told(asked, ben, 5)]);
    for (const name of text.matchAll(/"(\w+)":/g)) {
      expect(['id', 'type', 'gameId', 'version', 'player', 'subject', 'at', 'receipt']).toContain(name[1]);
    }
  });

  it('says whose seed is awaited', async () => {
    const game = await begin(api, ann, ben, { clientSeedHash: clientSeedHash(newSeed()) });
    const events = await told(asked, ann, 4);
    expect(words(events)).toEqual(expect.arrayContaining(['accept', 'seedAwaited']));
    expect(events.find(({ type }) => type === 'seedAwaited')).toMatchObject({ gameId: game.id });
  });

  it('refuses cursors of other lists, and says what to do with an expired one', async () => {
    const { id } = await begin(api, ann, ben);
    const [event] = await told(asked, ann, 1);
    const [ofBen] = await told(asked, ben, 1);
    const [public_] = await ofGame(asked, null, id);
    for (const after of [ofBen!.id, public_!.id, 'x']) {
      expect(await asked.myEvents(ann, { after })).toMatchObject({ refusal: { code: 'INVALID_CURSOR' } });
    }
    expect(await asked.gameEvents(ann, id, { after: event!.id })).toMatchObject({
      refusal: { code: 'INVALID_CURSOR' },
    });
    expect(await asked.gameEvents(ann, ann.id)).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
    expect(await asked.myEvents(null)).toMatchObject({ refusal: { code: 'UNAUTHENTICATED' } });
    time.forward(91 * DAY);
    const refused = await asked.myEvents(await renewed(server.http, ann), { after: event!.id });
    expect(refused).toMatchObject({ refusal: { code: 'CURSOR_EXPIRED', field: 'after' } });
    expect(refused.message).toContain('with fromNow');
    time.forward(-91 * DAY);
  });

  it('continues from a cursor of changes', async () => {
    await begin(api, ann, ben);
    // Events wait for older transactions, also those of other tests on the same server.
    await told(asked, ann, 4);
    const { cursor } = must(await api.changes(ann, { fromNow: true }));
    const before = must(await asked.myEvents(ann, { after: cursor })).items.length;
    const { id } = await begin(api, ann, ben);
    await told(asked, ann, 8);
    const { items } = must(await asked.myEvents(ann, { after: cursor }));
    expect(items.slice(before)).toMatchObject([{ type: 'challengeCreated', subject: id }, {}, {}, {}]);
    const bens = must(await api.changes(ben, { fromNow: true })).cursor;
    expect(await asked.myEvents(ann, { after: bens })).toMatchObject({ refusal: { code: 'INVALID_CURSOR' } });
  });
});

it('deletes what another event has followed for 91 days, and nothing else', async () => {
  await begin(api, ann, ben);
  const events = await told(api, ann, 4);
  const { db } = server.app.get(PrismaService);
  const service = server.app.get(EventsService);
  const forgetIn = async (days: number) => {
    time.forward(days * DAY);
    await service.forget();
    time.forward(-days * DAY);
  };
  await forgetIn(90);
  expect(await ofUser(api, ann)).toEqual(events);
  // They are folded into the changes first, once all transactions before them have ended.
  await untilChangesVisible(server.app);
  await server.app.get(ChangesService).fold();
  await forgetIn(90);
  expect(await ofUser(api, ann)).toEqual(events);
  const { cursor } = must(await api.changes(ann, { fromNow: true }));
  await forgetIn(92);
  // The last one stays, on which cursors stand.
  expect(await db.event.count()).toBe(1);
  expect(must(await api.changes(ann, { since: cursor })).items).toEqual([]);
  expect(must(await api.myEvents(ann, { after: cursor })).items).toEqual([]);
});
