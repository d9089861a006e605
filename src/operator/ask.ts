import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CommandName, Print } from './commands.js';

/**
 * How the operator's programs speak to the server that holds the embedded database: a socket in a folder of DATA_DIR that
 * only its owner may enter. Each line is JSON: one with the command, answered by lines of text and one end.
 */

export type Line = { readonly say: string } | { readonly end: string | null };

export const folderIn = (dataDir: string): string => join(dataDir, 'operator');
export const pathIn = (dataDir: string): string => join(folderIn(dataDir), 'socket');

/** Runs a command in the running server; false if none runs. Throws what the command is refused with. */
export async function askServer(
  dataDir: string,
  command: CommandName,
  args: readonly string[],
  print: Print,
): Promise<boolean> {
  const socket = await connected(pathIn(dataDir));
  if (socket === null) return false;
  socket.write(`${JSON.stringify({ command, args })}\n`);
  for await (const line of createInterface(socket)) {
    const said = JSON.parse(line) as Line;
    if ('say' in said) print(said.say);
    else if (said.end === null) return true;
    else throw new Error(said.end);
  }
  throw new Error('The server ended before it had answered. Look whether the command took effect.');
}

const connected = (path: string): Promise<Socket | null> =>
  new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => done(socket)).once('error', () => done(null));
  });
