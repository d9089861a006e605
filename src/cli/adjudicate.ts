import 'reflect-metadata';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createApp } from '../app.js';
import { parseConfig, type Config } from '../config.js';
import { openDatabase } from '../platform/database/database.js';
import { GamesService } from '../features/games/games.service.js';

/**
 * Calls a game off in the name of whoever runs the server: `adjudicate GAME WHY`. The log of the game says so, with
 * the reason, for both players to read.
 */

const USAGE = 'usage: adjudicate GAME "the reason, which both players will read"';

export async function adjudicate(id: string, why: string, config: Config): Promise<string> {
  const app = await createApp(config, await openDatabase(config, () => undefined));
  try {
    await app.init();
    const { status, plyCount } = await app.get(GamesService).adjudicate(id, why);
    return `Game ${id} is ${status} after ply ${plyCount}.`;
  } finally {
    await app.close();
  }
}

const [, startedAs, id, why, ...more] = process.argv;
if (startedAs !== undefined && realpathSync(startedAs) === fileURLToPath(import.meta.url)) {
  if (id === undefined || why === undefined || more.length > 0) {
    console.error(USAGE);
    process.exitCode = 2;
  } else {
    const config = parseConfig({ LOG_LEVEL: 'silent', ...process.env });
    await adjudicate(id, why, config).then(
      (text) => console.log(text),
      (error: unknown) => {
        console.error(error instanceof Error ? error.message : String(error));
        process.exitCode = 1;
      },
    );
  }
}
