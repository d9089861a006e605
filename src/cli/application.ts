import 'reflect-metadata';
import { parseConfig } from '../config.js';
import { operate } from './operate.js';
import { runProgram } from './program.js';

/** Suspends an application, or lets it go on: `application suspend ID`, `application resume ID`. */

const USAGE = 'usage: application suspend ID, or application resume ID';

await runProgram(import.meta.url, USAGE, async (what: string, id: string) => {
  const config = parseConfig({ LOG_LEVEL: 'silent', ...process.env });
  await operate(config, 'application', [what, id], (text) => console.log(text));
});
