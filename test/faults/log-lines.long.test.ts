import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freshPlace, type Place } from '../support/databases.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';

/** Log lines are written in batches; however the server stops, none is lost. */
// Long: it starts programs.

const THROWER = fileURLToPath(new URL('../support/programs/throw-on-signal.mjs', import.meta.url));
const REQUESTS = 200;

let place: Place;

beforeEach(async () => (place = await freshPlace()));
afterEach(async () => {
  await endAllServers();
  await place.remove();
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({
    DATA_DIR: place.dataDir,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import=${THROWER}`,
    ...(place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl }),
  });

/** The ids of requests that were just answered. */
async function answered({ url }: ServerProcess): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const answer = await fetch(`${url}/livez`);
    await answer.text();
    ids.push(answer.headers.get('x-request-id')!);
  }
  return ids;
}

/** The ids in the lines of requests, in their order. */
const logged = (server: ServerProcess): unknown[] =>
  server
    .said()
    .split('\n')
    .filter((line) => line.includes('GET /livez 200'))
    .map((line) => (JSON.parse(line) as { requestId: unknown }).requestId);

test.each(['SIGTERM', 'SIGINT'] as const)('%s', async (signal) => {
  const server = await start();
  const ids = await answered(server);
  expect(await server.end(signal)).toBe(0);
  expect(logged(server)).toEqual(ids);
});

test('an uncaught error', async () => {
  const server = await start();
  const ids = await answered(server);
  server.process.kill('SIGUSR2');
  expect(await once(server.process, 'close')).toEqual([1, null]);
  expect(logged(server)).toEqual(ids);
  expect(server.said()).toContain('nobody has foreseen this');
});

test('lines are not kept back on a quiet server', async () => {
  const server = await start();
  const ids = await answered(server);
  while (!server.said().includes(ids.at(-1)!)) await new Promise((done) => setTimeout(done, 10));
  expect(logged(server)).toEqual(ids);
});
