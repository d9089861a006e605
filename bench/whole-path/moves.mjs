import {
  ALONE as ALONE_TOO,
  BATCH,
  BOARDGAME,
  COMMIT,
  DO_NOTHING,
  TYPENAME,
  commits,
  startCandidates,
} from './candidates.mjs';
import { loadAverage } from './cpu.mjs';
import { sample, warmUp } from './sample.mjs';
import { ALONE, CLIENTS, MS, ROUNDS } from './settings.mjs';
import { ratios, row, spread } from './statistics.mjs';
import { inTurns } from './rotation.mjs';

/** The tables of a durable move. */

/** The columns, in the order of the raw samples. */
const COLUMNS = {
  rate: 'moves/s',
  p50: 'p50 ms',
  p99: 'p99 ms',
  serverCpu: 'server CPU ms/move',
  allCpu: 'with PostgreSQL',
  wal: 'WAL bytes/move',
};
/** Ratios of a column to that of another candidate, left out if it is not there. */
const REFERENCES = [
  { head: 'x boardgame.io', column: 'rate', to: BOARDGAME },
  { head: 'x do-nothing', column: 'rate', to: DO_NOTHING },
  { head: 'x batch prototype', column: 'rate', to: BATCH },
  { head: 'x {__typename}', column: 'rate', to: TYPENAME },
  { head: 'CPU with PostgreSQL x batch prototype', column: 'allCpu', to: BATCH },
  { head: 'p50 x commit', column: 'p50', to: COMMIT },
];

/** `of(name, column)`: the samples of one column of the candidate that fits, or undefined. */
const lookUp = (samples) => (wanted, column) =>
  [...samples].find(([{ name }]) => wanted.test(name))?.[1].map((round) => round[column]);

function print(title, load, samples) {
  const of = lookUp(samples);
  const references = REFERENCES.map((one) => ({ ...one, values: of(one.to, one.column) })).filter(
    ({ values }) => values !== undefined,
  );
  console.log(
    `\n### ${title}\n\n${ROUNDS} rounds of ${MS} ms, in turns and rotating order; medians (min..max); load average ${load} before, ${loadAverage()} after\n`,
  );
  const heads = ['candidate', ...Object.values(COLUMNS), ...references.map(({ head }) => head)];
  console.log(row(heads));
  console.log(row(heads.map(() => '---')));
  for (const [{ name }, rounds] of samples) {
    const valuesOf = (column) => rounds.map((round) => round[column]);
    const figures = Object.keys(COLUMNS).map((column) => spread(valuesOf(column)));
    const compared = references.map(({ column, values }) => spread(ratios(valuesOf(column), values)));
    console.log(row([name, ...figures, ...compared]));
  }
}

/** Measures one table. */
async function table(title, candidates, clients) {
  const load = loadAverage();
  for (const candidate of candidates) await warmUp(candidate, clients);
  const samples = await inTurns(candidates, ROUNDS, (candidate) => sample(candidate, clients));
  print(title, load, samples);
  return { title, clients, samples, of: lookUp(samples) };
}

/** The samples as they are saved. */
export const rawOf = ({ title, clients, samples }) =>
  [...samples].map(([{ name }, rounds]) => ({
    title,
    m: clients,
    name,
    columns: Object.values(COLUMNS),
    samples: rounds.map((round) => Object.keys(COLUMNS).map((column) => round[column])),
  }));

/** Measures the tables: one for each number of clients, then one for a single client. */
export async function measureMoves() {
  const candidates = await startCandidates(Math.max(...CLIENTS));
  const tables = [];
  if (candidates.length === 0) return tables;
  for (const clients of CLIENTS)
    tables.push(await table(`A durable move, ${clients} clients`, candidates, clients));
  const alone = candidates.filter(({ name }) => ALONE_TOO.test(name));
  if (ALONE && alone.length > 0) tables.push(await table('One client alone', [...alone, await commits()], 1));
  const servers = new Set(candidates.map(({ server }) => server));
  const missing = [...servers].reduce((sum, server) => sum + (server.late ?? 0), 0);
  if (missing > 0)
    console.log(`\n${missing} games were created during the measurement, so the figures are too low.`);
  return tables;
}
