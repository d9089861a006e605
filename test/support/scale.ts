import { SERVER } from './databases.js';

/**
 * Scales how much a run does. `npm test` takes a sample of what is random, repeated or slow; `npm test
 * -- --full` does all of it, and .ci/run does so for another tenth of the files each day. Files that
 * use it so are called `*.full.test.ts`.
 */
export const FULL = process.env['TEST_FULL'] === '1';

/** A slow test that only runs in the full suite. */
export const inFull = FULL ? test : test.skip;

/** The number of repetitions in the full and in the quick suite. */
export const rounds = (full: number, quick: number): number => (FULL ? full : quick);

/** The seed of all random cases of a run, which prints it; set TEST_SEED to repeat them. */
export const SEED = Number(process.env['TEST_SEED'] ?? 0);

const FEW = 30;

/**
 * The number of cases for fast-check: FC_RUNS if set; in the full suite `full`; in the quick suite a tenth,
 * or up to FEW if that is at most half.
 */
export function runs(full: number): { readonly numRuns: number } {
  const given = Number(process.env['FC_RUNS'] ?? 0);
  return {
    numRuns: given || rounds(full, Math.max(Math.ceil(full / 10), Math.min(Math.ceil(full / 2), FEW))),
  };
}

/**
 * The whole list of `[name, ...]` in the full suite, and only the named item in the quick one, for slow tests
 * over both transports.
 */
export const sample = <T extends readonly [string, ...unknown[]]>(
  all: readonly T[],
  name: string,
): readonly T[] => (FULL ? all : all.filter(([each]) => each === name));

/** Prints counts for the person who runs the tests. */
export function printCounts(what: string, counted: Readonly<Record<string, number>>): void {
  const numbers = Object.entries(counted).map(([name, count]) => `${count} ${name}`);
  process.stderr.write(`${what}: ${numbers.join(', ')}\n`);
}

/** Tests that need a PostgreSQL server; skipped without TEST_DATABASE_URL. */
export const onServer = SERVER === undefined ? describe.skip : describe;

/** Tests for the embedded database only, which a run on PostgreSQL need not repeat. */
export const onEmbedded = SERVER === undefined ? describe : describe.skip;
