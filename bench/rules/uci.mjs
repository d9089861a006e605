import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The path of a program on the PATH or in /usr/games, or null if it is not installed. */
function find(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/games'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** A UCI engine controlled through pipes, started once, or null if it is not installed. */
export async function startEngine(name, options = {}) {
  const path = find(name);
  if (path === null) return null;
  const child = spawn(path, [], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (waiting[0]?.pattern.test(line)) waiting.shift().resolve(line);
  });
  const send = (text) => child.stdin.write(`${text}\n`);
  const ask = (text, pattern) =>
    new Promise((resolve) => {
      waiting.push({ pattern, resolve });
      send(text);
    });
  await ask('uci', /^uciok/);
  for (const [option, value] of Object.entries(options)) send(`setoption name ${option} value ${value}`);
  return {
    variant: (variant) => send(`setoption name UCI_Variant value ${variant}`),
    /** Counts the leaves at this depth. */
    perft: async (fen, depth) => {
      send(`position fen ${fen}`);
      const line = await ask(`go perft ${depth}`, /^Nodes searched/);
      return Number(line.split(':')[1]);
    },
    quit: () => send('quit'),
  };
}
