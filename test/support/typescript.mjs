// node --import ./test/support/typescript.mjs x.ts: lets child processes of tests run TypeScript sources.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
