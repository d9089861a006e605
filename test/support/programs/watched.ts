// Under a watchdog: blocks its main thread, works on without blocking, stops it and blocks, or ends.
import { setTimeout as pause } from 'node:timers/promises';
import { startWatchdog } from '../../../src/platform/database/watchdog.js';

const block = (ms: number) => {
  for (const end = Date.now() + ms; Date.now() < end;);
};

const what = process.argv[2];
// A second is for what hangs: on a busy machine what works may be held up as long.
const watchdog = startWatchdog(what === 'work' ? 10 : 1);
console.log('watched');
if (what === 'block') block(60_000);
if (what === 'work') for (let i = 0; i < 120; i++) await pause(100);
if (what === 'stop') {
  await watchdog.stop();
  block(2500);
}
console.log('done');
