import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../../src/platform/database/embedded.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { onEmbedded } from '../support/scale.js';

/** The marker beside the embedded database, which records how much of it is on the disk. */
// Long: it opens many databases.

onEmbedded('the marker of an embedded database', () => {
  let place: Place;
  beforeEach(async () => (place = await embeddedPlace('bare')));
  afterEach(() => place.remove());

  const at = (name: string) => join(place.dataDir, name);

  /** Opens it, writes, flushes it to the disk and closes it. */
  async function written(): Promise<void> {
    const { database, checkpoint, close } = await openEmbedded(place.dataDir);
    await database.exec(
      'CREATE TABLE IF NOT EXISTS t (n integer); INSERT INTO t SELECT generate_series(1, 1000)',
    );
    await checkpoint();
    await close();
  }

  const rows = async (): Promise<number> => {
    const { database, close } = await openEmbedded(place.dataDir);
    const counted = await database.query<{ n: number }>('SELECT count(*)::integer AS n FROM t');
    await close();
    return counted.rows[0]!.n;
  };

  test('allows opening it again, however often', async () => {
    await written();
    await written();
    expect(await rows()).toBe(2000);
  });

  test('refuses an older, missing or other database; without the marker they are accepted', async () => {
    await written();
    await cp(at('db'), at('older'), { recursive: true });
    await written();
    await rename(at('db'), at('right'));
    await expect(rows()).rejects.toThrow('is gone, or older than it was');
    await rename(at('older'), at('db'));
    await expect(rows()).rejects.toThrow('is gone, or older than it was');
    const other = await embeddedPlace('migrated');
    await rename(at('db'), at('older'));
    await rename(join(other.dataDir, 'db'), at('db'));
    await other.remove();
    // As far or further, but not the same database.
    await expect(rows()).rejects.toThrow('is gone, or older than it was');
    await rm(at('db'), { recursive: true });
    await rename(at('right'), at('db'));
    expect(await rows()).toBe(2000);
    await rm(at('db'), { recursive: true });
    await rename(at('older'), at('db'));
    await rm(at('db.checkpoint.json'));
    expect(await rows()).toBe(1000);
  });
});
