import { writeFileSync } from 'node:fs';

/** Loaded into the measured server: on SIGUSR2 it collects garbage and writes what is left of its heap, in bytes, to a file. */

process.on('SIGUSR2', () => {
  // Twice: the first collection may only free what lets the second one free the rest.
  globalThis.gc();
  globalThis.gc();
  writeFileSync(process.env.LIVE_HEAP_FILE, String(process.memoryUsage().heapUsed));
});
