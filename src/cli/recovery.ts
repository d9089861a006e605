import 'reflect-metadata';
import { parseConfig } from '../config.js';
import { operate } from './operate.js';
import { runProgram } from './program.js';

/** Makes a link by which a user who has forgotten the password chooses a new one: `recovery USERNAME`. */

const USAGE = 'usage: recovery USERNAME (prints a link that works once, for an hour)';

await runProgram(import.meta.url, USAGE, async (username: string) => {
  const config = parseConfig({ LOG_LEVEL: 'silent', ...process.env });
  await operate(config, 'recovery', [username], (text) => console.log(text));
});
