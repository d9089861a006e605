import { setTimeout as pause } from 'node:timers/promises';
import { Referee } from '../../src/features/games/referee.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { openSocket } from '../support/sockets.js';
import { speedUpTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** What the clock has to do is stored when its moment comes: by the timer, as SWEEP_SECONDS is an hour. */
// Long: it waits in real time.

const TIMES = 100;
const perMove = (seconds: number) => ({ timeControl: { type: 'perMove', seconds } });

let server: TestServer;
let ann: Person;
let ben: Person;
beforeEach(async () => {
  server = await startServer({ ...SHARED_SETTINGS, ACCESS_TOKEN_SECONDS: '86400' });
  speedUpTime(server.app, TIMES);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

const rowOf = ({ id }: Game) => server.app.get(PrismaService).db.game.findUniqueOrThrow({ where: { id } });
async function ended(game: Game): Promise<void> {
  while ((await rowOf(game)).endedAt === null) await pause(20);
}

it('ends an unread game once, as of its deadline', async () => {
  const game = await begin(restApi(server.http), ann, ben, perMove(120));
  await ended(game);
  expect(await rowOf(game)).toMatchObject({ reason: 'timeout', endedAt: new Date(game.deadlineAt!) });
  const ends = await server.app
    .get(PrismaService)
    .db.gameEvent.count({ where: { gameId: game.id, type: 'end' } });
  expect(ends).toBe(1);
});

it('tells subscribers about the end', async () => {
  const game = await begin(restApi(server.http), ann, ben, perMove(120));
  const socket = await openSocket(server, null);
  const watch = socket.watch(game.id, '{ status }');
  const seen: unknown[] = [];
  while (seen.at(-1) !== 'finished') {
    const { gameChanged } = (await watch.next()).data as unknown as { gameChanged: Game };
    seen.push(gameChanged.status);
  }
  expect((await rowOf(game)).status).toBe('finished');
  await socket.close();
});

it('fires for the earliest game, and then for the next', async () => {
  const api = restApi(server.http);
  const [long, short, moved] = [
    await begin(api, ann, ben, perMove(400)),
    await begin(api, ann, ben, perMove(150)),
    await begin(api, ann, ben, perMove(86_400)),
  ];
  const turn = must(await api.makeMove(ann, moved.id, 1, 'e2e4'));
  await ended(short);
  await ended(long);
  expect([(await rowOf(short)).endedAt, (await rowOf(long)).endedAt]).toEqual([new Date(short.deadlineAt!), new Date(long.deadlineAt!)]); // prettier-ignore
  expect(await rowOf(turn)).toMatchObject({ status: 'active', version: turn.version });
});

it('a failed sweep does not block later ones', async () => {
  const referee = server.app.get(Referee);
  const sweep = jest.spyOn(referee, 'sweep').mockRejectedValueOnce(new Error('no database'));
  const one = await begin(restApi(server.http), ann, ben, perMove(60));
  while (sweep.mock.calls.length === 0) await pause(20);
  const other = await begin(restApi(server.http), ann, ben, perMove(60));
  await ended(other);
  await ended(one);
  expect((await rowOf(one)).endedAt).toEqual(new Date(one.deadlineAt!));
});
