import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { restApi } from '../support/api.js';
import { type Place, serverPlace } from '../support/databases.js';
import { openStream, type RawStream } from '../support/event-streams.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';
import { openSocket, type Socket } from '../support/sockets.js';
import { must } from '../support/transport.js';

/** Two processes that poll the log once a minute: what they hear of each other sooner, they hear by nudges. */

const POLL_MS = 60_000;
/** Each of them would wait for a poll of its own. */
const ROUNDS = 6;
/** Less than four polls, so far less than a slow machine needs. */
const SOON_MS = 3 * POLL_MS;
const SPACING_MS = 50;
const MESSAGES = 200;
const AT_ONCE = 10;

const MOVES = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];

const LISTENERS = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'halfmove nudges' AND query <> ''`;

onServer('nudges between processes', () => {
  let place: Place;
  let db: Client;
  let here: ServerProcess;
  let there: ServerProcess;
  let ann: Person;
  let ben: Person;
  let socket: Socket;
  const streams: RawStream[] = [];

  beforeAll(async () => {
    place = await serverPlace();
    db = new Client({ connectionString: place.databaseUrl! });
    db.on('error', () => undefined);
    await db.connect();
    const settings = {
      DATABASE_URL: place.databaseUrl!,
      DATA_DIR: place.dataDir,
      OUTBOX_POLL_MS: `${POLL_MS}`,
      MESSAGES_PER_MINUTE: '100000',
      MESSAGES_PER_HOUR: '100000',
    };
    [here, there] = await Promise.all([startServerProcess(settings), startServerProcess(settings)]);
    [ann, ben] = [await register(there.url, 'ann'), await register(there.url, 'ben')];
    socket = await openSocket(here, ben);
  });
  afterAll(async () => {
    for (const stream of streams) stream.close();
    await socket?.close();
    await endAllServers();
    await db?.end();
    await place?.remove();
  });

  const stream = async (url: string, path: string, by: Person): Promise<RawStream> => {
    const opened = await openStream(url, path, by);
    streams.push(opened);
    while (opened.from() === undefined) await pause(10);
    return opened;
  };
  const pids = async (): Promise<readonly number[]> =>
    (await db.query<{ pid: number }>(LISTENERS)).rows.map(({ pid }) => pid);

  /** Moves on one process, each seen on the other, and in the streams of the players on both. */
  async function play(rounds: number): Promise<void> {
    const game = await begin(restApi(there.url), ann, ben);
    const watching = socket.watch(game.id, '{ version }');
    await watching.next();
    const own = [await stream(here.url, 'me/events', ann), await stream(there.url, 'me/events', ben)];
    const start = performance.now();
    for (let ply = 1; ply <= rounds; ply++) {
      must(await restApi(there.url).makeMove(ply % 2 === 1 ? ann : ben, game.id, ply, MOVES[(ply - 1) % 4]!));
      expect((await watching.next()).data).toEqual({ gameChanged: { version: ply + 1 } });
      for (const each of own) {
        let event = await each.next();
        while (event.type !== 'ply' || event.gameId !== game.id) event = await each.next();
        expect(event.version).toBe(ply + 1);
      }
    }
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    watching.stop();
  }

  test('what happens on one is heard on the other long before it polls', () => play(ROUNDS), SOON_MS * 2);

  test(
    'a cut connection is opened again, its loss is told once, and what happens meanwhile is heard then',
    async () => {
      const before = await pids();
      expect(before).toHaveLength(2);
      const lobby = socket.send('subscription { lobbyChanged { id } }');
      await lobby.next();
      await db.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) pid', [before]);
      const game = await begin(restApi(there.url), ann, ben);
      const watching = socket.watch(game.id, '{ version }');
      await watching.next();
      must(await restApi(there.url).makeMove(ann, game.id, 1, 'e2e4'));
      const start = performance.now();
      expect((await watching.next()).data).toEqual({ gameChanged: { version: 2 } });
      let after = await pids();
      for (; after.length < 2; after = await pids()) await pause(50);
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
      await play(ROUNDS);
      expect(performance.now() - start).toBeLessThan(SOON_MS);
      for (const { said } of [here, there])
        expect(said().match(/heard by the poll of the log alone/g)).toHaveLength(1);
    },
    SOON_MS * 2,
  );

  test('under load each process sends one in 50 ms at most, without a payload', async () => {
    const game = await begin(restApi(there.url), ann, ben);
    const told: { readonly processId: number; readonly payload?: string | undefined }[] = [];
    db.on('notification', (message) => told.push(message));
    await db.query('LISTEN halfmove');
    await pause(2 * SPACING_MS);
    told.length = 0;
    const start = performance.now();
    let sent = 0;
    const sender = async (): Promise<void> => {
      while (sent < MESSAGES) {
        const number = (sent += 1);
        const { url } = number % 2 === 0 ? here : there;
        must(await restApi(url).sendMessage(number % 3 === 0 ? ann : ben, game.id, `Message ${number}`));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    await pause(2 * SPACING_MS);
    const elapsed = performance.now() - start;
    await db.query('UNLISTEN *');
    const counts = (await pids()).map((pid) => told.filter(({ processId }) => processId === pid).length);
    process.stdout.write(
      `${MESSAGES} messages in ${Math.round(elapsed)} ms: ${counts.join(' and ')} nudges\n`,
    );
    expect(counts[0]! + counts[1]!).toBe(told.length);
    for (const count of counts) {
      expect(count).toBeGreaterThan(1);
      expect(count).toBeLessThanOrEqual(elapsed / SPACING_MS + 1);
    }
    expect(new Set(told.map(({ payload }) => payload))).toEqual(new Set(['']));
  });

  test('a server that is told not to has no connection for them', async () => {
    const settings = { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, OUTBOX_NUDGE_MS: '0' };
    const alone = await startServerProcess(settings);
    expect(await pids()).toHaveLength(2);
    await alone.end('SIGTERM');
  });
});
