import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { type Config, parseConfig } from '../config.js';
import { ExplorerCounter } from '../features/openings/explorer.counter.js';
import { runProgram } from './program.js';
import { withApp } from './with-app.js';

/**
 * Deletes the counts of the opening explorer and counts all games again: `explorer:rebuild`. Running servers help; if it is
 * stopped early, they or the next one to start finish the work.
 */

const USAGE = 'usage: npm run explorer:rebuild (for the configured database)';

const TOLD_EVERY = 10_000;
/** The pause before checking again for games that another process has locked. */
const LEFT_PAUSE_MS = 200;

type Print = (text: string) => void;

/** Counts all games again; resolves when all are counted. */
export const rebuild = (config: Config, print: Print): Promise<void> =>
  withApp(config, async (app) => {
    await app.get(ExplorerCounter).reset();
    await countAll(app.get(ExplorerCounter), print);
  });

/** Counts all waiting games; resolves when none is left. */
export const count = (config: Config, print: Print): Promise<void> =>
  withApp(config, (app) => countAll(app.get(ExplorerCounter), print));

async function countAll(counter: ExplorerCounter, print: Print): Promise<void> {
  const total = await counter.waiting();
  print(`${total} games to count.`);
  let counted = 0;
  const onBatch = (games: number) => {
    const before = counted;
    counted += games;
    if (Math.floor(counted / TOLD_EVERY) > Math.floor(before / TOLD_EVERY)) print(`${counted} counted.`);
  };
  for (;;) {
    await counter.count(onBatch);
    if ((await counter.waiting()) === 0) break;
    await pause(LEFT_PAUSE_MS);
  }
  print('All games are counted.');
}

await runProgram(import.meta.url, USAGE, async () => {
  await rebuild(parseConfig({ LOG_LEVEL: 'error', ...process.env }), (text) => console.log(text));
});
