import { setTimeout as pause } from 'node:timers/promises';
import { leafHash, rootOf } from '../../src/fairness/tlog.js';
import type { Database } from '../../src/platform/database/database.js';
import { embeddedPlace, openPlace, type Place, serverPlace, within } from '../support/databases.js';
import { holdAdvisoryLock } from '../support/advisory-lock.js';
import { people } from '../support/history-rows.js';
import { readLog } from '../support/log.js';
import { random } from '../support/random-games.js';
import { inFull, onEmbedded, onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';

/** What waits for the log is appended once, whichever process appends it and whichever is killed. */

const SERVER_KILLS = rounds(8, 2);
const EMBEDDED_KILLS = 6;
const AT_ONCE = rounds(3000, 1200);
const KILL_WITHIN_MS = 900;
/** The number of a lock. */
const GATE = 4712;

let creator: string;
let asked = 0;

/** Opens this many challenges, and cancels every third. */
async function happen({ prisma }: Database, many: number): Promise<void> {
  creator ??= (await people(prisma, ['ann'])).get('ann')!;
  await prisma.$executeRaw`
    INSERT INTO challenges (id, kind, creator_id, status, ruleset, options, time_control, rated, side, commitment,
      created_at, expires_at, create_hash, head_hash)
    SELECT gen_random_uuid(), 'link', ${creator}::uuid, 'open', 'chess', '{}', '{"type": "none"}', false, 'any',
      encode(sha256(n::text::bytea), 'hex'), now(), now() + interval '1 day', encode(sha256(n::text::bytea), 'hex'),
      encode(sha256(n::text::bytea), 'hex')
    FROM generate_series(${asked}::integer + 1, ${asked}::integer + ${many}::integer) n`;
  await prisma.$executeRaw`
    UPDATE challenges SET status = 'cancelled', answered_at = now() WHERE status = 'open' AND id IN (
      SELECT id FROM challenges WHERE status = 'open' ORDER BY id LIMIT ${Math.floor(many / 3)})`;
  asked += many;
}

/** Nothing is missing or doubled, no end precedes its opening, and the tiles are those of the entries. */
async function expectExact({ prisma }: Database): Promise<void> {
  const entries = await prisma.logEntry.findMany({ orderBy: { idx: 'asc' } });
  expect(entries.map(({ idx }) => Number(idx))).toEqual(entries.map((_, at) => at));
  const waiting = await prisma.unlogged.findMany();
  const [opened, closed] = [
    await prisma.challenge.count(),
    await prisma.challenge.count({ where: { status: 'cancelled' } }),
  ];
  expect(entries.length + waiting.length).toBe(opened + closed);
  const place = new Map(entries.map(({ gameId, kind, idx }) => [`${kind} ${gameId}`, idx]));
  for (const { isEnd, gameId } of waiting)
    expect(place.has(`${isEnd ? 'end' : 'open'} ${gameId}`)).toBe(false);
  for (const { gameId, kind, idx } of entries) {
    if (kind === 'end') expect(idx).toBeGreaterThan(place.get(`open ${gameId}`)!);
  }
  const leaves = entries.map(({ entry }) => leafHash(entry));
  const nodes = await prisma.logNode.findMany({ orderBy: [{ level: 'asc' }, { idx: 'asc' }] });
  const level = (number: number) =>
    nodes.flatMap((node) => (node.level === number ? [Buffer.from(node.hash)] : []));
  expect(level(0)).toEqual(leaves.map((leaf) => Buffer.from(leaf)));
  expect(level(1)).toEqual(
    Array.from({ length: Math.floor(leaves.length / 256) }, (_, at) =>
      Buffer.from(rootOf(leaves.slice(at * 256, (at + 1) * 256))),
    ),
  );
}

onServer('servers that append at once', () => {
  let place: Place;
  let database: Database;
  let servers: ServerProcess[];
  const counted = { kills: 0, entries: 0 };

  const start = (): Promise<ServerProcess> =>
    startServerProcess({ DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, LOG_SECONDS: '1' });

  beforeAll(async () => {
    place = await serverPlace();
    database = await openPlace(place);
    await database.prisma.$executeRawUnsafe(`
      CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$`);
    await database.prisma.$executeRaw`
      CREATE TRIGGER gate BEFORE INSERT ON log_nodes EXECUTE FUNCTION pass_gate()`;
    servers = [await start(), await start()];
  });

  afterAll(async () => {
    await endAllServers();
    await database?.close();
    await place?.remove();
  });

  async function untilAllIsLogged(): Promise<void> {
    while ((await database.prisma.unlogged.count()) > 0) await pause(20);
  }

  test('log each entry once, in order', async () => {
    for (let i = 0; i < 5; i++) {
      await happen(database, AT_ONCE / 10);
      await pause(300);
    }
    await untilAllIsLogged();
    await expectExact(database);
    for (const { said } of servers) expect(said()).not.toMatch(/"level"|error|failed/i);
  });

  test(`are killed in between, ${SERVER_KILLS} times`, async () => {
    for (let number = 0; number < SERVER_KILLS; number++) {
      const held = await holdAdvisoryLock(place, GATE);
      await happen(database, AT_ONCE);
      // One of them holds the lock; the other leaves it the work, and continues when it is gone.
      await held.until(1);
      await servers[number % 2]!.end('SIGKILL');
      counted.kills++;
      await held.end();
      servers[number % 2] = await start();
      await untilAllIsLogged();
      await expectExact(database);
    }
    const entries = await readLog(servers[0]!.url);
    expect(entries).toEqual(await readLog(servers[1]!.url));
    counted.entries = entries.length;
    const [row] = await database.prisma.$queryRaw<{ deadlocks: number }[]>`
      SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()`;
    expect(row!.deadlocks).toBe(0);
    printCounts('Log', counted);
  }, 600_000);
});

onEmbedded('a server that is killed while it appends', () => {
  let place: Place;
  beforeAll(async () => {
    place = await embeddedPlace();
  });
  afterAll(async () => {
    await endAllServers();
    await place?.remove();
  });

  inFull(
    `has an exact log, ${EMBEDDED_KILLS} times, and continues`,
    async () => {
      const pick = random(9);
      const settings = { DATA_DIR: place.dataDir, LOG_SECONDS: '1' };
      let [amid, entries] = [0, 0];
      for (let number = 0; number < EMBEDDED_KILLS; number++) {
        await within(place, (database) => happen(database, AT_ONCE));
        const server = await startServerProcess(settings);
        await pause(500 + pick(KILL_WITHIN_MS));
        await server.end('SIGKILL');
        await within(place, async (database) => {
          await expectExact(database);
          const waiting = await database.prisma.unlogged.count();
          if (waiting > 0) amid++;
          entries = waiting + (await database.prisma.logEntry.count());
        });
      }
      const server = await startServerProcess(settings);
      while ((await readLog(server.url)).length < entries) await pause(500);
      await server.end('SIGTERM');
      await within(place, async (database) => {
        expect(await database.prisma.unlogged.count()).toBe(0);
        await expectExact(database);
      });
      printCounts('Log', { kills: EMBEDDED_KILLS, 'of them amid the work': amid });
    },
    600_000,
  );
});
