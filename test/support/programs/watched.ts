// Under a watchdog of one second: blocks its main thread, works on without blocking, stops it and blocks, or ends.
import { setTimeout as pause } from 'node:timers/promises';
import { startWatchdog } from '../../../src/platform/database/watchdog.js';

const block = (ms: number) => {
  for (const end = Date.now() + ms; Date.now() < end;);
};

const watchdog = startWatchdog(1);
const what = process.argv[2];
if (what === 'block') block(60_000);
if (what === 'work') for (let i = 0; i < 30; i++) await pause(100);
if (what === 'stop') {
  await watchdog.stop();
  block(2500);
}
console.log('done');
