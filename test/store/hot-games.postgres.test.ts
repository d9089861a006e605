import { freshDatabase, type TestDatabase } from '../support/databases.js';
import { fillEveryTable } from '../support/rows.js';

/** What keeps the update of a game at each move small. */
// Both databases: they must have the same indexes and triggers.

const CHANGED_BY_A_MOVE = [
  ...['version', 'ply_count', 'turn', 'position', 'anchor_position', 'anchor_ply', 'moves', 'head_hash'],
  ...['turn_started_at', 'deadline_at', 'wake_at', 'last_activity_at', 'clock', 'offers', 'first_seconds'],
  'second_seconds',
];

let database: TestDatabase;
let id: string;
beforeAll(async () => {
  database = await freshDatabase();
  ({ gameId: id } = await fillEveryTable(database.prisma));
});
afterAll(() => database.close());

test('no index holds a column that a move changes', async () => {
  // An index depends on its columns, on those of its expressions and on those of its condition.
  const columns = await database.prisma.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT a.attname::text AS name FROM pg_index i
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid AND d.refobjid = i.indrelid
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = d.refobjsubid
    WHERE i.indrelid = 'games'::regclass`;
  const names = columns.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['ended_at', 'due_at', 'ended_plies', 'opening', 'status']));
  expect(names.filter((name) => CHANGED_BY_A_MOVE.includes(name))).toEqual([]);
});

const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 12, minute));

test('the alarm stays when the clock is due later, and moves when it is due earlier or never', async () => {
  const dueAfter = async (deadlineAt: Date | null, wakeAt: Date | null) => {
    await database.prisma.game.update({ where: { id }, data: { deadlineAt, wakeAt } });
    const [row] = await database.prisma.$queryRaw<[{ due: Date | null }]>`
      SELECT due_at AS due FROM games WHERE id = ${id}::uuid`;
    return row.due;
  };
  expect(await dueAfter(null, null)).toBeNull();
  expect(await dueAfter(at(30), at(20))).toEqual(at(20));
  expect(await dueAfter(at(50), at(40))).toEqual(at(20));
  expect(await dueAfter(at(10), at(40))).toEqual(new Date(at(10).getTime() + 1));
  expect(await dueAfter(null, at(5))).toEqual(at(5));
});

test('the list of running games follows each change of activity, and the end', async () => {
  const listed = () =>
    database.prisma.$queryRaw<{ at: Date }[]>`
      SELECT last_activity_at AS at FROM running_games WHERE game_id = ${id}::uuid`;
  await database.prisma.game.update({ where: { id }, data: { lastActivityAt: at(1) } });
  expect(await listed()).toEqual([{ at: at(1) }]);
  const over = { turn: null, deadlineAt: null, wakeAt: null, endedAt: at(2), lastActivityAt: at(2) };
  await database.prisma
    .$executeRaw`UPDATE games SET first_plan = NULL, second_plan = NULL WHERE id = ${id}::uuid`;
  await database.prisma.game.update({
    where: { id },
    data: { ...over, status: 'finished', reason: 'resignation', winner: 'first' },
  });
  expect(await listed()).toEqual([]);
  const [ended] = await database.prisma.$queryRaw<[{ plies: number; opening: string }]>`
    SELECT ended_plies AS plies, opening FROM games WHERE id = ${id}::uuid`;
  expect(ended).toEqual({ plies: 1, opening: 'e2e4 ' });
});
