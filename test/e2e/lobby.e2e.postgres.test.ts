import type { Principal } from '../../src/features/auth/principal.js';
import { ChallengesService } from '../../src/features/matchmaking/challenges.service.js';
import { LobbyStore } from '../../src/features/matchmaking/lobby.store.js';
import { LobbyView } from '../../src/features/matchmaking/lobby.view.js';
import { RatingsStore } from '../../src/features/ratings/ratings.store.js';
import { UsersStore } from '../../src/features/users/users.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { ownTerms, setRating } from '../support/seeks.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import type { Challenge } from '../support/api-types.js';
import { openSocket, type Socket, type Watch } from '../support/sockets.js';
import { fewestStatements } from '../support/statements.js';
import type { Body, By } from '../support/transport.js';

/** The lobby: what it lists, for whom, and what it reports as changed. */
// Both databases: pairing depends on locks and pages on sort order.

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
/** The open seeks by the name of their terms. */
const made: Record<string, Challenge> = {};

const BANQI = { ruleset: 'banqi-taiwan' };
const WANTED: readonly (readonly [string, Body])[] = [
  ['fast', { timeControl: { type: 'perMove', seconds: 600 } }],
  ['slow', { timeControl: { type: 'perMove', seconds: 604_800 }, rated: true }],
  ['bank', { timeControl: { type: 'bank', initial: 3600, increment: 60 } }],
  ['untimed', { timeControl: { type: 'none' }, rated: true }],
  ['banqi', { ...BANQI, timeControl: { type: 'perMove', seconds: 700 } }],
  ['strong', { timeControl: { type: 'perMove', seconds: 800 }, minRating: 1800 }],
  ['weak', { timeControl: { type: 'perMove', seconds: 900 }, maxRating: 1499 }],
];

beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
  const api = restApi(server.http);
  for (const [name, terms] of WANTED) {
    made[name] = (await api.createSeek(ann, { ruleset: 'chess', ...terms })).data;
  }
});
afterAll(() => server.close());

const nameOf = ({ id }: Challenge): string =>
  Object.entries(made).find(([, seek]) => seek.id === id)?.[0] ?? 'another';
const NEWEST_FIRST = WANTED.map(([name]) => name).reverse();

