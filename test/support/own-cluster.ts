import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openServerSession } from '../../src/platform/database/session.js';

/** A PostgreSQL server of a test's own, for settings that concern the whole server. */
export interface Cluster {
  readonly url: string;
  /** Runs statements as its superuser. */
  run(script: string): Promise<void>;
  stop(): Promise<void>;
}

const said = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { encoding: 'utf8' }).trim();

/** Whether the programs of PostgreSQL's server are installed here. */
export const hasPrograms = ((): boolean => {
  try {
    return existsSync(join(said('pg_config', '--bindir'), 'initdb'));
  } catch {
    return false;
  }
})();

/** PostgreSQL does not run as root. */
const user = () =>
  process.getuid?.() === 0
    ? { uid: Number(said('id', '-u', 'postgres')), gid: Number(said('id', '-g', 'postgres')) }
    : {};

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function startCluster(): Promise<Cluster> {
  const as = user();
  const bin = said('pg_config', '--bindir');
  // The temporary folder of a test run is closed to the user of PostgreSQL.
  const folder = await mkdtemp('/tmp/halfmove-cluster-');
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const options = { ...as, cwd: folder, stdio: 'ignore' } as const;
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], options);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
  ];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...settings.flatMap((each) => ['-c', each])],
    options,
  );
  const ended = once(server, 'close');
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const run = async (script: string) => {
    const session = await openServerSession(url, 'halfmove tests');
    // One statement at a time: some must not run in a transaction.
    for (const statement of script.split(';')) await session.run(statement);
    await session.close();
  };
  for (let tries = 0; ; tries++) {
    const isUp = await run('SELECT 1').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (tries === 200) throw new Error('The cluster does not start');
    await pause(50);
  }
  const stop = async () => {
    server.kill('SIGQUIT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url, run, stop };
}
