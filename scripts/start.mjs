import { build } from './build.mjs';
import { checkTools, loadEnvFile, main } from './support.mjs';

/** Builds if needed, then becomes the server: the same process, so signals reach it. */
await main(async () => {
  checkTools();
  await build();
  loadEnvFile();
  await import('../dist/main.js');
});
