import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { Health } from '../../src/platform/process/health.js';
import { restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';
import { send } from '../support/transport.js';

/** The server's health, and that no request keeps it busy forever. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const readyz = async ({ http }: TestServer) => {
  const { status, body } = await send(http, '/readyz');
  return { status, body };
};

test('reports that everything works', async () => {
  expect(await readyz(server)).toEqual({ status: 200, body: { status: 'ok', reasons: [] } });
  expect((await send(server.http, '/livez')).body).toEqual({ status: 'ok' });
});

test('reports a full disk: reads work, writes do not', async () => {
  const full = await startServer({ MIN_FREE_MB: '999999999' });
  const { status, body } = await readyz(full);
  const isServer = full.config.databaseUrl !== null;
  if (isServer) expect(body).toEqual({ status: 'ok', reasons: [] });
  else
    expect([status, body.status, body.reasons]).toEqual([
      200,
      'degraded',
      [expect.stringContaining('nearly full')],
    ]);
  await full.close();
});

test('includes what a part of the server reports', async () => {
  const other = await startServer();
  const health = other.app.get(Health);
  let trouble: string | null = 'Nothing has been stored for 5 seconds.';
  health.watch(() => Promise.resolve(trouble));
  expect((await readyz(other)).body).toEqual({ status: 'degraded', reasons: [trouble] });
  trouble = null;
  expect((await readyz(other)).body.status).toBe('ok');
  await other.close();
});

describe('a game that looks overdue although nothing is due', () => {
  let ann: Person;
  let id: string;
  beforeAll(async () => {
    const ben = await register(server.http, 'ben');
    ann = await register(server.http, 'ann');
    ({ id } = await begin(restApi(server.http), ann, ben));
    const { db } = server.app.get(PrismaService);
    await db.game.update({ where: { id }, data: { wakeAt: new Date(0) } });
  });
  afterAll(async () => {
    await server.app.get(PrismaService).db.game.update({ where: { id }, data: { wakeAt: null } });
  });

  test('is shown as it is, in every list', async () => {
    const api = restApi(server.http);
    expect((await api.game(ann, id)).data).toMatchObject({ id, status: 'active' });
    expect((await api.myGames(ann)).data.games).toMatchObject([{ id }]);
    expect((await api.myGames(ann, { list: 'running' })).data.games).toMatchObject([{ id }]);
    expect((await send(server.http, '/v1/inbox', {}, ann)).status).toBe(200);
  });
});
