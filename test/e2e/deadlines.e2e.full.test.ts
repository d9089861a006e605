import { setTimeout } from 'node:timers/promises';
import { holds, verify } from '../../src/fairness/verify.js';
import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { Referee } from '../../src/features/games/referee.js';
import { GamesStore } from '../../src/features/games/games.store.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { freshPlace, type Place } from '../support/databases.js';
import { unwinnableGame } from '../support/unwinnable-game.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** Deadlines, on a clock that the tests move. The sweep is far away, except where it is tested. */

const SECONDS = 60;
/** From the start of a turn until reads show that it has run out, stored or not. */
const SHOWN = SECONDS * 1000 + SHOWN_LATE_MS + 1;
const PER_MOVE = { timeControl: { type: 'perMove', seconds: SECONDS } };
const ACCESS = { ACCESS_TOKEN_SECONDS: '86400' };

let place: Place;
let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  place = await freshPlace();
  server = await startServer({ ...ACCESS, SWEEP_SECONDS: '3600' }, place);
  time = stopTime(server.app);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close().finally(() => place.remove()));

const inSeconds = (seconds: number) => new Date(time.now().getTime() + seconds * 1000).toISOString();

const sweep = () => server.app.get(Referee).sweep();

/** The row as it is stored. */
const stored = async ({ id }: Game) => (await server.app.get(GamesStore).find(id))!;

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const after = async (moves: readonly string[]): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, PER_MOVE), moves, { first: ann, second: ben });

  it('the deadline of a turn is the last move’s time plus the duration, and is shown', async () => {
    const game = await begin(api, ann, ben, PER_MOVE);
    expect(game.deadlineAt).toBe(inSeconds(SECONDS));
    time.forward(20_500);
    const moved = (await api.makeMove(ann, game.id, 1, 'e2e4')).data;
    expect([moved.deadlineAt, moved.turnStartedAt]).toEqual([inSeconds(SECONDS), inSeconds(0)]);
    const [ply] = (await api.moves(null, game.id)).data.edges;
    expect([ply!.node.timeUsed, ply!.node.playedAt]).toEqual([20, inSeconds(0)]);
  });

  it('a move at the deadline itself is in time', async () => {
    const game = await after(['e2e4']);
    time.forward(SECONDS * 1000);
    expect((await api.makeMove(ben, game.id, 2, 'e7e5')).data).toMatchObject({
      status: 'active',
      plyCount: 2,
    });
  });

  it('a move after it is refused, and the game ends as of the deadline', async () => {
    const game = await after(['e2e4', 'e7e5']);
    time.forward(SECONDS * 1000 + 1);
    expect((await api.makeMove(ann, game.id, 3, 'g1f3')).refusal).toEqual({ code: 'DEADLINE_PASSED' });
    time.forward(5000);
    const ended = (await api.game(null, game.id)).data;
    expect(ended).toMatchObject({
      status: 'finished',
      turn: null,
      deadlineAt: null,
      plyCount: 2,
      outcome: { winner: 'second', reason: 'timeout' },
      endedAt: game.deadlineAt,
      lastActivityAt: game.deadlineAt,
    });
    expect(ended.fairness.serverSeed).toMatch(/^[0-9a-f]{64}$/);
    const events = (await api.events(null, game.id)).data.filter(({ seq }) => seq === 4);
    expect(events).toMatchObject([
      { seq: 4, type: 'flag', player: 'first', data: {}, at: game.deadlineAt },
      {
        seq: 4,
        type: 'end',
        player: null,
        data: { winner: 'second', reason: 'timeout' },
        at: game.deadlineAt,
      },
    ]);
    const record = must(await api.record(null, game.id));
    expect([record.outcome.reason, holds(verify(record))]).toEqual(['timeout', true]);
  });

  const READERS: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
    ['the game', async (id) => (await api.game(null, id)).data.status],
    ['the legal moves', async (id) => (await api.legalMoves(ben, id)).data.length],
    ['the moves', async (id) => (await api.moves(null, id)).data.totalCount],
    ['the events', async (id) => (await api.events(null, id)).data.at(-1)!.type],
    ['my games', async (id) => (await api.myGames(ann)).data.games.find((game) => game.id === id)!.status],
    [
      'my running games',
      async (id) => (await api.myGames(ben, { list: 'running' })).data.games.some((game) => game.id === id),
    ],
    [
      'the ended ones',
      async (id) =>
        (await api.myGames(ben, { list: 'running' })) &&
        (await api.myGames(ben, { list: 'ended' })).data.games[0]!.id === id,
    ],
    // The record of an ended game without its seed would be invalid.
    [
      'the record',
      async (id) => [must(await api.record(null, id)).outcome, must(await api.record(null, id)).serverSeed],
    ],
  ];
  const SEEN = ['finished', 0, 1, 'end', 'finished', false, true, [null, null]];

  it.each(READERS.map(([name, read], i) => [name, SEEN[i], read] as const))(
    'a viewer who reads %s of an overdue game sees %j, and stores nothing',
    async (_name, seen, read) => {
      const game = await after(['e2e4']);
      time.forward(SHOWN);
      const before = await stored(game);
      expect(await read(game.id)).toEqual(seen);
      expect(await stored(game)).toEqual(before);
      expect(before.status).toBe('active');
    },
  );

  it('reads show a running game without remaining time until no timely act can still be stored', async () => {
    const game = await after(['e2e4']);
    time.forward(SHOWN - 1);
    const { status, clocks } = must(await api.game(null, game.id));
    expect([status, clocks.second.remaining]).toEqual(['active', 0]);
    expect((await api.makeMove(ben, game.id, 2, 'e7e5')).refusal).toEqual({ code: 'DEADLINE_PASSED' });
    expect(must(await api.game(null, game.id)).status).toBe('finished');
  });

  it('repeating the previous move shows the end, and stores it', async () => {
    const game = await after(['e2e4']);
    time.forward(SECONDS * 1000 + 1);
    expect((await api.makeMove(ann, game.id, 1, 'e2e4')).data.status).toBe('finished');
    expect(await stored(game)).toMatchObject({ status: 'finished', endedAt: new Date(game.deadlineAt!) });
  });

  it.each([
    ['whose end is not stored', () => Promise.resolve()],
    ['whose end is stored in the meantime', sweep],
  ])('a list pages correctly over games %s', async (_name, meanwhile) => {
    const games: Game[] = [];
    for (let i = 0; i < 5; i += 1) {
      games.push(await begin(api, ann, ben, i % 2 === 0 ? PER_MOVE : {}));
      time.forward(1000);
    }
    time.forward(SHOWN);
    const wanted = new Set(games.map(({ id }) => id));
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const { data } = await api.myGames(ann, { first: 2, ...(after === null ? {} : { after }) });
      seen.push(...data.games.map(({ id }) => id).filter((id) => wanted.has(id)));
      after = data.pageInfo.endCursor;
      if (!data.pageInfo.hasNextPage) break;
      await meanwhile();
    }
    expect([...seen].sort()).toEqual([...wanted].sort());
  });

  it('a timeout is a draw when the opponent could never win', async () => {
    const { moves, loser } = unwinnableGame();
    const game = await after(moves);
    time.forward(SHOWN);
    const ended = (await api.game(null, game.id)).data;
    expect([game.turn, ended.outcome]).toEqual([loser, { winner: null, reason: 'timeout' }]);
    await sweep();
    const record = must(await api.record(null, game.id));
    expect([record.outcome, holds(verify(record))]).toEqual([ended.outcome, true]);
  });
});

it('the sweep ends unread games as of their own deadlines, also after the server was down', async () => {
  const api = restApi(server.http);
  const games: Game[] = [];
  for (let i = 0; i < 3; i += 1) {
    games.push(await begin(api, ann, ben, PER_MOVE));
    time.forward(1000);
  }
  const untimed = await begin(api, ann, ben);
  await server.close();

  server = await startServer({ ...ACCESS, SWEEP_SECONDS: '1' }, place);
  const later = stopTime(server.app);
  later.moment = new Date(time.moment.getTime() + 3_600_000);
  const isOver = async () =>
    (await Promise.all(games.map(stored))).every(({ status }) => status === 'finished');
  while (!(await isOver())) await setTimeout(100);
  for (const game of games) {
    expect(await stored(game)).toMatchObject({
      reason: 'timeout',
      winner: 'second',
      endedAt: new Date(game.deadlineAt!),
    });
  }
  expect((await stored(untimed)).status).toBe('active');
});
