import type { Scope } from '../../src/platform/contract/scopes.js';
import { graphqlApi, restApi, type Api, TRANSPORTS } from '../support/api.js';
import { allChanges, untilChangesVisible } from '../support/changes.js';
import { closedAfterEach } from '../support/closed-after-each.js';
import { openStream } from '../support/event-streams.js';
import { EVENT, type Happened } from '../support/operations/events.js';
import { bearer, type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { withScopes } from '../support/scopes.js';
import { ownTerms } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { fewestStatements } from '../support/statements.js';
import { type By, must } from '../support/transport.js';

/** Events and changes for tokens that read only a part of them: all of that part, and nothing else. */
// Both databases: the reads are left to the database.

/** What needs another scope than `games:read`. */
const EVENTS: Readonly<Record<string, Scope>> = {
  challengeCreated: 'challenges:read',
  challengeAccepted: 'challenges:read',
  challengeCancelled: 'challenges:read',
  messageSent: 'messages:read',
  seatChanged: 'messages:read',
  gamesImported: 'imports',
  profileChanged: 'profile:read',
  userBlocked: 'profile:read',
  userUnblocked: 'profile:read',
};
const CHANGES: Readonly<Record<string, Scope>> = {
  challenge: 'challenges:read',
  messages: 'messages:read',
  seat: 'messages:read',
  import: 'imports',
  profile: 'profile:read',
  block: 'profile:read',
  notification: 'notifications',
};
const READING = [...new Set([...Object.values(EVENTS), ...Object.values(CHANGES)])];
const BARE = '{ kind id deleted at }';

let server: TestServer;
let api: Api;
let ann: Person;
let ben: Person;
let gameId: string;
const { kept } = closedAfterEach();

beforeAll(async () => {
  server = await sharedServer();
  api = restApi(server.http);
});
beforeEach(async () => {
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  ({ id: gameId } = await begin(api, ann, ben));
});
afterAll(() => server.close());

const personal = async (...scopes: readonly Scope[]): Promise<NonNullable<By>> => {
  const { token } = must(await api.createToken(ann, { name: 'a script', scopes }));
  return { authorization: `Bearer ${token}` };
};
const newGuest = async () => bearer(must(await api.createGuest(null)));

/** Something of every kind happens to Ann, between two plies. */
async function everything(): Promise<void> {
  must(await api.makeMove(ann, gameId, 1, 'e2e4'));
  must(await api.sendMessage(ben, gameId, 'Hello'));
  must(await api.setNote(ann, gameId, 'mine'));
  const { id } = must(await api.createSeek(ann, ownTerms()));
  must(await api.cancelChallenge(ann, id));
  must(await api.importGames(ann, { text: '1. f3 e5 2. g4 Qh4# 0-1' }));
  must(await api.updateProfile(ann, { displayName: `A ${ann.username.slice(-8)}` }));
  const eve = await register(server.http, 'eve');
  must(await api.blockUser(ann, eve.username));
  must(await api.unblockUser(ann, eve.username));
  must(await api.planVacation(ann, { days: 1 }));
  must(await api.makeMove(ben, gameId, 2, 'e7e5'));
  must(await api.sendMessage(ben, gameId, 'Again'));
  must(await api.resign(ann, gameId));
  must(await api.setNote(ann, gameId, 'over'));
}

interface Listener {
  next(): Promise<Happened>;
}

const LISTENING: readonly (readonly [string, (by: NonNullable<By>, after?: string) => Promise<Listener>])[] =
  [
    ['Server-Sent Events', async (by, after) => kept(await openStream(server.url, 'me/events', by, after === undefined ? {} : { lastEventId: after }))], // prettier-ignore
    [
      'a subscription',
      async (by, after) => {
        const socket = kept(await openSocket(server, by));
        const query = `subscription ($after: String) { myEvents(after: $after) ${EVENT} }`;
        const watch = socket.send(query, { after });
        // Nothing says that a subscription has begun.
        if (after === undefined) await new Promise((resolve) => setTimeout(resolve, 300));
        return {
          next: async () => {
            const { data, errors } = await watch.next();
            expect(errors).toBeUndefined();
            const { myEvents: event } = data as unknown as { readonly myEvents: Happened };
            return { ...event, type: event.type.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) }; // prettier-ignore
          },
        };
      },
    ],
  ];

describe.each(LISTENING)('over %s', (_, listen) => {
  const until = async (listener: Listener, last: string): Promise<readonly Happened[]> => {
    const told: Happened[] = [];
    do told.push(await listener.next());
    while (told.at(-1)!.type !== last);
    return told;
  };
  const words = (events: readonly Happened[]) => events.map(({ type }) => type);

  test('a guest hears that the seek is taken and that the game begins', async () => {
    const [guest, other] = [await newGuest(), await newGuest()];
    const listener = await listen(guest);
    const terms = ownTerms();
    const seek = must(await api.createSeek(guest, terms));
    must(await api.createSeek(other, terms));
    const told = await until(listener, 'start');
    // Both seeks are taken.
    expect([...new Set(words(told))]).toEqual(['challengeCreated', 'challengeAccepted', 'accept', 'start']);
    const { gameId: begun } = must(await api.challenge(guest, seek.id));
    const taken = { type: 'challengeAccepted', subject: seek.id, gameId: begun };
    expect(told).toContainEqual(expect.objectContaining(taken));
    expect(told.at(-1)).toMatchObject({ gameId: begun });
  });

  test('a token that reads games alone hears of games alone', async () => {
    const listener = await listen(await personal('games:read'));
    await everything();
    expect(words(await until(listener, 'end'))).toEqual([
      'ply',
      'vacationPlanned',
      'vacationStart',
      'ply',
      'resign',
      'end',
    ]);
  });

  test('a token that reads messages, too, hears of both', async () => {
    const listener = await listen(await personal('games:read', 'messages:read'));
    await everything();
    expect(words(await until(listener, 'seatChanged'))).toEqual(['ply', 'messageSent', 'seatChanged']);
    const more = ['vacationPlanned', 'vacationStart', 'ply', 'messageSent', 'resign', 'end', 'seatChanged'];
    expect(words(await until(listener, 'seatChanged'))).toEqual(more);
  });

  test('it goes on behind any event, also behind one that it does not hear of', async () => {
    const token = await personal('games:read');
    await everything();
    await untilChangesVisible(server.app);
    const all = must(await api.myEvents(ann)).items;
    const heard = all.filter(({ type }) => EVENTS[type] === undefined);
    expect(heard.length).toBeLessThan(all.length);
    for (const [i, { id }] of [...all.entries()].filter(([i]) => i % 3 === 0)) {
      const rest = all.slice(i + 1).filter(({ type }) => EVENTS[type] === undefined);
      const listener = await listen(token, id);
      for (const { id: next } of rest) expect((await listener.next()).id).toBe(next);
    }
  });
});

