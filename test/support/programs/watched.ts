// Runs under a watchdog: blocks its main thread, works without blocking, stops the watchdog and then blocks,
// or exits.
import { setTimeout as pause } from 'node:timers/promises';
import { startWatchdog } from '../../../src/platform/database/watchdog.js';

const block = (ms: number) => {
  for (const end = Date.now() + ms; Date.now() < end;);
};

const what = process.argv[2];
// One second for the program that hangs; longer for the others, which a busy machine may delay as long.
const watchdog = startWatchdog(what === 'work' ? 10 : 1);
console.log('watched');
if (what === 'block') block(60_000);
if (what === 'work') for (let i = 0; i < 120; i++) await pause(100);
if (what === 'stop') {
  await watchdog.stop();
  block(2500);
}
console.log('done');
