import { writeSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';

const TICK_MS = 1000;

/**
 * Calls `onSilence` if something is waited for this many seconds; not while a debugger is attached. `progress` is a
 * number that changes, or null while nothing is waited for. Silence is counted in ticks: a suspended machine suspends
 * them too, and so is not taken for a hang. Returns a function that stops it.
 */
export function startWatchdog(
  seconds: number,
  progress: () => number | null,
  onSilence: () => void,
): () => void {
  if (inspectorUrl() !== undefined) return () => undefined;
  const tickMs = Math.min(TICK_MS, (seconds * 1000) / 2);
  let seen: number | null = null;
  let silent = 0;
  const timer = setInterval(() => {
    const now = progress();
    silent = now !== null && now === seen ? silent + 1 : 0;
    seen = now;
    if (silent * tickMs >= seconds * 1000) onSilence();
  }, tickMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Ends the process at once, so that its supervisor starts it again: nothing can be stored any more, and what was
 * acknowledged is kept.
 */
export function endProcess(why: string): never {
  try {
    writeSync(2, `halfmove: ${why}; the process ends itself with SIGKILL.\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
  throw new Error(why);
}
