import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openServerSession } from '../../src/platform/database/session.js';
import { onServer } from './scale.js';

/** PostgreSQL clusters of a test's own, with standbys that take over, and one address for whoever is the primary. */

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';
/** Replication does not need the disk, and the machine is not cut off from power. */
const QUICK = ['fsync=off', 'full_page_writes=off', 'listen_addresses=127.0.0.1', 'shared_buffers=32MB'];

/** Where the programs of PostgreSQL are; null without an installed server. */
export function postgresPrograms(): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const folders = [...(process.env['PATH'] ?? '').split(':'), ...debian.reverse()];
  return folders.find((folder) => existsSync(join(folder, 'pg_basebackup')) && existsSync(join(folder, 'initdb'))) ?? null; // prettier-ignore
}

/** For tests that need a cluster of their own; the title of a skipped one says why. */
export const onClusters = (title: string, tests: () => void, program?: string): void => {
  const missing = [
    ...(postgresPrograms() === null ? ['initdb and pg_basebackup'] : []),
    ...(program !== undefined && !existsSync(program) ? [program] : []),
  ];
  if (missing.length > 0) describe.skip(`${title} (not installed: ${missing.join(', ')})`, tests);
  else onServer(title, tests);
};

/** PostgreSQL refuses to run as root. */
export function postgresOwner(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid!() !== 0) return {};
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))![0].split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Ports that were given: one that is not used yet would be free again. */
const given = new Set<number>();

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  if (given.has(port)) return freePort();
  given.add(port);
  return port;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-cluster-'));
  const { uid, gid } = postgresOwner();
  if (uid === undefined) return folder;
  chownSync(folder, uid, gid);
  // The folder of the run is closed to others.
  chmodSync(tmpdir(), statSync(tmpdir()).mode | 0o011);
  return folder;
}

const call = (program: string, args: readonly string[]) =>
  run(join(postgresPrograms()!, program), args, { ...postgresOwner(), cwd: '/' });

export class Cluster {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly process: ChildProcess,
  ) {}

  static async primary(): Promise<Cluster> {
    const folder = newFolder();
    await call('initdb', ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
    return Cluster.start(folder);
  }

  /** A standby that follows this cluster. */
  async standby(): Promise<Cluster> {
    const folder = newFolder();
    await call('pg_basebackup', ['-D', folder, '-h', '127.0.0.1', '-p', `${this.port}`, '-U', 'postgres', '-R', '-c', 'fast', '--no-sync']); // prettier-ignore
    return Cluster.start(folder);
  }

  private static async start(folder: string): Promise<Cluster> {
    const port = await freePort();
    const options = QUICK.flatMap((option) => ['-c', option]);
    const child = spawn(join(postgresPrograms()!, 'postgres'), ['-D', folder, '-p', `${port}`, '-k', folder, ...options], { ...postgresOwner(), cwd: '/', stdio: 'ignore' }); // prettier-ignore
    const cluster = new Cluster(folder, port, child);
    while (!(await cluster.run('SELECT 1').then(() => true, () => false))) await pause(50); // prettier-ignore
    return cluster;
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const session = await openServerSession(this.url, 'halfmove tests');
    return session.query<Row>(sql).finally(() => session.close());
  }

  async run(sql: string): Promise<void> {
    await this.query(sql);
  }

  /** Acknowledges commits only when the standby has them, or at once. */
  async synchronize(isOn: boolean): Promise<void> {
    await this.run(`ALTER SYSTEM SET synchronous_standby_names = '${isOn ? '*' : ''}'`);
    await this.run('SELECT pg_reload_conf()');
    const state = isOn ? "sync_state = 'sync'" : "sync_state = 'async'";
    const ready = () =>
      this.query(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND ${state}`);
    while ((await ready()).length === 0) await pause(50);
  }

  /** Makes a standby receive nothing more. */
  async detach(): Promise<void> {
    await this.run("ALTER SYSTEM SET primary_conninfo = ''");
    await this.run('SELECT pg_reload_conf()');
    while ((await this.query('SELECT 1 FROM pg_stat_wal_receiver')).length > 0) await pause(50);
  }

  /** Makes a standby the primary, on a timeline of its own. */
  async promote(): Promise<void> {
    await this.run('SELECT pg_promote()');
    await this.run('CHECKPOINT');
  }

  /** Stops at once, as if the machine were gone. */
  async kill(): Promise<void> {
    if (this.process.exitCode !== null) return;
    this.process.kill('SIGQUIT');
    await once(this.process, 'exit');
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One address for one cluster after the other. */
export interface Switch {
  readonly port: number;
  /** Connections from now on go to this port; those to another one break. */
  to(port: number): void;
  close(): void;
}

export async function startSwitch(first: number): Promise<Switch> {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      // prettier-ignore
      sockets.add(socket.setNoDelay(true));
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    to: (port) => {
      target = port;
      cut();
    },
    close: () => {
      server.close();
      cut();
    },
  };
}
