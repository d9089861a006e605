import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { openEmbedded } from '../../src/platform/database/embedded.js';
import { lockFolder, pipes } from '../../src/platform/database/lock.js';
import { runChild } from '../support/children.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { inFull } from '../support/scale.js';

// Long: it starts programs.

const PROGRAM = 'test/support/programs/open-database.ts';

describe('the lock of a data folder', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'halfmove-lock-'))));
  afterEach(() => rm(folder, { recursive: true }));

  test('is granted once, and again after its release', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(
      `The data folder ${folder} is in use by another process (its id is ${process.pid}).`,
    );
    await lock.release();
    await (await lockFolder(folder)).release();
    expect(await readdir(join(folder, 'lock'))).toEqual([]);
  });

  test('is granted to one of many simultaneous requests', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const given = asked.filter((each) => each.status === 'fulfilled');
    expect(given.length).toBeLessThanOrEqual(1);
    for (const { value } of given) await value.release();
  });

  test('works with named pipes, whose name is in a file of the folder, as on Windows', async () => {
    // A pipe is a system-wide name; on other systems a socket serves as well.
    const elsewhere = await mkdtemp(join(tmpdir(), 'pipes-'));
    const address = (path: string) => join(elsewhere, path.slice(-16));
    const lockByPipe = () => lockFolder(folder, (at) => pipes(at, address));
    const lock = await lockByPipe();
    await expect(lockByPipe()).rejects.toThrow('in use by another process');
    await lock.release();
    // A killed process leaves its file; nothing answers there.
    await writeFile(join(folder, 'lock', '123-0123456789ab.sock'), '');
    await (await lockByPipe()).release();
    expect(await readdir(join(folder, 'lock'))).toEqual([]);
    await rm(elsewhere, { recursive: true });
  });

  test('works in a folder whose path is too long for a socket', async () => {
    const deep = join(folder, ...Array.from({ length: 20 }, () => 'a-long-name'));
    await mkdir(deep, { recursive: true });
    const lock = await lockFolder(deep);
    await expect(lockFolder(deep)).rejects.toThrow('in use by another process');
    await lock.release();
  });
});

describe('two processes', () => {
  let place: Place;
  beforeEach(async () => (place = await embeddedPlace()));
  afterEach(() => place.remove());

  test('the second is refused with an explanation, and admitted once the first was killed', async () => {
    const first = runChild(PROGRAM, [place.dataDir]);
    await first.printed('open');
    await expect(lockFolder(place.dataDir)).rejects.toThrow('in use by another process');
    const second = await runChild(PROGRAM, [place.dataDir]).ended();
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(place.dataDir) as unknown });
    expect(second.stderr).toContain('Stop that one first');

    first.process.kill('SIGKILL');
    await first.ended();
    const third = runChild(PROGRAM, [place.dataDir]);
    await third.printed('open');
    third.process.kill('SIGKILL');
    await third.ended();
    const database = await PGlite.create(join(place.dataDir, 'db'));
    const { rows } = await database.query('SELECT key FROM idempotency_keys');
    await database.close();
    expect(rows).toHaveLength(2);
  });

  /** Resolves when this file is in a folder in which a database is being created. */
  const appears = async (file: string): Promise<void> => {
    for (const end = Date.now() + 60_000; Date.now() < end; await pause(5)) {
      const names = await readdir(place.dataDir);
      const unfinished = names.find((name) => name.startsWith('db.new-'));
      if (unfinished !== undefined && existsSync(join(place.dataDir, unfinished, file))) return;
    }
    throw new Error(`${file} does not appear`);
  };

  inFull('one killed while it created the database does not block the next', async () => {
    await rm(join(place.dataDir, 'db'), { recursive: true });
    const first = runChild(PROGRAM, [place.dataDir]);
    await appears('base');
    first.process.kill('SIGKILL');
    await first.ended();
    expect(existsSync(join(place.dataDir, 'db'))).toBe(false);
    const second = runChild(PROGRAM, [place.dataDir]);
    await second.printed('open');
    second.process.kill('SIGKILL');
    await second.ended();
    expect((await readdir(place.dataDir)).sort()).toEqual(['db', 'db.checkpoint.json', 'lock']);
  });

  test('a database that lost a part is refused, and not replaced by an empty one', async () => {
    await unlink(join(place.dataDir, 'db', 'PG_VERSION'));
    await expect(openEmbedded(place.dataDir)).rejects.toThrow('PG_VERSION is missing');
    expect(existsSync(join(place.dataDir, 'db', 'PG_VERSION'))).toBe(false);
  });
});
