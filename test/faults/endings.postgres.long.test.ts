import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { restApi } from '../support/api.js';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { freshPlace, type Place, serverPlace } from '../support/databases.js';
import { PASSWORD, register } from '../support/people.js';
import { onServer } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import { HALF_A_REQUEST, openRawConnection, readUntilClosed } from '../support/raw-connections.js';

/** However the server stops, running requests are answered, and nothing delays the stop. */
// Long: it starts programs.
// Both databases: each is closed in its own way.

const THROWER = fileURLToPath(new URL('../support/programs/throw-on-signal.mjs', import.meta.url));

let place: Place;
let server: ServerProcess;

const start = async (settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> =>
  startServerProcess({
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl }),
    ...settings,
  });

beforeEach(async () => (place = await freshPlace()));
afterEach(async () => {
  await endAllServers();
  await place.remove();
});

/** Sends only the beginning of a request; resolves once it is sent, with its later answer. */
async function halfSent(): Promise<{ readonly answer: Promise<string> }> {
  const wire = await openRawConnection(server);
  wire.write(HALF_A_REQUEST);
  return { answer: readUntilClosed(wire) };
}

test('answers a half-sent request with 503, and does not wait for it', async () => {
  server = await start();
  const { answer } = await halfSent();
  // Answered after it: what was sent of it has arrived.
  await fetch(`${server.url}/readyz`);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(await answer).toMatch(/^HTTP\/1\.1 503 [^]*"code":"UNAVAILABLE"/);
});

/** The health check of a load balancer, each time over a new connection. */
async function askReadyz(): Promise<{ status: number; detail: string | undefined }> {
  const answer = await fetch(`${server.url}/readyz`, { headers: { connection: 'close' } });
  const { detail } = (await answer.json()) as { detail?: string };
  return { status: answer.status, detail };
}

/** The exit code of the server, and after how many milliseconds it came. */
async function timedEnd(signal: NodeJS.Signals): Promise<{ code: unknown; ms: number }> {
  const begun = Date.now();
  return { code: await server.end(signal), ms: Date.now() - begun };
}

test('at SIGTERM readyz fails first, and the server continues until the load balancer has noticed', async () => {
  server = await start({ DRAIN_SECONDS: '3' });
  const ann = await register(server.url, 'ann');
  const { answer: half } = await halfSent();
  await fetch(`${server.url}/readyz`);
  const end = timedEnd('SIGTERM');
  let said = await askReadyz();
  while (said.status === 200) said = await askReadyz();
  expect(said).toMatchObject({ status: 503, detail: 'The server is shutting down. Try again in 5 seconds.' });
  const login = { username: ann.username, password: PASSWORD };
  expect((await restApi(server.url).login(null, login)).status).toBe(201);
  expect((await askReadyz()).status).toBe(503);
  const { code, ms } = await end;
  expect(code).toBe(0);
  expect(ms).toBeGreaterThan(3000);
  // Time is left to close the database.
  expect(ms).toBeLessThan(6500);
  expect(await half).toMatch(/^HTTP\/1\.1 503 /);
});

test('Ctrl-C does not wait for a load balancer', async () => {
  server = await start({ DRAIN_SECONDS: '3' });
  const { code, ms } = await timedEnd('SIGINT');
  expect(code).toBe(0);
  expect(ms).toBeLessThan(3000);
});

test('an uncaught error is logged, health fails, running requests are answered, and the process ends', async () => {
  server = await start({ NODE_OPTIONS: `--import=${THROWER}` });
  const ann = await register(server.url, 'ann');
  const login = { username: ann.username, password: PASSWORD };
  const { answer: half } = await halfSent();
  const asked = Array.from({ length: 5 }, () => restApi(server.url).login(null, login));
  // Waits for their arrival: a request that has not arrived is not running.
  for (let i = 0; i < 5; i++) await fetch(`${server.url}/readyz`);
  server.process.kill('SIGUSR2');
  const ended = once(server.process, 'close');
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 201));
  expect(await half).toMatch(/^HTTP\/1\.1 503 [^]*unexpected error/);
  expect(await ended).toEqual([1, null]);
  expect(server.said()).toContain('nobody has foreseen this');
  // What was stored is still there.
  server = await start();
  expect((await restApi(server.url).login(null, login)).status).toBe(201);
});

onServer('a database that has gone silent', () => {
  let proxy: CuttingProxy;
  let behind: Place;
  beforeEach(async () => {
    behind = await serverPlace();
    proxy = await startCuttingProxy(behind.databaseUrl!);
  });
  afterEach(async () => {
    await endAllServers();
    await proxy.close();
    await behind.remove();
  });

  test('does not delay the stop, and requests that wait for it are answered with 503', async () => {
    server = await start({ DATABASE_URL: proxy.url });
    const { username } = await register(server.url, 'ann');
    proxy.arm(
      /./,
      Array.from({ length: 1000 }, () => 'swallowed' as const),
    );
    const waiting = restApi(server.url).user(null, username);
    // It has reached the database.
    while (proxy.made() === 0) await new Promise(setImmediate);
    await server.end('SIGTERM');
    expect(await waiting).toMatchObject({ status: 503, refusal: { code: 'UNAVAILABLE' } });
  });
});
