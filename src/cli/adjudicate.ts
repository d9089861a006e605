import 'reflect-metadata';
import { parseConfig, type Config } from '../config.js';
import { GamesService } from '../features/games/games.service.js';
import { runProgram } from './program.js';
import { withApp } from './with-app.js';

/**
 * Calls a game off in the name of whoever runs the server: `adjudicate GAME WHY`. The log of the game says so, with
 * the reason, for both players to read.
 */

const USAGE = 'usage: adjudicate GAME "the reason, which both players will read"';

export const adjudicate = (id: string, why: string, config: Config): Promise<string> =>
  withApp(config, async (app) => {
    await app.init();
    const { status, plyCount } = await app.get(GamesService).adjudicate(id, why);
    return `Game ${id} is ${status} after ply ${plyCount}.`;
  });

await runProgram(import.meta.url, USAGE, async (id: string, why: string) => {
  console.log(await adjudicate(id, why, parseConfig({ LOG_LEVEL: 'silent', ...process.env })));
});
