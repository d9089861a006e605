import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../src/platform/database/database.js';
import { type Child, runChild } from '../support/children.js';
import { embeddedPlace, openPlace, type Place, serverPlace, within } from '../support/databases.js';
import { countedInStore, storedTable } from '../support/explorer.js';
import { holdAdvisoryLock } from '../support/advisory-lock.js';
import { people, population } from '../support/history-rows.js';
import { random } from '../support/random-games.js';
import { inFull, onEmbedded, onServer, rounds, printCounts } from '../support/scale.js';
import { endAllServers, type ServerProcess, startServerProcess } from '../support/server-process.js';

/** Games that wait for the explorer are counted once each, whichever process counts and whichever is killed. */

const GAMES = rounds(2000, 150);
const SERVER_KILLS = rounds(4, 1);
/** The number of a lock. */
const GATE = 4711;
const EMBEDDED_KILLS = 6;
const KILL_WITHIN_MS = 600;

async function fill({ prisma }: Database): Promise<void> {
  await population(prisma, await people(prisma, ['ann', 'ben', 'cid']), GAMES, 5);
}

/** Stands in for the ends of this many games, which then wait. */
const allWait = async ({ prisma }: Database): Promise<void> => {
  await prisma.$executeRaw`TRUNCATE opening_moves`;
  await prisma.$executeRaw`
    INSERT INTO unexplored_games SELECT id FROM games WHERE status = 'finished' ON CONFLICT DO NOTHING`;
};

/** Nothing counted is missing or doubled, also while other games wait. */
async function expectExact({ prisma }: Database): Promise<void> {
  expect(await storedTable(prisma)).toEqual(await countedInStore(prisma));
}

onServer('servers that count at once', () => {
  let place: Place;
  let database: Database;
  let servers: ServerProcess[];
  const counted = { kills: 0, 'games ended meanwhile': 0 };

  const start = (): Promise<ServerProcess> =>
    startServerProcess({ DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir, SWEEP_SECONDS: '1' });
  const waiting = (): Promise<number> => database.prisma.unexploredGame.count();
  const rebuild = (): Child =>
    runChild('dist/cli/explorer.js', [], {
      env: { DATABASE_URL: place.databaseUrl!, DATA_DIR: place.dataDir },
    });

  beforeAll(async () => {
    place = await serverPlace();
    database = await openPlace(place);
    await fill(database);
    await database.prisma.$executeRawUnsafe(`
      CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$`);
    // The games have no challenges, so that the log of all games cannot take their ends.
    await database.prisma.$executeRaw`ALTER TABLE games DISABLE TRIGGER games_end_unlogged`;
    await database.prisma.$executeRaw`
      CREATE TRIGGER gate BEFORE INSERT ON opening_moves EXECUTE FUNCTION pass_gate()`;
    servers = [await start(), await start()];
  });

  afterAll(async () => {
    await endAllServers();
    await database?.close();
    await place?.remove();
  });

  /** Some running games end, as any game does: by a change of their row. */
  async function endSome(): Promise<void> {
    const some = { where: { status: 'active' }, select: { id: true }, take: 20 };
    const ids = (await database.prisma.game.findMany(some)).map(({ id }) => id);
    const endedAt = new Date();
    const end = { status: 'finished', winner: 'first', reason: 'resignation', turn: null };
    await database.prisma.game.updateMany({
      where: { id: { in: ids } },
      data: { ...end, endedAt, lastActivityAt: endedAt },
    });
    counted['games ended meanwhile'] += ids.length;
  }

  async function untilAllAreCounted(): Promise<void> {
    while ((await waiting()) > 0) await pause(20);
  }

  test('count what was played', async () => {
    await allWait(database);
    await untilAllAreCounted();
    await expectExact(database);
    for (const { said } of servers) expect(said()).not.toMatch(/"level"|error|failed/i);
  });

  test(`are killed in between, ${SERVER_KILLS} times, while games end and everything is recounted`, async () => {
    for (let number = 0; number < SERVER_KILLS; number++) {
      const held = await holdAdvisoryLock(place, GATE);
      const program = number % 2 === 0 ? rebuild() : null;
      if (program === null) await allWait(database);
      await held.until(program === null ? 2 : 3);
      await endSome();
      await servers[1]!.end('SIGKILL');
      // Without its program, too, the remaining server does the rest.
      if (number % 4 === 0) program?.process.kill('SIGKILL');
      counted.kills++;
      await held.end();
      servers[1] = await start();
      await Promise.all([program?.ended(), untilAllAreCounted()]);
      await expectExact(database);
    }
    const [row] = await database.prisma.$queryRaw<{ deadlocks: number }[]>`
      SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()`;
    expect(row!.deadlocks).toBe(0);
    printCounts('Explorer', counted);
  }, 600_000);
});

onEmbedded('a server that is killed while it counts', () => {
  let place: Place;
  beforeAll(async () => {
    place = await embeddedPlace();
  });
  afterAll(async () => {
    await endAllServers();
    await place?.remove();
  });

  inFull(
    `has exact counts, ${EMBEDDED_KILLS} times, and continues`,
    async () => {
      const pick = random(9);
      await within(place, async (database) => {
        await fill(database);
        await allWait(database);
      });
      const settings = { DATA_DIR: place.dataDir, SWEEP_SECONDS: '1' };
      const left: number[] = [];
      for (let number = 0; number < EMBEDDED_KILLS; number++) {
        const server = await startServerProcess(settings);
        await pause(1000 + pick(KILL_WITHIN_MS));
        await server.end('SIGKILL');
        await within(place, async (database) => {
          await expectExact(database);
          left.push(await database.prisma.unexploredGame.count());
          if (left.at(-1) === 0) await allWait(database);
        });
      }
      const program = runChild('dist/cli/explorer.js', [], { env: settings });
      expect(await program.ended()).toMatchObject({ code: 0 });
      await within(place, async (database) => {
        expect(await database.prisma.unexploredGame.count()).toBe(0);
        await expectExact(database);
      });
      printCounts('Explorer', {
        kills: EMBEDDED_KILLS,
        'of them amid the work': left.filter((many) => many > 0).length,
      });
    },
    600_000,
  );
});
