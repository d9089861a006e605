import { build } from './build.mjs';
import { checkTools, loadEnvFile, main } from './support.mjs';

/**
 * npm passes a signal to its shell, which ends without passing it on: the server ends with the shell. The id of the parent
 * changes only where it can end first; under a service manager or in a container the server runs without npm.
 */
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 250).unref();
}

/** Builds if needed, then runs the server in this process, so that signals reach it. */
await main(async () => {
  endWithNpm();
  checkTools();
  await build();
  loadEnvFile();
  await import('../dist/main.js');
});
