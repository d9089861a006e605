import { openEmbedded } from '../../src/platform/database/embedded.js';
import { vacuumOne } from '../../src/platform/database/vacuum.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { onEmbedded } from '../support/scale.js';

// Long: it opens many databases.

onEmbedded('the old rows of an embedded database', () => {
  let place: Place;
  beforeAll(async () => (place = await embeddedPlace('bare')));
  afterAll(() => place.remove());

  test('are removed in one table after the other, the worst first, and then no more', async () => {
    const { database, close } = await openEmbedded(place.dataDir);
    const dead = async () => {
      // Counts are published once a second.
      await database.exec('SELECT pg_stat_force_next_flush()');
      const { rows } = await database.query<{ n: number }>(
        "SELECT n_dead_tup::integer AS n FROM pg_stat_user_tables WHERE relname IN ('Worst', 'bad', 'good') ORDER BY relname",
      );
      return rows.map(({ n }) => n);
    };
    for (const [name, updates] of [
      ['"Worst"', 300],
      ['bad', 100],
      ['good', 5],
    ] as const) {
      await database.exec(`CREATE TABLE ${name} (n integer PRIMARY KEY); INSERT INTO ${name} VALUES (0)`);
      for (let i = 0; i < updates; i++) await database.exec(`UPDATE ${name} SET n = n + 1`);
    }
    const [worst, bad, good] = await dead();
    expect(worst).toBeGreaterThan(bad!);
    expect(bad).toBeGreaterThan(50);
    expect(await vacuumOne(database)).toBe('"Worst"');
    expect(await vacuumOne(database)).toBe('bad');
    expect(await dead()).toEqual([0, 0, good]);
    expect(await vacuumOne(database)).toBeNull();
    await close();
  });
});
