import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/**
 * The embedded database runs on the main thread and can spin there forever, as on a full disk; then no timer, signal
 * handler or health check runs. A second thread notices the silence and ends the process, so that its supervisor
 * restarts it.
 */
export interface Watchdog {
  stop(): Promise<void>;
}

const BEAT_MS = 500;

// Plain text, because the file of a worker has different names in tests and when built. Silence is counted in the
// worker's own ticks: a suspended machine suspends them too, and so is not taken for a hang.
const WORKER = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const { beats, silentTicks, tickMs, message } = workerData;
let seen = -1;
let silent = 0;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  silent = now === seen ? silent + 1 : 0;
  seen = now;
  if (silent < silentTicks) return;
  try { writeSync(2, message); } finally { process.kill(process.pid, 'SIGKILL'); }
}, tickMs);
`;

/** Ends the process if the main thread is silent for this many seconds; not while a debugger is attached. */
export function startWatchdog(seconds: number): Watchdog {
  if (inspectorUrl() !== undefined) return { stop: () => Promise.resolve() };
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const tickMs = Math.min(BEAT_MS * 2, (seconds * 1000) / 2);
  const heart = setInterval(() => Atomics.add(beats, 0, 1), Math.min(BEAT_MS, tickMs / 2));
  heart.unref();
  const worker = new Worker(WORKER, {
    eval: true,
    workerData: {
      beats,
      tickMs,
      silentTicks: Math.ceil((seconds * 1000) / tickMs),
      message: lastWords(seconds),
    },
  });
  // The process can run without its watchdog.
  worker.on('error', (error) => process.stderr.write(`The watchdog has failed: ${error.message}\n`));
  worker.unref();
  const stop = async () => {
    clearInterval(heart);
    await worker.terminate();
  };
  return { stop };
}

const lastWords = (seconds: number) =>
  `halfmove: the main thread has not answered for ${seconds} seconds (a full disk makes the embedded database ` +
  'hang); the process ends itself with SIGKILL. Free some space and start it again: what was acknowledged is kept.\n';
