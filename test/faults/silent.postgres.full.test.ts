import { openPool } from '../../src/platform/database/server.js';
import { restApi } from '../support/api.js';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { type Place, serverPlace } from '../support/databases.js';
import { register } from '../support/people.js';
import { inFull, onServer } from '../support/scale.js';
import { endAllServers, startServerProcess } from '../support/server-process.js';

/** The database goes silent: its connections stay open, and nothing is answered. */

onServer('a database that has gone silent', () => {
  let place: Place;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    place = await serverPlace();
    proxy = await startCuttingProxy(place.databaseUrl!);
  });
  afterAll(async () => {
    await endAllServers();
    await proxy.close();
    await place.remove();
  });

  inFull('each read is refused within eight seconds, also one that waits behind another', async () => {
    const { url } = await startServerProcess({
      DATABASE_URL: proxy.url,
      LOG_LEVEL: 'fatal',
      DATA_DIR: place.dataDir,
    });
    const people = await Promise.all(['ann', 'ben'].map((name) => register(url, name)));
    proxy.arm(
      /./,
      Array.from({ length: 1000 }, () => 'swallowed' as const),
    );
    const begun = Date.now();
    const read = async (n: number) => {
      const { status } = await restApi(url).user(null, people[n]!.username);
      return { status, isSoon: Date.now() - begun < 8_000 };
    };
    const first = read(0);
    while (proxy.made() === 0) await new Promise(setImmediate);
    const refused = { status: 503, isSoon: true };
    expect(await Promise.all([first, read(1)])).toEqual([refused, refused]);
  });

  inFull('a statement that is only slow is waited for', async () => {
    const pool = openPool({ databaseUrl: place.databaseUrl!, databasePool: 1, onLoss: () => undefined });
    try {
      const { rowCount } = await pool.query('SELECT pg_sleep(5.5)');
      expect(rowCount).toBe(1);
    } finally {
      await pool.end();
    }
  });
});
