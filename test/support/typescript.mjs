// node --import ./test/support/typescript.mjs x.ts: for child processes of tests, which run the sources as they are.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
