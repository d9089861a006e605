import 'reflect-metadata';
import { parseConfig, type Config } from '../config.js';
import { GamesService } from '../features/games/games.service.js';
import { runProgram } from './program.js';
import { withApp } from './with-app.js';

/**
 * Aborts a game on behalf of the server's operator: `adjudicate GAME WHY`. The log of the game records it with the
 * reason, which both players can read.
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
