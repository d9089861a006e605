import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import type * as library from '../../src/fairness/library.js';

/** All that the library may use of a browser, beside the language itself. */
const GLOBALS = { crypto, TextEncoder, TextDecoder, atob, btoa };

/** The built library as a browser has it: no process, no require, no Buffer. */
export function bundled(): typeof library {
  const module = readFileSync('dist/verify.js', 'utf8');
  // Plain Node has no modules in a context, so its one export becomes the value of a script.
  const script = module.replace(/export\s*\{([^}]*)\};?\s*$/, (_, names: string) => {
    const fields = names.split(',').map((each) => each.trim().split(' as '));
    return `({${fields.map(([local, name = local]) => `${name}:${local}`).join()}})`;
  });
  return runInContext(script, createContext({ ...GLOBALS })) as typeof library;
}
