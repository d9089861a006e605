import { ChallengesStore } from '../../src/features/matchmaking/challenges.store.js';
import { DealsStore } from '../../src/engine/deals.store.js';
import { GamesStore } from '../../src/features/games/games.store.js';
import { UsersStore } from '../../src/features/users/users.store.js';
import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { type Body, must } from '../support/transport.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';

/** My games and my challenges: their order, their pages, and foreign cursors. */
// Both databases: they may sort texts differently.

const GAMES = 7;

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
/** Newest activity first. */
const ids: string[] = [];
/** Newest first. */
const challenges: string[] = [];

beforeAll(async () => {
  // A query may not ask for pages of 100 with every field.
  server = await startServer({ ...SHARED_SETTINGS, MAX_QUERY_COST: '60000' });
  time = stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
  const api = restApi(server.http);
  const games: string[] = [];
  // Every third pair of games has the same time, with both seats, some of them ended.
  for (let i = 0; i < GAMES; i += 1) {
    if (i % 3 !== 2) time.forward(1000);
    const { id } = await begin(api, ann, ben, { seat: i % 2 === 0 ? 'first' : 'second' });
    games.push(id);
  }
  ids.push(...games.reverse());
  for (const id of [games[1]!, games[4]!]) {
    time.forward(1000);
    await api.resign(ben, id);
    ids.unshift(...ids.splice(ids.indexOf(id), 1));
  }
  // A game of theirs that is not in either list.
  await begin(api, ben, cid);
  for (let i = 0; i < 5; i += 1) {
    const { data } = await api.createChallenge(ann, {
      ruleset: 'chess',
      timeControl: NO_CLOCK,
      opponent: cid.username,
    });
    challenges.unshift(data.id);
  }
});
afterAll(() => server.close());

type Page = {
  readonly ids: readonly string[];
  readonly endCursor: string | null;
  readonly more: boolean;
  readonly hasPrevious: boolean | undefined;
};

/** The two lists, with the answers in one form. */
const lists = (api: Api) => ({
  games: async (by: Person, page: Body): Promise<Page> => {
    const { data } = await api.myGames(by, page);
    const { endCursor, hasNextPage, hasPreviousPage } = data.pageInfo;
    return {
      ids: data.games.map(({ id }) => id),
      endCursor,
      more: hasNextPage,
      hasPrevious: hasPreviousPage,
    };
  },
  challenges: async (by: Person, page: Body): Promise<Page> => {
    const { data } = await api.challenges(by, { box: by === ann ? 'outgoing' : 'incoming', ...page });
    const { endCursor, hasNextPage, hasPreviousPage } = data.pageInfo;
    return {
      ids: data.edges.map(({ node }) => node.id),
      endCursor,
      more: hasNextPage,
      hasPrevious: hasPreviousPage,
    };
  },
});

