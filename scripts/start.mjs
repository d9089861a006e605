import { build } from './build.mjs';
import { checkTools, loadEnvFile, main } from './support.mjs';

/** Builds if needed, then runs the server in this process, so that signals reach it. */
await main(async () => {
  checkTools();
  await build();
  loadEnvFile();
  await import('../dist/main.js');
});