describe.each(TRANSPORTS)('over %s', (transport, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const names = async (by: By, query: Body = {}): Promise<readonly string[]> => {
    const answer = await api.lobby(by, query);
    if (answer.refusal) throw new Error(answer.text);
    return answer.data.edges.map(({ node }) => nameOf(node));
  };

  it('lists the open seeks for everyone, newest first, with their terms', async () => {
    for (const by of [ann, ben, null]) expect(await names(by)).toEqual(NEWEST_FIRST);
    const { data } = await api.lobby(null);
    expect(data.edges[0]!.node).toEqual((await api.challenge(null, made['weak']!.id)).data);
    expect(data.edges[0]!.node).toMatchObject({
      creator: { username: ann.username },
      creatorRating: { rating: 1500, provisional: true },
      ratingRange: { min: null, max: 1499 },
    });
  });

  // In a query string everything is text.
  const given = (query: Body): Body =>
    transport === 'REST'
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
      : query;

  it.each<[Body, readonly string[]]>([
    [{ ruleset: 'banqi-taiwan' }, ['banqi']],
    [{ ruleset: 'xiangqi' }, []],
    [{ rated: true }, ['untimed', 'slow']],
    [{ rated: false }, ['weak', 'strong', 'banqi', 'bank', 'fast']],
    [{ timeControl: 'bank' }, ['bank']],
    [{ timeControl: 'none' }, ['untimed']],
    [{ timeControl: 'perMove', maxSeconds: 799 }, ['banqi', 'fast']],
    [{ maxSeconds: 3600 }, ['weak', 'strong', 'banqi', 'bank', 'fast']],
    [{ ruleset: 'chess', rated: true, maxSeconds: 604_800 }, ['slow']],
  ])('filters by %j', async (query, expected) => {
    expect(await names(null, given(query))).toEqual(expected);
  });

  it('filters by who may accept them', async () => {
    const acceptable = given({ acceptable: true });
    expect(await names(ben, acceptable)).toEqual(NEWEST_FIRST.filter((x) => x !== 'weak' && x !== 'strong'));
    expect(await names(ann, acceptable)).toEqual([]);
    const dan = await register(server.http, 'dan');
    await setRating(server.app, dan, 1800);
    expect(await names(dan, acceptable)).toEqual(NEWEST_FIRST.filter((name) => name !== 'weak'));
    await setRating(server.app, dan, 1499.4);
    expect(await names(dan, acceptable)).toEqual(NEWEST_FIRST.filter((name) => name !== 'strong'));
    expect((await api.lobby(null, acceptable)).refusal).toEqual({
      code: 'UNAUTHENTICATED',
      field: 'acceptable',
    });
  });

  it('omits seeks of users who block the viewer or are blocked', async () => {
    for (const [blocker, blocked] of [
      [ann, cid],
      [cid, ann],
    ] as const) {
      await api.blockUser(blocker, blocked.username);
      expect(await names(cid)).toEqual([]);
      expect(await names(ann)).toEqual(NEWEST_FIRST);
      expect(await names(null)).toEqual(NEWEST_FIRST);
      await api.unblockUser(blocker, blocked.username);
    }
    expect(await names(cid)).toEqual(NEWEST_FIRST);
  });

  it.each([1, 2, 3, 100])('is complete in pages of %d', async (first) => {
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const { data } = await api.lobby(null, { first, ...(after === null ? {} : { after }) });
      expect([after !== null, undefined]).toContain(data.pageInfo.hasPreviousPage);
      seen.push(...data.edges.map(({ node }) => nameOf(node)));
      after = data.pageInfo.endCursor;
      if (!data.pageInfo.hasNextPage) break;
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });

  it.each<[Body, string, string | null]>([
    [{ ruleset: 'draughts' }, 'INVALID_RULESET', 'ruleset'],
    [{ rated: 'perhaps' }, 'BAD_INPUT', null],
    [{ timeControl: 'sandglass' }, 'BAD_INPUT', null],
    [{ maxSeconds: 0 }, 'BAD_INPUT', null],
    [{ maxSeconds: 'x' }, 'BAD_INPUT', null],
    [{ maxSeconds: 1e12 }, 'BAD_INPUT', null],
    [{ maxSeconds: 1.5 }, 'BAD_INPUT', null],
    [{ colour: 'red' }, 'BAD_INPUT', null],
    [{ first: 0 }, 'BAD_INPUT', 'first'],
    [{ first: 101 }, 'BAD_INPUT', 'first'],
    [{ after: 'x' }, 'INVALID_CURSOR', 'after'],
  ])('refuses %j', async (query, code, field) => {
    const { refusal } = await api.lobby(ben, query);
    expect(refusal!.code).toBe(code);
    if (field !== null) expect(refusal!.field).toBe(field);
  });

  it('refuses a cursor of another filter, and a forged one', async () => {
    const { data } = await api.lobby(null, { first: 1 });
    const after = data.pageInfo.endCursor!;
    const invalid = { code: 'INVALID_CURSOR', field: 'after' };
    expect((await api.lobby(null, { ...given({ rated: true }), after })).refusal).toEqual(invalid);
    for (const cursor of ['', after.slice(1), `${after}A`]) {
      expect((await api.lobby(null, { after: cursor })).refusal).toEqual(invalid);
    }
  });

  it('continues after a batch without matches', async () => {
    const store = server.app.get(LobbyStore, { strict: false });
    const page = store.page.bind(store);
    const stoppedAt = { createdAt: new Date(made['bank']!.createdAt), id: made['bank']!.id };
    store.page = async () => ({ keys: [], stoppedAt });
    const { data } = await api.lobby(null);
    store.page = page;
    expect(data).toMatchObject({ edges: [], pageInfo: { hasNextPage: true } });
    expect(await names(null, { after: data.pageInfo.endCursor })).toEqual(['slow', 'fast']);
  });
});

it('needs the same number of reads for any number of seeks', async () => {
  const users = server.app.get(UsersStore);
  const ratings = server.app.get(RatingsStore, { strict: false });
  const [byIds, inAllPools] = [users.byIds.bind(users), ratings.inAllPools.bind(ratings)];
  let reads = 0;
  users.byIds = (...args) => ((reads += 1), byIds(...args));
  ratings.inAllPools = (...args) => ((reads += 1), inAllPools(...args));
  const readsOf = async (first: number): Promise<number> => {
    reads = 0;
    await restApi(server.http).lobby(null, { first, ruleset: 'chess' });
    return reads;
  };
  expect([await readsOf(2), await readsOf(6)]).toEqual([2, 2]);
  [users.byIds, ratings.inAllPools] = [byIds, inAllPools];
});

