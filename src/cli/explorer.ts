import 'reflect-metadata';
import { type Config, parseConfig } from '../config.js';
import type { Print } from '../operator/commands.js';
import { operate } from './operate.js';
import { runProgram } from './program.js';

/**
 * Deletes the counts of the opening explorer and counts all games again: `explorer:rebuild`. Running servers help; if it is
 * stopped early, they or the next one to start finish the work.
 */

const USAGE = 'usage: npm run explorer:rebuild (for the configured database)';

/** Counts all waiting games; resolves when none is left. */
export async function count(config: Config, print: Print): Promise<void> {
  const [{ withApp }, { countAll }] = await Promise.all([
    import('./with-app.js'),
    import('../operator/commands.js'),
  ]);
  await withApp(config, (app) => countAll(app, print));
}

await runProgram(import.meta.url, USAGE, async () => {
  await operate(parseConfig({ LOG_LEVEL: 'error', ...process.env }), 'rebuild', [], (text) =>
    console.log(text),
  );
});
