import { setTimeout as pause } from 'node:timers/promises';
import { insertGames } from '../support/insert-games.mjs';
import { ExplorerStore } from '../../src/features/openings/explorer.store.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { openServerSession } from '../../src/platform/database/session.js';
import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { people, population } from '../support/history-rows.js';
import { onServer } from '../support/scale.js';

/** The games that wait for the explorer, and how their counts are written. */

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

// Both databases: games are taken by row locks, which never wait with a single connection.

let database: TestDatabase;
let store: ExplorerStore;
let ids: string[];
beforeAll(async () => {
  database = await freshDatabase();
  store = new ExplorerStore(new PrismaService(database));
  const { prisma } = database;
  const made = await population(prisma, await people(prisma, ['ann', 'ben']), 60, 1);
  ids = made.filter(({ status }) => status === 'finished').map(({ id }) => id).sort(); // prettier-ignore
});
afterAll(() => database.close());
beforeEach(() => store.reset());

const counted = (position: string, move: string) => ({ position, move, firstWon: 1, drawn: 0, secondWon: 2 });

test('takes them in the order of their ids, a batch at a time, once each', async () => {
  const seen: string[] = [];
  const none = (games: readonly { id: string }[]) => {
    seen.push(...games.map(({ id }) => id).sort());
    return [];
  };
  expect(await store.waiting()).toBe(ids.length);
  expect(await store.take(BEFORE_ALL, 7, none)).toEqual(ids.slice(0, 7));
  expect(await store.take(ids[9]!, 5, none)).toEqual(ids.slice(10, 15));
  expect(await store.take(BEFORE_ALL, 1000, none)).toEqual([...ids.slice(7, 10), ...ids.slice(15)]);
  expect(await store.take(BEFORE_ALL, 1000, none)).toEqual([]);
  expect(seen.sort()).toEqual(ids);
});

test('leaves a game that cannot be counted waiting', async () => {
  const fail = () => {
    throw new Error('not today');
  };
  await expect(store.take(BEFORE_ALL, 5, fail)).rejects.toThrow('not today');
  const wrong = () => [counted('no key', 'e2e4')];
  await expect(store.take(BEFORE_ALL, 5, wrong)).rejects.toThrow();
  expect(await store.waiting()).toBe(ids.length);
});

test('writes rows in the order of their keys, whatever the order of input', async () => {
  const keys = ['f', '3', 'a', '0', '9', 'c', '5'].map((digit) => digit.repeat(32));
  const given = keys.flatMap((key) =>
    ['g1f3', '', 'b10c8', 'b1c3', 'e2e4'].map((move) => counted(key, move)),
  );
  await store.take(BEFORE_ALL, 5, () => given);
  await store.take(BEFORE_ALL, 5, () => given.slice(0, 1));
  const rows = await database.prisma.$queryRaw<{ key: string }[]>`
    SELECT replace(position::text, '-', '') || ' ' || move AS key FROM opening_moves
    WHERE position <> ${keys[0]}::uuid ORDER BY ctid`;
  const sorted = given.map(({ position, move }) => `${position} ${move}`).sort();
  expect(rows.map(({ key }) => key)).toEqual(sorted.slice(0, -5));
  expect(await store.of(keys[0]!)).toContainEqual({ move: 'g1f3', firstWon: 2, drawn: 0, secondWon: 4 });
});

test('after a reset nothing is counted, and every game waits', async () => {
  await store.take(BEFORE_ALL, 1000, () => [counted('a'.repeat(32), 'e2e4')]);
  expect([await store.waiting(), (await store.of('a'.repeat(32))).length]).toEqual([0, 1]);
  await store.reset();
  expect([await store.waiting(), (await store.of('a'.repeat(32))).length]).toEqual([ids.length, 0]);
});

test('a reset works for any number of games', async () => {
  const { prisma } = database;
  for (const many of [2500, 2500, 2500, 2501]) {
    await prisma.$executeRawUnsafe(
      insertGames(`SELECT (copy).* FROM (
        SELECT jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid())) AS copy
        FROM games g CROSS JOIN generate_series(1, ${many}) WHERE id = '${ids[0]!}' OFFSET 0) copies`),
    );
  }
  await store.take(BEFORE_ALL, 7, () => []);
  await store.reset();
  expect(await store.waiting()).toBe(ids.length + 10_001);
});

onServer('on a server', () => {
  test('no process begins to count during a reset', async () => {
    const waiting = await store.waiting();
    const reader = await openServerSession(database.place.databaseUrl!, 'halfmove tests');
    await reader.run('BEGIN; SELECT * FROM opening_moves');
    const reset = store.reset();
    const waits = `SELECT 1 FROM pg_locks WHERE relation = 'opening_moves'::regclass AND NOT granted`;
    while ((await reader.query(waits)).length === 0) await pause(10);
    expect(await store.take(BEFORE_ALL, 5, () => [])).toEqual([]);
    await reader.run('ROLLBACK');
    await reset;
    expect(await store.waiting()).toBe(waiting);
    await reader.close();
  });
});
