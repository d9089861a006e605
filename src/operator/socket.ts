import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { INestApplicationContext } from '@nestjs/common';
import { folderIn, type Line, pathIn } from './ask.js';
import { COMMANDS, type CommandName, run } from './commands.js';

/** Opens the socket; null where the path is too long for one. */
export async function openOperatorSocket(
  app: INestApplicationContext,
  dataDir: string,
): Promise<Server | null> {
  const folder = folderIn(dataDir);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o700);
  // Of a server that was killed: the lock of the folder says that there is no other.
  await rm(pathIn(dataDir), { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    createInterface(socket).once('line', (line) => void answer(app, line, socket));
  });
  return new Promise((opened) => {
    server.once('error', () => opened(null));
    server.listen(pathIn(dataDir), () => opened(server));
  });
}

async function answer(app: INestApplicationContext, line: string, socket: Socket): Promise<void> {
  const send = (said: Line) => socket.write(`${JSON.stringify(said)}\n`);
  try {
    const { command, args } = JSON.parse(line) as { command: CommandName; args: string[] };
    if (!Object.hasOwn(COMMANDS, command))
      throw new Error(`The running server knows no command ${command}. Restart it.`);
    await run(app, command, args, (say) => send({ say }));
    send({ end: null });
  } catch (error) {
    send({ end: error instanceof Error ? error.message : String(error) });
  }
  socket.end();
}
