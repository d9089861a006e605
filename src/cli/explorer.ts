import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { type Config, parseConfig } from '../config.js';
import { ExplorerCounter } from '../features/openings/explorer.counter.js';
import { runProgram } from './program.js';
import { withApp } from './with-app.js';

/**
 * Forgets what the explorer has counted, and counts all games anew: `explorer:rebuild`. Servers that run meanwhile help;
 * when it is ended early, they, or the next one that starts, do the rest.
 */

const USAGE = 'usage: npm run explorer:rebuild (of the database that the configuration names)';

const TOLD_EVERY = 10_000;
/** What is left then another process has in hand. */
const LEFT_PAUSE_MS = 200;

type Print = (text: string) => void;

/** Counts all games anew; resolves when all are. */
export const rebuild = (config: Config, print: Print): Promise<void> =>
  withApp(config, async (app) => {
    await app.get(ExplorerCounter).reset();
    await countAll(app.get(ExplorerCounter), print);
  });

/** Counts the games that wait for it; resolves when none does. */
export const count = (config: Config, print: Print): Promise<void> =>
  withApp(config, (app) => countAll(app.get(ExplorerCounter), print));

async function countAll(counter: ExplorerCounter, print: Print): Promise<void> {
  const total = await counter.waiting();
  print(`${total} games to count.`);
  let counted = 0;
  const told = (games: number) => {
    const before = counted;
    counted += games;
    if (Math.floor(counted / TOLD_EVERY) > Math.floor(before / TOLD_EVERY)) print(`${counted} counted.`);
  };
  for (;;) {
    await counter.count(told);
    if ((await counter.waiting()) === 0) break;
    await pause(LEFT_PAUSE_MS);
  }
  print('All games are counted.');
}

await runProgram(import.meta.url, USAGE, async () => {
  await rebuild(parseConfig({ LOG_LEVEL: 'error', ...process.env }), (text) => console.log(text));
});
