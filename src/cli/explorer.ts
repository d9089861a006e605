import 'reflect-metadata';
import { realpathSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from '../app.js';
import { type Config, parseConfig } from '../config.js';
import { ExplorerCounter } from '../features/openings/explorer.counter.js';
import { openDatabase } from '../platform/database/database.js';

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
  withCounter(config, async (counter) => {
    await counter.reset();
    await countAll(counter, print);
  });

/** Counts the games that wait for it; resolves when none does. */
export const count = (config: Config, print: Print): Promise<void> =>
  withCounter(config, (counter) => countAll(counter, print));

/** The application is made and not started: nothing else in it goes to work. */
async function withCounter(config: Config, work: (counter: ExplorerCounter) => Promise<void>): Promise<void> {
  const app = await createApp(config, await openDatabase(config, () => undefined));
  app.enableShutdownHooks([], { useProcessExit: true });
  try {
    await work(app.get(ExplorerCounter));
  } finally {
    await app.close();
  }
}

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

const [, startedAs, ...args] = process.argv;
if (startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(import.meta.url)) {
  if (args.length > 0) {
    console.error(USAGE);
    process.exitCode = 2;
  } else {
    const config = parseConfig({ LOG_LEVEL: 'error', ...process.env });
    await rebuild(config, (text) => console.log(text)).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error));
      process.exitCode = 1;
    });
  }
}
