import { SERVER } from './databases.js';

/**
 * How much a run does. `npm test` takes a sample of what is random, repeated or slow; `npm run test:full` does all of it, and
 * .ci/run all of a tenth of these files, another one each day. A file with more to do in full imports this one: by that
 * scripts/test.mjs finds it.
 */
export const FULL = process.env['TEST_FULL'] === '1';

/** A test that takes long, for the full suite alone. */
export const inFull = FULL ? test : test.skip;

/** How often something is done: in the full suite, and in the quick one. */
export const rounds = (full: number, quick: number): number => (FULL ? full : quick);

/** What is drawn by chance is drawn from this number, which a run prints: with TEST_SEED it draws the same again. */
export const SEED = Number(process.env['TEST_SEED'] ?? 0);

const FEW = 30;

/**
 * How many cases fast-check tries: as many as FC_RUNS says, else all that were asked for; in the quick suite a tenth of them,
 * or FEW, where that is no more than half.
 */
export function runs(full: number): { readonly numRuns: number } {
  const given = Number(process.env['FC_RUNS'] ?? 0);
  return {
    numRuns: given || rounds(full, Math.max(Math.ceil(full / 10), Math.min(Math.ceil(full / 2), FEW))),
  };
}

/** All of a list of `[name, ...]` in the full suite, and in the quick one that of this name: for what takes long over both transports. */
export const sample = <T extends readonly [string, ...unknown[]]>(
  all: readonly T[],
  name: string,
): readonly T[] => (FULL ? all : all.filter(([each]) => each === name));

/** One line for whoever runs the tests: what was counted. */
export function tell(what: string, counted: Readonly<Record<string, number>>): void {
  const numbers = Object.entries(counted).map(([name, count]) => `${count} ${name}`);
  process.stderr.write(`${what}: ${numbers.join(', ')}\n`);
}

/** Tests that take a PostgreSQL server; without TEST_DATABASE_URL they are skipped. */
export const onServer = SERVER === undefined ? describe.skip : describe;

/** Tests of the embedded database alone, which a second run on PostgreSQL need not repeat. */
export const onEmbedded = SERVER === undefined ? describe : describe.skip;
