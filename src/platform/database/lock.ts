import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { retry } from '../retry.js';
import { DatabaseRefusal } from './refusal.js';

/**
 * Two processes in one embedded database silently destroy it. Each claims the folder by listening on a Unix
 * socket of its own in `<folder>/lock`, then looks whether any other socket there answers. The kernel silences
 * the socket of a process that is gone, however it went, so nothing has to be cleaned up by hand; and since no
 * two claims share a name, removing a silent one can never remove a living one. Where Node has no Unix sockets, on
 * Windows, the socket is a named pipe, and an empty file in the folder stands for it.
 */
export interface FolderLock {
  release(): Promise<void>;
}

const TRIES = 4;
const PAUSE_MS = 100;

/** Takes the folder for this process alone, or throws a DatabaseRefusal within about a second. */
export async function lockFolder(
  folder: string,
  socketsOf = process.platform === 'win32' ? pipes : unixSockets,
): Promise<FolderLock> {
  await mkdir(join(folder, 'lock'), { recursive: true, mode: 0o700 });
  const otherwise = () => {
    throw taken(folder);
  };
  // Two claims made at one moment both step back; chance lets one of them come first the next time.
  return retry(
    async () => {
      const claim = await makeClaim(join(folder, 'lock'), socketsOf);
      if (!(await claim.isContested())) return claim;
      await claim.release();
      return null;
    },
    { tries: TRIES, pauseMs: PAUSE_MS, otherwise },
  );
}

interface Claim extends FolderLock {
  isContested(): Promise<boolean>;
}

async function makeClaim(
  folder: string,
  socketsOf: (folder: string) => Promise<FolderSockets>,
): Promise<Claim> {
  const own = `${process.pid}-${randomBytes(6).toString('hex')}.sock`;
  const sockets = await socketsOf(folder);
  const server = await sockets.listen(own).catch(async (error: Error) => {
    await sockets.close();
    throw unusable(folder, error);
  });
  const release = async () => {
    await new Promise((done) => server.close(done));
    await sockets.remove(own);
    await sockets.close();
  };
  return { release, isContested: () => isContested(folder, sockets, own) };
}

/** How the sockets of a folder are reached, by their names. */
interface FolderSockets {
  listen(name: string): Promise<Server>;
  answers(name: string): Promise<boolean>;
  /** What stands for a socket in the folder goes with it. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

async function unixSockets(folder: string): Promise<FolderSockets> {
  const handle = await open(folder, 'r');
  // A socket's path may have 107 bytes at most; through /proc the folder may lie as deep as it likes.
  const base = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
  return {
    listen: (name) => listen(join(base, name)),
    answers: (name) => answers(join(base, name)),
    // The socket goes when the server closes.
    remove: () => Promise.resolve(),
    close: () => handle.close(),
  };
}

/** `address` says where the pipe of a path is; a pipe is no file, so a file is made to be found by. */
export function pipes(folder: string, address = pipeOf): Promise<FolderSockets> {
  const at = (name: string) => address(resolve(folder, name));
  return Promise.resolve({
    listen: async (name) => {
      const server = await listen(at(name));
      await writeFile(join(folder, name), '');
      return server;
    },
    answers: (name) => answers(at(name)),
    remove: (name) => unlink(join(folder, name)).catch(() => undefined),
    close: () => Promise.resolve(),
  });
}

/** All pipes share one folder, so that the name of one says which path it is for. */
const pipeOf = (path: string): string =>
  `\\\\.\\pipe\\halfmove-${createHash('sha256').update(path.toLowerCase()).digest('hex')}`;

/** Whether another process answers; removes the sockets that are silent. */
async function isContested(folder: string, sockets: FolderSockets, own: string): Promise<boolean> {
  const names = await readdir(folder);
  // Another may have taken this one for silent, in the instant between its making and its listening.
  if (!names.includes(own)) return true;
  for (const name of names.filter((other) => other !== own)) {
    if (await sockets.answers(name)) return true;
    await unlink(join(folder, name)).catch(() => undefined);
  }
  return false;
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    // Whoever may enter the folder may ask: a start by another user is refused in words as well.
    server.listen({ path, readableAll: true, writableAll: true }, () => resolve(server));
  });
}

/** Only a refused or vanished socket is silent: any doubt counts as an answer. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => socket.destroy());
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
    socket.once('close', (failed) => failed || resolve(true));
  });
}

const taken = (folder: string) =>
  new DatabaseRefusal(
    `The data folder ${folder} is in use by another process. ` +
      'Stop that one first, or give this one a folder of its own (DATA_DIR) or a PostgreSQL server (DATABASE_URL).',
  );

const unusable = (folder: string, cause: Error) =>
  new DatabaseRefusal(
    `The data folder cannot be locked: no Unix socket can be made in ${folder} (${cause.message}). ` +
      'Choose a folder on a local disk (DATA_DIR) or a PostgreSQL server (DATABASE_URL).',
    { cause },
  );
