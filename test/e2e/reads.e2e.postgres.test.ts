import { randomBytes } from 'node:crypto';
import { Referee } from '../../src/features/games/referee.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { unchained } from '../support/record.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import type { Event, Game } from '../support/api-types.js';
import { openSocket } from '../support/sockets.js';
import { statementsOf } from '../support/statements.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, must, send } from '../support/transport.js';

/** Reads of games in which the clock has something to do: they show the result, and write nothing. */
// Both databases: each driver sends statements of its own.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const perMove = (seconds: number): Body => ({ timeControl: { type: 'perMove', seconds } });

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
let dot: Person;
let late: Game;
let waiting: Game;
let reminded: Game;
let resumed: Game;
let away: Game;

beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  time = stopTime(server.app);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  const api = restApi(server.http);
  const { id } = await begin(api, ann, ben, { timeControl: NO_CLOCK });
  await api.resign(ben, id);
  await api.offerRematch(ann, id);
  const moved = (game: Game) => playMoves(api, game, ['e2e4', 'e7e5'], { first: ann, second: ben });
  late = await moved(await begin(api, ann, ben, { ...perMove(3600), rated: true }));
  await api.plain(ben, 'offerDraw', late.id);
  late = must(await api.game(null, late.id));
  const clientSeedHash = randomBytes(32).toString('hex');
  waiting = await begin(api, ann, ben, { ...perMove(3600), clientSeedHash });
  reminded = await moved(await begin(api, ann, ben, perMove(100_000)));
  resumed = await moved(await begin(api, ann, ben, perMove(200_000)));
  for (const act of ['offerPause', 'unpause'] as const) {
    await api.plain(ann, act, resumed.id);
    if (act === 'offerPause') await api.plain(ben, 'acceptPause', resumed.id);
  }
  resumed = must(await api.game(null, resumed.id));
  away = await moved(await begin(api, ann, ben, perMove(7200)));
  // No sweep runs: the game has not recorded it when it is read.
  must(await api.planVacation(ann, { days: 3, startsAt: new Date(time.now().getTime() + HOUR + MINUTE) }));
  time.forward(DAY + 10 * MINUTE);
  [ann, ben] = await Promise.all([renewed(server.http, ann), renewed(server.http, ben)]);
  [cid, dot] = await Promise.all([register(server.http, 'cid'), register(server.http, 'dot')]);
});
afterAll(() => server.close());

