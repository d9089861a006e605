import { cp, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { restApi } from '../support/api.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { inFull, onEmbedded } from '../support/scale.js';
import {
  endAllServers,
  type ServerProcess,
  spawnServer,
  startServerProcess,
} from '../support/server-process.js';

/** A loss of database files, by a power cut or by hand, is noticed, and never answered with an empty database. */
// Long: it starts programs.

const SEGMENT = 16 * 1024 * 1024;

onEmbedded('an embedded database with lost data', () => {
  let place: Place;
  let server: ServerProcess;
  let ann: Person;

  beforeEach(async () => {
    place = await embeddedPlace('empty');
  });
  afterEach(async () => {
    await endAllServers();
    await place.remove();
  });

  const at = (...path: string[]) => join(place.dataDir, ...path);
  const start = (more = {}) => startServerProcess({ DATA_DIR: place.dataDir, ...more });
  const refusal = async (): Promise<string> => {
    const starting = spawnServer({ DATA_DIR: place.dataDir });
    while (starting.isAlive()) await pause(20);
    return starting.said();
  };
  /** Half of what the marker records as written in its segment of the log. */
  const offsetIn = (text: string): number => {
    const { position } = JSON.parse(text) as { readonly position: string };
    return Math.floor((Number.parseInt(position.split('/')[1]!, 16) % SEGMENT) / 2);
  };
  const marker = () => readFile(at('db.checkpoint.json'), 'utf8');

  const played = async (): Promise<void> => {
    server = await start({ CHECKPOINT_SECONDS: '1' });
    ann = await register(server.url, 'ann');
  };

  test('is refused with an explanation if the last segment of the log was cut', async () => {
    await played();
    await server.end('SIGKILL');
    const names = (await readdir(at('db', 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name));
    const written = await Promise.all(
      names.map(async (name) => (await stat(at('db', 'pg_wal', name))).mtimeMs),
    );
    // The segments after it are prepared for later, and still empty.
    const last = names[written.indexOf(Math.max(...written))]!;
    // As after a power cut: the file has its full length, but its end was never written.
    const path = at('db', 'pg_wal', last);
    const { size } = await stat(path);
    await truncate(path, offsetIn(await marker()));
    await truncate(path, size);
    const said = await refusal();
    expect(said).toMatch(/cannot be opened|older than it was/);
    expect(said).toContain('backup');
  });

  inFull('is refused if it is older than recorded, with what to do', async () => {
    await played();
    await server.end('SIGTERM');
    await cp(at('db'), at('db.old'), { recursive: true });
    const before = await marker();
    server = await start({ CHECKPOINT_SECONDS: '1' });
    await register(server.url, 'ben');
    while ((await marker()) === before) await pause(20);
    await server.end('SIGKILL');
    await rm(at('db'), { recursive: true });
    await rename(at('db.old'), at('db'));
    const said = await refusal();
    expect(said).toMatch(/is gone, or older than it was .*Restore the whole data folder from one backup/s);
    expect(said).toContain('db.checkpoint.json');
    // An operator who is sure can continue.
    await rm(at('db.checkpoint.json'));
    server = await start();
    expect((await restApi(server.url).user(null, ann.username)).data).toMatchObject({ id: ann.id });
  });

  inFull('is refused if it is missing or another one', async () => {
    await played();
    await server.end('SIGTERM');
    await rename(at('db'), at('db.away'));
    expect(await refusal()).toContain('is gone, or older than it was');
    const other = await embeddedPlace();
    await cp(join(other.dataDir, 'db'), at('db'), { recursive: true });
    await other.remove();
    expect(await refusal()).toContain('is gone, or older than it was');
    await rm(at('db'), { recursive: true });
    await rename(at('db.away'), at('db'));
    server = await start();
    expect((await restApi(server.url).user(null, ann.username)).data).toMatchObject({ id: ann.id });
  });

  inFull('loses nothing by the end of the process, and updates its marker while running', async () => {
    await played();
    const before = await marker();
    const ben = await register(server.url, 'ben');
    while ((await marker()) === before) await pause(20);
    const cid = await register(server.url, 'cid');
    await server.end('SIGKILL');
    server = await start();
    for (const { username, id } of [ann, ben, cid]) {
      expect((await restApi(server.url).user(null, username)).data).toMatchObject({ id });
    }
  });
});
