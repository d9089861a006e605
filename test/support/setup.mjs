import fc from 'fast-check';
import { addEventHandler, getState } from 'jest-circus';

// Saved before tests replace the timers by fakes.
const { setTimeout, clearTimeout } = globalThis;

process.setSourceMapsEnabled(true);

const { TEST_SEED, FC_RUNS } = process.env;
fc.configureGlobal({ seed: Number(TEST_SEED ?? 0), ...(FC_RUNS ? { numRuns: Number(FC_RUNS) } : {}) });

/**
 * Runs in each worker before its first file. The test runner has no time limits, so this adds a generous one
 * to each test and hook.
 */

const LIMIT_MS = 180_000;

addEventHandler(({ name, timeout = LIMIT_MS }) => {
  const block = getState().currentDescribeBlock;
  if (name === 'add_test') limit(block.children.at(-1), timeout);
  if (name === 'add_hook') limit(block.hooks.at(-1), timeout);
});

function limit(entry, milliseconds) {
  const { fn } = entry;
  if (fn === undefined) return;
  entry.fn = async () => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`Not finished after ${milliseconds / 1000} s`)),
        milliseconds,
      );
    });
    try {
      await Promise.race([fn(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