/** All that is stored, except when a session was last used, and how far the log was read behind earlier commits. */
async function dump(): Promise<readonly unknown[]> {
  const { db } = server.app.get(PrismaService);
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_stat_user_tables WHERE relname NOT LIKE '\\_%' AND relname <> 'log_readers' ORDER BY relname`;
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await db.$queryRawUnsafe(
        `SELECT md5(string_agg(t.kept, '|' ORDER BY t.kept)) FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS kept FROM ${name} t) t`,
      ),
    ]),
  );
}

const readers = (api: Api): readonly (readonly [string, () => Promise<unknown>])[] => [
  ...[late, waiting, reminded, resumed, away].map(({ id, status }) => {
    return [`a ${status} game`, () => api.game(ann, id)] as const;
  }),
  ['the moves', () => api.moves(null, late.id)],
  ['the legal moves', () => api.legalMoves(ann, late.id)],
  ['the claims', () => api.claimable(null, late.id)],
  ['the events', () => api.events(null, late.id)],
  ['the record', () => api.record(null, late.id)],
  ['the conditional moves', () => api.conditionalMoves(ann, late.id)],
  ['the rematch', () => api.rematch(ann, late.id)],
  ['the messages', () => api.messages(ann, late.id)],
  ...['all', 'running', 'ended'].map(
    (list) => [`my ${list} games`, () => api.myGames(ann, { list })] as const,
  ),
  ['the inbox', () => api.inbox(ann)],
  ['the notifications', () => api.notifications(ann)],
  ['the changes', () => api.changes(ann)],
  ['a search', () => api.games(ann, {})],
  ['a search by ends', () => api.games(ann, { reason: 'timeout' }, { by: 'endedAt', direction: 'asc' })],
  ['the running games of a player', () => api.games(null, { player: ann.username, status: ['active'] })],
  ['two players', () => api.headToHead(null, ann.username, ben.username)],
  ['statistics', () => api.statistics(null, ann.username)],
  ['opponents', () => api.opponents(null, ann.username)],
  ['a rating history', () => api.ratingHistory(null, ann.username, 'chess')],
  ['a user', () => api.user(null, ann.username)],
  ['vacations', () => api.myVacations(ann)],
  ['an export', () => api.exportGame(null, late.id)],
  ['all exports', () => api.exportGames(null)],
  ['the exports of a player', () => api.exportGamesOf(null, ann.username)],
  ['all data of a user', () => api.exportOwnData(ann)],
];

test.each(TRANSPORTS)('no read over %s writes anything', async (_, over) => {
  const before = await dump();
  expect(before.length).toBeGreaterThan(20);
  const wrote: unknown[] = [];
  for (const [name, read] of readers(over(server.http))) {
    const sent = await statementsOf(read);
    expect([name, sent.length]).not.toEqual([name, 0]);
    wrote.push(...sent.filter((text) => /\b(INSERT|UPDATE|DELETE)\b/.test(text)).map((text) => [name, text]));
  }
  expect(wrote).toEqual([]);
  expect(await dump()).toEqual(before);
});

test('a subscription writes nothing either', async () => {
  const before = await dump();
  const socket = await openSocket(server, null);
  const shown = await socket
    .watch(late.id, '{ version status fairness { serverSeed } events { edges { node { type } } } }')
    .next();
  expect(shown.data!['gameChanged']).toEqual({
    version: late.version + 1,
    status: 'finished',
    fairness: { serverSeed: null },
    events: {
      edges: expect.arrayContaining([{ node: { type: 'flag' } }, { node: { type: 'end' } }]) as unknown,
    },
  });
  await socket.close();
  expect(await dump()).toEqual(before);
});

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });
  const shown = async ({ id }: Game) => must(await api.game(null, id));
  const log = async ({ id }: Game): Promise<readonly Event[]> => must(await api.events(null, id)).slice(-2);

  it('a game that ran out of time is shown as ended, with its future log; effects elsewhere are unknown', async () => {
    expect(await shown(late)).toMatchObject({
      status: 'finished',
      version: late.version + 1,
      outcome: { winner: 'second', reason: 'timeout' },
      endedAt: late.deadlineAt,
      lastActivityAt: late.deadlineAt,
      deadline: { at: null, explain: [] },
      offers: { draw: null },
      turn: null,
      unrated: null,
      ratingChanges: null,
      fairness: { serverSeed: null },
    });
    const at = late.deadlineAt;
    expect(unchained(await log(late))).toEqual([
      { seq: late.version + 1, type: 'flag', player: 'first', data: {}, at },
      { seq: late.version + 1, type: 'end', player: null, data: { winner: 'second', reason: 'timeout' }, at },
    ]);
    expect(await shown(waiting)).toMatchObject({ status: 'aborted', endedAt: waiting.deadlineAt });
  });

  it('a due reminder is shown as sent, a pause as over, and a player on vacation is not flagged', async () => {
    expect(await shown(reminded)).toMatchObject({ status: 'active', version: reminded.version + 1 });
    expect((await log(reminded)).at(-1)).toMatchObject({ type: 'reminder', player: 'first' });
    expect(await shown(resumed)).toMatchObject({ status: 'active', deadlineAt: resumed.deadlineAt });
    expect((await log(resumed)).at(-1)).toMatchObject({ type: 'resume', at: resumed.resumesAt });
    expect(await shown(away)).toMatchObject({ status: 'active', version: away.version + 1 });
    expect((await log(away)).at(-1)).toMatchObject({ type: 'vacationStart', player: 'first' });
  });

  it('lists agree: it is among the ended ones, without offers or a turn', async () => {
    const listed = async (list: string) => must(await api.myGames(ann, { list, first: 20 }));
    const { games: running, counts } = await listed('running');
    const goingOn = [reminded, resumed, away].map(({ id }) => id);
    expect(running.map(({ id }) => id).sort()).toEqual([...goingOn].sort());
    expect(counts).toEqual({ toMove: 3, waiting: 0, offers: 0 });
    const [ended, all] = [(await listed('ended')).games, (await listed('all')).games];
    expect(ended.slice(0, 2).map(({ id }) => id).sort()).toEqual([late.id, waiting.id].sort()); // prettier-ignore
    expect(all.filter(({ status }) => status === 'finished' || status === 'aborted')).toEqual(ended);
    expect(must(await api.inbox(ann)).edges.map(({ node }) => node.kind)).not.toContain('drawOffer');
    const found = must(await api.games(null, { player: ann.username }, undefined, { first: 20 })).games;
    expect(found.find(({ id }) => id === late.id)).toMatchObject({ status: 'finished', ratingChanges: null });
  });

  it('exports, legal moves and the rematch agree', async () => {
    expect(must(await api.exportGame(null, late.id, { format: 'pgn' }))).toContain('[Result "0-1"]');
    expect(must(await api.legalMoves(ann, late.id))).toEqual([]);
    expect((await api.rematch(ann, late.id)).data ?? null).toBeNull();
  });

  it('changes show it as ended, too', async () => {
    const { items } = must(await api.changes(ann, { first: 20 }));
    const games = items.filter(({ kind }) => kind === 'game');
    expect(games.find(({ id }) => id === late.id)).toMatchObject({ game: { status: 'finished' } });
  });
});

describe('acts continue from what is shown', () => {
  const api = () => restApi(server.http);
  const stored = async ({ id }: Game) =>
    server.app.get(PrismaService).db.game.findUniqueOrThrow({ where: { id } });

  test('accept the version that is shown', async () => {
    const { version } = must(await api().game(ann, away.id));
    expect((await stored(away)).version).toBe(version - 1);
    expect((await api().makeMove(ann, away.id, 3, 'g1f3', { version: version - 1 })).refusal!.code).toBe('STALE_VERSION'); // prettier-ignore
    expect(must(await api().makeMove(ann, away.id, 3, 'g1f3', { version })).version).toBe(version + 1);
    const resumedNow = must(await api().game(ann, resumed.id));
    const { refusal } = await api().plain(ann, 'unpause', resumed.id, resumedNow.version);
    expect(refusal!.code).not.toBe('STALE_VERSION');
  });

  test.each([
    ['no version', () => ({})],
    ['the one that is shown', (version: number) => ({ version })],
    ['the one seen before', (version: number) => ({ version: version - 1 })],
  ])('a late player is told so, for %s, and the shown end is stored', async (_, more) => {
    const game = await begin(api(), cid, dot, { ...perMove(60), rated: true });
    await playMoves(api(), game, ['e2e4', 'e7e5'], { first: cid, second: dot });
    time.forward(66_000);
    const read = async () =>
      [must(await api().game(null, game.id)), must(await api().events(null, game.id))] as const;
    const [shown, events] = await read();
    const { refusal } = await api().makeMove(cid, game.id, 3, 'g1f3', more(shown.version));
    expect(refusal!.code).toBe('DEADLINE_PASSED');
    expect(await stored(game)).toMatchObject({ status: 'finished', version: shown.version });
    const text = expect.any(String) as unknown;
    const known = {
      fairness: { ...shown.fairness, serverSeed: text, headHash: text, receipt: text },
      ratingChanges: expect.any(Object) as unknown,
    };
    const [now, logged] = await read();
    expect([now, unchained(logged)]).toEqual([{ ...shown, ...known }, unchained(events)]);
    expect(logged.at(-1)!.hash).toBe(now.fairness.headHash);
  });

  test('a rematch may be offered after the end, and stores it', async () => {
    const game = await begin(api(), cid, dot, perMove(60));
    time.forward(66_000);
    must(await api().offerRematch(dot, game.id));
    expect((await stored(game)).status).toBe('finished');
  });
});

test('a subscriber to a game shown as ended is notified again when the end is stored', async () => {
  const game = await begin(restApi(server.http), cid, dot, { ...perMove(60), rated: true });
  await playMoves(restApi(server.http), game, ['e2e4', 'e7e5'], { first: cid, second: dot });
  time.forward(66_000);
  const socket = await openSocket(server, null);
  const watch = socket.watch(game.id, '{ version status fairness { serverSeed } }');
  const next = async () => (await watch.next()).data!['gameChanged'] as unknown;
  const first = await next();
  expect(first).toEqual({ version: 4, status: 'finished', fairness: { serverSeed: null } });
  await server.app.get(Referee).sweep();
  expect(await next()).toEqual({
    ...(first as object),
    fairness: { serverSeed: expect.any(String) as unknown },
  });
  await socket.close();
});

test('a list looks for vacations once for any number of overdue games, and not at all for none', async () => {
  const looks = async () => {
    const sent = await statementsOf(() => send(server.http, '/v1/me/games?list=all', {}, cid));
    return sent.filter((text) => text.includes('vacations')).length;
  };
  await server.app.get(Referee).sweep();
  expect(await looks()).toBe(0);
  for (let i = 0; i < 3; i++) await begin(restApi(server.http), cid, dot, perMove(60));
  time.forward(66_000);
  expect(await looks()).toBe(1);
});
