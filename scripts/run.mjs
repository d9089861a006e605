import { pathToFileURL } from 'node:url';
import { build, buildDraft } from './build.mjs';
import { UserError, checkTools, inRoot, loadEnvFile, main } from './support.mjs';

/**
 * Builds if needed, then runs another program of the project in this process:
 *
 *   node scripts/run.mjs cli/verify ARGS      dist/cli/verify.js
 *   node scripts/run.mjs bench/commit.mjs     that file, which may import from dist/
 */
await main(async () => {
  const name = process.argv[2];
  if (name === undefined) throw new UserError('Name a program, for example: node scripts/run.mjs cli/verify');
  checkTools();
  await (name === 'cli/schema' ? buildDraft() : build());
  loadEnvFile();
  const path = name.endsWith('.mjs') ? inRoot(name) : inRoot('dist', `${name}.js`);
  process.argv.splice(1, 2, path);
  await import(pathToFileURL(path).href);
});