describe('lobbyChanged', () => {
  const api = () => restApi(server.http);
  const sockets: Socket[] = [];
  afterEach(async () => {
    await Promise.all(sockets.splice(0).map((socket) => socket.close()));
  });

  const watchAs = async (by: By): Promise<Watch> => {
    const socket = await openSocket(server, by);
    sockets.push(socket);
    const watch = socket.watchLobby();
    expect(await next(watch)).toEqual({ id: null, seek: null });
    return watch;
  };
  const next = async (watch: Watch): Promise<{ id: string | null; seek: Challenge | null }> => {
    const { data, errors } = await watch.next();
    if (errors) throw new Error(JSON.stringify(errors));
    return data!['lobbyChanged'] as never;
  };

  it('reports each seek that is added or removed, for any reason', async () => {
    const [dan, eva] = [await register(server.http, 'dan'), await register(server.http, 'eva')];
    const watch = await watchAs(null);
    const gone = (id: string) => ({ id, seek: null });
    const opened = async (by: Person, terms: Body = ownTerms()): Promise<Challenge> => {
      const { data } = await api().createSeek(by, terms);
      expect(await next(watch)).toEqual({ id: data.id, seek: data });
      return data;
    };
    const cancelled = await opened(dan);
    await api().cancelChallenge(dan, cancelled.id);
    expect(await next(watch)).toEqual(gone(cancelled.id));
    const taken = await opened(dan);
    await api().acceptChallenge(eva, taken.id);
    expect(await next(watch)).toEqual(gone(taken.id));
    const terms = ownTerms();
    const older = await opened(dan, terms);
    const { data: younger } = await api().createSeek(eva, terms);
    // The newer one may be reported when it is added, too.
    const ids = new Set<string | null>();
    for (let told = 0; told < 3 && ids.size < 2; told += 1) ids.add((await next(watch)).id);
    expect(ids).toEqual(new Set([older.id, younger.id]));
  });

  it('reports a seek that expires', async () => {
    const dan = await register(server.http, 'dan');
    const watch = await watchAs(ben);
    const { data } = await api().createSeek(dan, ownTerms());
    expect((await next(watch)).seek).toEqual(data);
    await server.app
      .get(PrismaService)
      .db.challenge.update({ where: { id: data.id }, data: { expiresAt: new Date() } });
    await server.app.get(ChallengesService, { strict: false }).expire();
    expect(await next(watch)).toEqual({ id: data.id, seek: null });
    expect((await api().challenge(null, data.id)).data.status).toBe('expired');
  });

  it('does not report seeks across a block', async () => {
    const dan = await register(server.http, 'dan');
    await api().blockUser(dan, ben.username);
    const [theirs, others] = [await watchAs(ben), await watchAs(cid)];
    const { data } = await api().createSeek(dan, ownTerms());
    expect(await next(theirs)).toEqual({ id: data.id, seek: null });
    expect(await next(others)).toEqual({ id: data.id, seek: data });
  });

  it('needs the same number of statements for any number of listeners', async () => {
    const view = server.app.get(LobbyView, { strict: false });
    const { data } = await api().createSeek(ann, ownTerms());
    const { data: gone } = await api().createSeek(ann, ownTerms());
    await api().cancelChallenge(ann, gone.id);
    const people = await Promise.all(Array.from({ length: 8 }, () => register(server.http, 'eve')));
    await api().blockUser(people[7]!, ann.username);
    const viewers = [null, ...people.map(({ id }) => ({ userId: id }) as Principal)];
    const told = (listening: readonly (Principal | null)[]) => () =>
      Promise.all(listening.flatMap((viewer) => [data, gone].map(({ id }) => view.change({ id }, viewer))));
    const few = await fewestStatements(told(viewers.slice(0, 2)));
    expect(await fewestStatements(told(viewers))).toHaveLength(few.length);
    const seen = (await told(viewers)()).map(({ id, seek }) => [id, seek?.id ?? null]);
    const each = [[data.id, data.id], [gone.id, null]]; // prettier-ignore
    expect(seen).toEqual([...Array(8).fill(each).flat(), [data.id, null], [gone.id, null]]);
  });
});
