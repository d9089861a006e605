import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { restApi } from '../support/api.js';
import { freePort } from '../support/clusters.js';
import { openPlace, type Place, serverPlace } from '../support/databases.js';
import { register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer } from '../support/scale.js';
import { startServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** PostgreSQL behind PgBouncer, which lends connections by session or by transaction. */

const PGBOUNCER = '/usr/sbin/pgbouncer';

const isThere = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });

onServer('behind PgBouncer', () => {
  let place: Place;
  let folder: string;
  let pooler: ChildProcess | null = null;
  beforeEach(async () => {
    place = await serverPlace();
    // The temporary folder of a test run is closed to other users, and PgBouncer does not run as root.
    folder = await mkdtemp('/tmp/halfmove-pooler-');
    await chmod(folder, 0o755);
  });
  afterEach(async () => {
    pooler?.kill('SIGKILL');
    await rm(folder, { recursive: true });
    await place.remove();
  });

  async function poolerOf(mode: string): Promise<string> {
    const { hostname, port, username, pathname } = new URL(place.databaseUrl!);
    const own = await freePort();
    const [users, settings] = [join(folder, 'users'), join(folder, 'settings')];
    await writeFile(users, `"${username}" ""\n`);
    await writeFile(
      settings,
      `[databases]\n* = host=${hostname} port=${port || 5432}\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${own}
       pool_mode=${mode}\nauth_type=trust\nauth_file=${users}\nunix_socket_dir=\nserver_check_query=\n`.replace(
        /^ +/gm,
        '',
      ),
    );
    const as = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'])) } : {};
    pooler = spawn(PGBOUNCER, [settings], { ...as, stdio: 'ignore' });
    while (!(await isThere(own))) await pause(20);
    return `postgresql://${username}@127.0.0.1:${own}${pathname}`;
  }

  const test = existsSync(PGBOUNCER) ? it : it.skip;
  const why = existsSync(PGBOUNCER) ? '' : ' (skipped: pgbouncer is not installed)';

  test(`a server is refused in words where it lends connections by transaction${why}`, async () => {
    const databaseUrl = await poolerOf('transaction');
    await expect(openPlace({ ...place, databaseUrl })).rejects.toThrow(/pool_mode=session/);
  });

  test(`a server plays where it lends them by session${why}`, async () => {
    const server = await startServer({ DATABASE_URL: await poolerOf('session') }, place);
    const [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
    const api = restApi(server.http);
    const { id } = await begin(api, ann, ben);
    for (const [ply, move] of ['e2e4', 'e7e5', 'g1f3', 'b8c6'].entries())
      must(await api.makeMove(ply % 2 === 0 ? ann : ben, id, ply + 1, move));
    await server.close();
  });
});
