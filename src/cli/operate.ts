import type { Config } from '../config.js';
import { askServer } from '../operator/ask.js';
import type { CommandName, Print } from '../operator/commands.js';

/** Runs a command of the operator: in the server that holds the embedded database, if one runs, else in this process. */
export async function operate(
  config: Config,
  command: CommandName,
  args: readonly string[],
  print: Print,
): Promise<void> {
  if (config.databaseUrl === null && (await askServer(config.dataDir, command, args, print))) return;
  // Only now: all of the application takes seconds to load.
  const [{ withApp }, { run }] = await Promise.all([
    import('./with-app.js'),
    import('../operator/commands.js'),
  ]);
  await withApp(config, (app) => run(app, command, args, print));
}
