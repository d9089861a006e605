import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import type { Change } from '../support/operations/changes.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { random } from '../support/random-games.js';
import { onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import type { Edges, Game } from '../support/api-types.js';
import type { Body } from '../support/transport.js';

/**
 * Users act simultaneously over two processes on one PostgreSQL, while a client of each polls one process or the other:
 * its data must finally match all other queries.
 */

const PEOPLE = 6;
const ACTS = rounds(400, 60);
const AT_ONCE = 12;

type Model = Map<string, Change>;

onServer('clients that poll while users act', () => {
  const next = random(7);
  const counted = { acts: 0, polls: 0, 'empty polls': 0, changes: 0, tombstones: 0 };
  let place: Place;
  let db: SqlSession;
  let servers: readonly ServerProcess[];
  let people: readonly Person[];
  const games: string[] = [];
  const challenges: string[] = [];

  beforeAll(async () => {
    place = await serverPlace();
    db = await openServerSession(place.databaseUrl!, 'halfmove tests');
    // Housekeeping folds events into the changes meanwhile.
    const settings = { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, HOUSEKEEPING_SECONDS: '1' };
    servers = await Promise.all([startServerProcess(settings), startServerProcess(settings)]);
    people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, i) => register(servers[i % 2]!.url, `p${i}`)),
    );
  });

  afterAll(async () => {
    await endAllServers();
    await db?.close();
    await place?.remove();
  });

  const among = <T>(some: readonly T[]): T => some[next(some.length)]!;
  const url = () => among(servers).url;
  const two = (): readonly [Person, Person] => {
    const one = among(people);
    return [one, among(people.filter((other) => other !== one))];
  };

  async function challenge(): Promise<void> {
    const [ann, ben] = two();
    const input = { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username };
    const { data } = await restApi(url()).createChallenge(ann, input);
    if (data !== undefined) challenges.push(data.id);
  }

  /** By a user who may not be allowed to: a refusal changes nothing. */
  async function answer(): Promise<void> {
    if (challenges.length === 0) return challenge();
    const [id, api] = [among(challenges), restApi(url())];
    const verb = among([
      'acceptChallenge',
      'acceptChallenge',
      'declineChallenge',
      'cancelChallenge',
    ] as const);
    for (const person of people) await api[verb](person, id);
    if (verb === 'acceptChallenge') games.push(id);
  }

  async function move(): Promise<void> {
    if (games.length === 0) return challenge();
    const [id, api] = [among(games), restApi(url())];
    for (const person of people) {
      const { data: moves } = await api.legalMoves(person, id);
      if (moves === undefined || moves.length === 0) continue;
      const { plyCount } = (await api.game(person, id)).data;
      await api.makeMove(person, id, plyCount + 1, among(moves).move);
      return;
    }
  }

  async function conduct(): Promise<void> {
    if (games.length === 0) return challenge();
    const [id, by, api] = [among(games), among(people), restApi(url())];
    await among([
      () =>
        api.plain(by, among(['offerDraw', 'declineDraw', 'offerTakeback', 'acceptTakeback'] as const), id),
      () =>
        api.setConditionalMoves(by, id, [
          { when: among(['e2e4', 'e7e5', 'g8f6']), reply: among(['e7e5', 'g1f3']) },
        ]),
      () => api.setConditionalMoves(by, id, null),
      () => api.setNote(by, id, `Note ${next(1000)}`),
      () => api.muteOpponent(by, id, next(10) < 3),
      () => api.sendMessage(by, id, 'Hello'),
      () => (next(10) < 2 ? api.resign(by, id) : Promise.resolve()),
    ])();
  }

  async function aside(): Promise<void> {
    const [by, other] = two();
    const api = restApi(url());
    await among([
      () => api.blockUser(by, other.username),
      () => api.unblockUser(by, other.username),
      () => api.unblockUser(by, other.username),
      () => restApi(url()).markNotificationsRead(by, { before: new Date().toISOString() }),
    ])();
  }

  const act = async (): Promise<void> => {
    counted.acts++;
    await among([challenge, answer, move, move, move, move, conduct, conduct, conduct, aside])();
  };

  /** Polls once, and applies the changes to the model. */
  class Client {
    readonly model: Model = new Map();
    private since: string | undefined;

    constructor(readonly who: Person) {}

    async poll(): Promise<boolean> {
      const asked = { first: 7, ...(this.since === undefined ? {} : { since: this.since }) };
      const { data, text } = await restApi(url()).changes(this.who, asked);
      if (data === undefined) throw new Error(text);
      for (const change of data.items) this.take(change);
      this.since = data.cursor;
      counted.polls++;
      if (data.items.length === 0) counted['empty polls']++;
      return data.hasMore;
    }

    private take(change: Change): void {
      const key = `${change.kind} ${change.id}`;
      counted.changes++;
      const known = this.model.get(key)?.game?.version ?? 0;
      if (change.game) expect(change.game.version).toBeGreaterThanOrEqual(known);
      if (change.deleted) counted.tombstones++;
      if (change.deleted) this.model.delete(key);
      else this.model.set(key, change);
    }

    of<T>(kind: string, what: (change: Change) => T): T[] {
      return [...this.model.values()].filter((change) => change.kind === kind).map(what);
    }
  }

  /** Waits until all commits are reported, even if others use the same server. */
  async function allTold(): Promise<void> {
    const [now] = await db.query<{ xid: string }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid',
    );
    for (;;) {
      const [{ told }] = (await db.query(
        'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 AS told',
        [now!.xid],
      )) as [{ told: boolean }];
      if (told) return;
    }
  }

  /** All nodes of a list, page by page. */
  async function whole<T>(read: (page: Body) => Promise<{ readonly data: Edges<T> | null }>): Promise<T[]> {
    const nodes: T[] = [];
    for (let after: string | null = null; ;) {
      const { data } = await read({ first: 50, ...(after === null ? {} : { after }) });
      nodes.push(...data!.edges.map(({ node }) => node));
      if (!data!.pageInfo.hasNextPage) return nodes;
      after = data!.pageInfo.endCursor;
    }
  }

  async function allGames(by: Person): Promise<Game[]> {
    const found: Game[] = [];
    for (let after: string | null = null; ;) {
      const { data } = await restApi(url()).myGames(by, { first: 50, ...(after === null ? {} : { after }) });
      found.push(...data.games);
      if (!data.pageInfo.hasNextPage) return found;
      after = data.pageInfo.endCursor;
    }
  }

  const byId = <T extends { readonly id: string }>(some: readonly T[]): T[] =>
    [...some].sort((a, b) => (a.id < b.id ? -1 : 1));
  /** Without PUBLIC_URL each process names its own port. */
  const portless = (some: unknown): unknown =>
    JSON.parse(JSON.stringify(some).replaceAll(/http:\/\/localhost:\d+/g, ''));

  async function expectSame(client: Client): Promise<void> {
    const { who } = client;
    const api = restApi(url());
    const shown = await allGames(who);
    expect(portless(byId(client.of('game', ({ game }) => game!)))).toEqual(portless(byId(shown)));
    const boxes = ['incoming', 'outgoing'].map((box) =>
      whole((page) => api.challenges(who, { box, ...page })),
    );
    const open = client
      .of('challenge', ({ challenge: row }) => row!)
      .filter(({ status }) => status === 'open');
    expect(byId(open)).toEqual(byId((await Promise.all(boxes)).flat()));
    const blocked = await whole((page) => api.blockedUsers(who, page));
    expect(client.of('block', ({ id }) => id).sort()).toEqual(blocked.map(({ id }) => id).sort());
    // That it is somebody's turn is told by the change of the game.
    const news = (await whole((page) => api.notifications(who, page))).filter(
      ({ type }) => type !== 'yourTurn',
    );
    expect(byId(client.of('notification', ({ notification }) => notification!))).toEqual(byId(news));
    for (const { id } of shown) {
      const seat = client.model.get(`seat ${id}`)?.seat ?? { note: null, muted: false };
      expect(seat).toEqual({
        note: (await api.note(who, id)).data,
        muted: (await api.opponentMuted(who, id)).data,
      });
      const written = (await api.messages(who, id, { first: 1 })).data!.edges.length;
      expect([id, client.model.has(`messages ${id}`)]).toEqual([id, written > 0]);
    }
  }

  test(`match the other queries after ${ACTS} acts`, async () => {
    const clients = people.map((who) => new Client(who));
    let acting = true;
    const polling = clients.map(async (client) => {
      while (acting) await client.poll();
    });
    const players = Array.from({ length: AT_ONCE }, async () => {
      while (counted.acts < ACTS) await act();
    });
    await Promise.all(players).finally(() => (acting = false));
    await Promise.all(polling);
    // By chance no existing block may have been lifted.
    const [ann, ben] = people as readonly [Person, Person];
    await restApi(url()).blockUser(ann, ben.username);
    await restApi(url()).unblockUser(ann, ben.username);
    await allTold();
    for (const client of clients) {
      while (await client.poll());
      await expectSame(client);
    }
    expect(counted.tombstones).toBeGreaterThan(0);
    expect(servers.map(({ isAlive }) => isAlive())).toEqual([true, true]);
    expect(servers.map((server) => server.said()).join('')).not.toMatch(/deadlock/i);
    printCounts('Changes', counted);
  }, 600_000);
});