describe.each(TRANSPORTS)('pages over %s', (_, over) => {
  let asked: Pick<Api, 'changes' | 'myEvents'>;
  beforeAll(() => {
    const api = over(server.http);
    // In GraphQL a field that needs another scope is refused.
    asked = { myEvents: api.myEvents, changes: (by, page) => api.changes(by, page, BARE) };
  });
  beforeEach(async () => {
    await everything();
    await untilChangesVisible(server.app);
  });

  async function allEvents(by: NonNullable<By>, first: number): Promise<readonly Happened[]> {
    const events: Happened[] = [];
    for (let after: string | undefined; ;) {
      const { items, next } = must(await asked.myEvents(by, { first, ...(after === undefined ? {} : { after }) })); // prettier-ignore
      events.push(...items);
      if (next === null) return events;
      // A page with a next one is full.
      expect(items).toHaveLength(first);
      after = next;
    }
  }

  test('have the events that the token reads, with the ids that they have for all', async () => {
    const all = must(await asked.myEvents(ann)).items;
    for (const type of Object.keys(EVENTS)) expect(all.map((event) => event.type)).toContain(type);
    for (const scope of [null, ...READING]) {
      const token = await personal('games:read', ...(scope === null ? [] : [scope]));
      const own = all.filter(({ type }) => [undefined, scope].includes(EVENTS[type]));
      for (const first of [1, 2, own.length, 100]) expect(await allEvents(token, first)).toEqual(own);
    }
  });

  test('have the changes that the token reads, and end', async () => {
    const { items: all } = await allChanges(asked.changes, ann);
    for (const kind of Object.keys(CHANGES)) expect(all.map((change) => change.kind)).toContain(kind);
    for (const scope of [null, ...READING]) {
      const token = await personal('games:read', ...(scope === null ? [] : [scope]));
      const own = all.filter(({ kind }) => [undefined, scope].includes(CHANGES[kind]));
      for (const first of [1, 2, 20]) {
        const { items, pages, cursor } = await allChanges(asked.changes, token, undefined, first);
        expect(items).toEqual(own);
        expect(pages).toBe(Math.ceil(own.length / first));
        // The cursor stands at the end, also for a token that reads more.
        expect(must(await asked.changes(token, { since: cursor }))).toMatchObject({ items: [], hasMore: false }); // prettier-ignore
      }
    }
  });

  test('of changes continue behind what is left out', async () => {
    const token = await personal('games:read');
    await untilChangesVisible(server.app);
    const { cursor } = must(await asked.changes(token, { fromNow: true }));
    must(await api.setNote(ann, gameId, 'again'));
    const other = await begin(api, ben, ann);
    must(await api.sendMessage(ben, other.id, 'Hello'));
    await untilChangesVisible(server.app);
    const { items, cursor: next } = await allChanges(asked.changes, token, cursor, 1);
    expect(items).toMatchObject([{ kind: 'game', id: other.id }]);
    must(await api.sendMessage(ben, other.id, 'Again'));
    await untilChangesVisible(server.app);
    const { items: none, cursor: end } = await allChanges(asked.changes, token, next, 1);
    expect(none).toEqual([]);
    must(await api.makeMove(ben, other.id, 1, 'e2e4'));
    await untilChangesVisible(server.app);
    expect((await allChanges(asked.changes, token, end, 1)).items).toMatchObject([{ kind: 'game', id: other.id }]); // prettier-ignore
  });
});

test('a token that reads less costs no more statements', async () => {
  await everything();
  await untilChangesVisible(server.app);
  const over = graphqlApi(server.http);
  const lean = await withScopes(server, ann, ['games:read']);
  const reads: readonly ((by: NonNullable<By>) => Promise<unknown>)[] = [
    async (by) => must(await over.myEvents(by, { first: 2 })),
    async (by) => must(await over.changes(by, { first: 1 }, BARE)),
  ];
  for (const read of reads) {
    const [few, all] = [await fewestStatements(() => read(lean)), await fewestStatements(() => read(ann))];
    expect(few).toHaveLength(all.length);
  }
});

test('a token without games:read follows nothing', async () => {
  for (const other of [restApi(server.http), graphqlApi(server.http)]) {
    const token = await personal('messages:read', 'challenges:read', 'notifications');
    for (const { refusal } of [await other.myEvents(token), await other.changes(token)]) {
      expect(refusal).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    }
  }
});
