/**
 * Fairy-Stockfish as a library. On loading, it takes over console.log to print what it loads, installs a
 * handler for uncaught errors that prints its own source, and assumes a browser if there is a global fetch.
 * This module undoes all three.
 */
async function load() {
  const { log, warn } = console;
  const { fetch } = globalThis;
  const listeners = ['uncaughtException', 'unhandledRejection'].map((event) => [
    event,
    process.listeners(event),
  ]);
  Object.assign(console, { log: () => {}, warn: () => {} });
  delete globalThis.fetch;
  const { default: ffish } = await import('ffish');
  Object.assign(console, { log, warn });
  globalThis.fetch = fetch;
  if (!ffish.calledRun) await new Promise((resolve) => (ffish.onRuntimeInitialized = resolve));
  for (const [event, before] of listeners) {
    for (const listener of process.listeners(event))
      if (!before.includes(listener)) process.off(event, listener);
  }
  return ffish;
}

export const ffish = await load();
