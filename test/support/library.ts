import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import type * as library from '../../src/fairness/library.js';

/** The browser globals that the library may use, in addition to the language itself. */
const GLOBALS = { crypto, TextEncoder, TextDecoder, atob, btoa };

/** The built library in a browser-like context: no process, no require, no Buffer. */
export function bundled(): typeof library {
  const module = readFileSync('dist/verify.js', 'utf8');
  // Node's vm contexts do not support modules without a flag, so the export becomes the value of a script. Licences follow it.
  const script = module.replace(/export\s*\{([^}]*)\};?\s*(?:\/\*[^]*\*\/\s*)?$/, (_, names: string) => {
    const fields = names.split(',').map((each) => each.trim().split(' as '));
    return `({${fields.map(([local, name = local]) => `${name}:${local}`).join()}})`;
  });
  return runInContext(script, createContext({ ...GLOBALS })) as typeof library;
}
