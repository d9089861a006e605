import 'reflect-metadata';
import { parseConfig } from '../config.js';
import { operate } from './operate.js';
import { runProgram } from './program.js';

/** Registers applications, gives them owners, suspends them and lets them go on. */

const USAGE = `usage: application register USERNAME NAME URL   registers one for a person; prints its id and secret, once
       application owner ID USERNAME           makes a person an owner
       application suspend ID, application resume ID`;

const TAKES = new Map([['register', 3], ['owner', 2], ['suspend', 1], ['resume', 1]]); // prettier-ignore

await runProgram(
  import.meta.url,
  USAGE,
  async (...args: string[]) => {
    const config = parseConfig({ LOG_LEVEL: 'silent', ...process.env });
    await operate(config, 'application', args, (text) => console.log(text));
  },
  ([what = '', ...args]) => TAKES.get(what) === args.length,
);
