import 'reflect-metadata';
import { parseConfig } from '../config.js';
import { operate } from './operate.js';
import { runProgram } from './program.js';

/**
 * Aborts a game on behalf of the server's operator: `adjudicate GAME WHY`. The log of the game records it with the
 * reason, which both players can read.
 */

const USAGE = 'usage: adjudicate GAME "the reason, which both players will read"';

await runProgram(import.meta.url, USAGE, async (id: string, why: string) => {
  const config = parseConfig({ LOG_LEVEL: 'silent', ...process.env });
  await operate(config, 'adjudicate', [id, why], (text) => console.log(text));
});