/** How often the stores are read while `work` runs. */
async function reads(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const restore: (() => void)[] = [];
  for (const kind of [GamesStore, DealsStore, UsersStore, ChallengesStore]) {
    const store = server.app.get<object>(kind, { strict: false }) as Record<string, unknown>;
    for (const name of Object.getOwnPropertyNames(kind.prototype)) {
      const method = store[name];
      if (name === 'constructor' || typeof method !== 'function') continue;
      store[name] = (...given: unknown[]) => {
        count += name.startsWith('unseal') ? 0 : 1;
        return (method as (...all: unknown[]) => unknown).apply(store, given);
      };
      restore.push(() => delete store[name]);
    }
  }
  await work();
  for (const undo of restore) undo();
  return count;
}

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it.each([
    ['all', () => ids],
    ['ended', () => ids.slice(0, 2)],
  ])('sorts the list %s by last activity, newest first', async (list, expected) => {
    expect((await lists(api).games(ann, { list })).ids).toEqual(expected());
  });

  it('shows the other player their own list', async () => {
    const own = (await lists(api).games(ben, {})).ids;
    expect([own.length, own.slice(1)]).toEqual([GAMES + 1, ids]);
    expect((await lists(api).games(cid, {})).ids).toEqual([own[0]]);
  });

  it.each([1, 2, 3, 7, 100])('pages of %d contain the whole list in order, each game once', async (first) => {
    for (const [kind, by, expected] of [
      ['games', ann, ids],
      ['challenges', ann, challenges],
      ['challenges', cid, challenges],
    ] as const) {
      // prettier-ignore
      const seen: string[] = [];
      for (let after: string | null = null; ;) {
        const page: Page = await lists(api)[kind](by, { first, ...(after === null ? {} : { after }) });
        expect([after !== null, undefined]).toContain(page.hasPrevious);
        seen.push(...page.ids);
        after = page.endCursor;
        if (!page.more) break;
        expect(page.ids).toHaveLength(first);
      }
      expect(seen).toEqual(expected);
    }
  });

  it('a page after the last one is empty', async () => {
    const { endCursor: last } = must(await graphqlApi(server.http).myGames(ann)).pageInfo;
    const page = await lists(api).games(ann, { after: last });
    expect(page).toMatchObject({ ids: [], endCursor: null, more: false });
    expect([true, undefined]).toContain(page.hasPrevious);
  });

  it.each([0, -1, 101])('refuses a page of %d', async (first) => {
    expect((await api.myGames(ann, { first })).refusal).toEqual({ code: 'BAD_INPUT', field: 'first' });
    expect((await api.challenges(ann, { box: 'incoming', first })).refusal).toEqual({
      code: 'BAD_INPUT',
      field: 'first',
    });
    expect((await api.moves(ann, ids[0]!, { first })).refusal).toEqual({
      code: 'BAD_INPUT',
      field: 'first',
    });
    expect((await api.moves(ann, ids[0]!, { last: first })).refusal).toEqual({
      code: 'BAD_INPUT',
      field: 'last',
    });
  });

  it('refuses first together with last', async () => {
    expect((await api.moves(ann, ids[0]!, { first: 1, last: 1 })).refusal).toEqual({
      code: 'BAD_INPUT',
      field: 'last',
    });
  });

  const INVALID = { code: 'INVALID_CURSOR', field: 'after' };

  it('refuses a cursor of another list, of another user, or a forged one', async () => {
    const own = (await lists(api).games(ann, { first: 1 })).endCursor!;
    const theirs = (await lists(api).games(ben, { first: 1 })).endCursor!;
    const outgoing = (await lists(api).challenges(ann, { first: 1 })).endCursor!;
    const { endCursor: ply } = (await api.moves(ann, ids[0]!)).data.pageInfo;
    expect(ply).toBeNull();
    for (const after of [theirs, outgoing, '', 'x', '!', 'W10', own.slice(1), 'é', 'x'.repeat(501)]) {
      const { refusal } = await api.myGames(ann, { after });
      expect(['INVALID_CURSOR', 'BAD_INPUT']).toContain(refusal!.code);
    }
    expect((await api.myGames(ann, { after: theirs })).refusal).toEqual(INVALID);
    expect((await api.myGames(ann, { list: 'running', after: own })).refusal).toEqual(INVALID);
    expect((await api.challenges(ann, { box: 'incoming', after: outgoing })).refusal).toEqual(INVALID);
    expect((await api.challenges(cid, { box: 'outgoing', after: outgoing })).refusal).toEqual(INVALID);
    expect((await api.moves(ann, ids[0]!, { after: own })).refusal).toEqual(INVALID);
    expect((await api.moves(ann, ids[0]!, { last: 1, before: own })).refusal).toEqual({
      code: 'INVALID_CURSOR',
      field: 'before',
    });
  });

  it('a longer page needs no more reads', async () => {
    const short = await reads(() => api.myGames(ann, { first: 1 }));
    expect(await reads(() => api.myGames(ann, { first: 7 }))).toBe(short);
    const one = await reads(() => api.challenges(ann, { box: 'outgoing', first: 1 }));
    expect(await reads(() => api.challenges(ann, { box: 'outgoing', first: 5 }))).toBe(one);
    expect(short + one).toBeLessThan(10);
  });
});
