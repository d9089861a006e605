import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { retry } from '../process/retry.js';
import { DatabaseRefusal } from './refusal.js';

/**
 * Two processes on one embedded database would silently destroy it. Each claims the folder by listening on a Unix
 * socket of its own in `<folder>/lock`, then looks whether any other socket there answers. The kernel closes the socket
 * of a dead process, so nothing needs cleaning up by hand; and since no two claims share a name, removing a dead socket
 * never removes a live one. On Windows, where Node has no Unix sockets, the socket is a named pipe with an empty file
 * in the folder as its marker.
 */
export interface FolderLock {
  release(): Promise<void>;
}

const TRIES = 4;
const PAUSE_MS = 100;

/** Locks the folder for this process, or throws a DatabaseRefusal within about a second. */
export async function lockFolder(
  folder: string,
  socketsOf = process.platform === 'win32' ? pipes : unixSockets,
): Promise<FolderLock> {
  await mkdir(join(folder, 'lock'), { recursive: true, mode: 0o700 });
  let other = '';
  const otherwise = () => {
    throw taken(folder, other);
  };
  // Two simultaneous claims both step back; the random pause lets one of them win the next time.
  return retry(
    async () => {
      const claim = await makeClaim(join(folder, 'lock'), socketsOf);
      const found = await claim.other();
      if (found === null) return claim;
      other = found;
      await claim.release();
      return null;
    },
    { tries: TRIES, pauseMs: PAUSE_MS, otherwise },
  );
}

interface Claim extends FolderLock {
  /** The process that holds the folder or claims it as well; null if there is none. */
  other(): Promise<string | null>;
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
  return { release, other: () => otherOn(folder, sockets, own) };
}

/** Creates and finds the sockets of a folder, by name. */
interface FolderSockets {
  listen(name: string): Promise<Server>;
  answers(name: string): Promise<boolean>;
  /** Closing the socket removes its file. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

async function unixSockets(folder: string): Promise<FolderSockets> {
  const handle = await open(folder, 'r');
  // The path of a socket may have 107 bytes at most; through /proc the folder may be at any depth.
  const base = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
  return {
    listen: (name) => listen(join(base, name)),
    answers: (name) => answers(join(base, name)),
    // The socket file disappears when the server closes.
    remove: () => Promise.resolve(),
    close: () => handle.close(),
  };
}

/** `address` maps a path to its pipe. A pipe is not a file, so a marker file is created for it. */
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

/** All pipes share one namespace, so the name of a pipe contains its path. */
const pipeOf = (path: string): string =>
  `\\\\.\\pipe\\halfmove-${createHash('sha256').update(path.toLowerCase()).digest('hex')}`;

/** The id of another process that answers, or null; removes dead sockets. */
async function otherOn(folder: string, sockets: FolderSockets, own: string): Promise<string | null> {
  const names = await readdir(folder);
  // Another process may have taken this socket for dead between its creation and its listening.
  if (!names.includes(own)) return 'unknown';
  for (const name of names.filter((other) => other !== own)) {
    if (await sockets.answers(name)) return name.split('-')[0]!;
    await unlink(join(folder, name)).catch(() => undefined);
  }
  return null;
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    // Any user who can enter the folder may connect, so that a start by another user is refused with a message as well.
    server.listen({ path, readableAll: true, writableAll: true }, () => resolve(server));
  });
}

/** Only a refused or missing socket is dead; anything else counts as an answer. */
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

const taken = (folder: string, pid: string) =>
  new DatabaseRefusal(
    `The data folder ${folder} is in use by another process (its id is ${pid}). ` +
      'Stop that one first, or give this one a folder of its own (DATA_DIR) or a PostgreSQL server (DATABASE_URL).',
  );

const unusable = (folder: string, cause: Error) =>
  new DatabaseRefusal(
    `The data folder cannot be locked: no Unix socket can be made in ${folder} (${cause.message}). ` +
      'Choose a folder on a local disk (DATA_DIR) or a PostgreSQL server (DATABASE_URL).',
    { cause },
  );
