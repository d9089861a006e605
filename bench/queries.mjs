import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { subjectsOf } from './queries/filters.mjs';
import { QUERIES } from './queries/list.mjs';
import { costs } from './queries/orders.mjs';
import { deepCursor, pagingOf } from './queries/paging.mjs';
import { UserError } from '../scripts/support.mjs';
import { explain, GROWING } from './queries/plans.mjs';
import { reportOf, rounded } from './queries/report.mjs';
import { startServer, statementsOf, workOf } from './queries/server.mjs';
import { median } from './queries/median.mjs';

/**
 * Measures the typical queries of a site on a database made by the benchmark seed. Each is sent over HTTP in
 * alternation with the lookup of one game by its id; the result is the ratio of the medians, with the work of
 * the database by EXPLAIN of the statements that the server sent. Also measures each filter of `games` in
 * each order, and page 10,000 against page 1. Fails if a large table is read from end to end, or if a page
 * far down the list takes 1.5 times as long as the first. Writes docs/queries.md.
 *
 *   npm run bench -- queries DATABASE_URL
 */

const DATABASE_URL = process.argv[2] ?? process.env.DATABASE_URL;
if (!DATABASE_URL) throw new UserError('Give the database: npm run bench -- queries postgresql://...');
const REPORT = new URL('../docs/queries.md', import.meta.url).pathname;
const ROUNDS = 15;
const DEEP = 10_000;
const MOST_TIMES = 1.5;
/** The password of all seeded users (see bench/seed). */
const PASSWORD = 'half a move at a time';
/** Queries whose plans are printed in full. */
const SHOWN = ['The newest results of a player', 'Page 10,000 of all games, by creation'];

const db = new pg.Client({ connectionString: DATABASE_URL });

/** The values for the variables of the queries. */
async function knownOf(server, token) {
  const { rows: games } = await db.query(
    `SELECT id::text AS id FROM games WHERE ruleset = 'chess' AND ply_count BETWEEN 30 AND 60 AND ended_at IS NOT NULL LIMIT 1`,
  );
  const { data } = await server.ask({ query: '{ changes(fromNow: true) { cursor } }' }, token);
  const deep = await deepCursor(server, 'CREATED_AT', DEEP);
  return { ...(await subjectsOf(db)), game: games[0].id, since: data.changes.cursor, deep };
}

async function signIn(server) {
  const { rows } = await db.query('SELECT username FROM users ORDER BY created_at, id LIMIT 1');
  const query = 'mutation ($input: LoginInput!) { login(input: $input) { session { accessToken } } }';
  const { data } = await server.ask({ query, variables: { input: { username: rows[0].username, password: PASSWORD } } }); // prettier-ignore
  return data.login.session.accessToken;
}

async function scans() {
  // Otherwise the scans of this connection would be counted later.
  await db.query('SELECT pg_stat_force_next_flush()');
  await db.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await db.query(
    'SELECT sum(seq_scan)::int AS many FROM pg_stat_user_tables WHERE relname = ANY($1)',
    [GROWING],
  );
  return rows[0].many;
}

const lookupOf = ({ game }) => ({
  query: 'query ($id: ID!) { game(id: $id) { id } }',
  variables: { id: game },
});

async function measure(server, token, { title, query, variables }, known) {
  const asked = { query, variables: variables(known) };
  const before = await scans();
  for (let i = 0; i < 3; i++) await server.ask(asked, token);
  const [times, lookups] = [[], []];
  for (let i = 0; i < ROUNDS; i++) {
    times.push((await server.ask(asked, token)).ms);
    lookups.push((await server.ask(lookupOf(known), token)).ms);
  }
  // A connection reports its counts only after it has been idle for a moment.
  await pause(1500);
  const read = (await scans()) - before;
  const [ms, lookupMs] = [median(times), median(lookups)];
  const ratio = ms / lookupMs;
  const work = await workOf(server, db, asked, token);
  console.log(
    `${rounded(ratio).padStart(6)} ${String(work.buffers).padStart(6)}  ${read === 0 ? '' : `(${read} tables read whole) `}${title}`,
  );
  return { title, query, variables: asked.variables, ms, lookupMs, ratio, read, work };
}

/** The plan of the search, which is one of the statements of a query. */
async function planOf(server, token, known, title) {
  const { query, variables } = QUERIES.find((one) => one.title === title);
  const statements = await statementsOf(server, { query, variables: variables(known) }, token);
  return {
    title,
    text: await explain(
      db,
      statements.find(({ name }) => name === ''),
      { format: 'TEXT' },
    ),
  };
}

/** The reasons to fail, as texts. */
function faultsOf(results, paging, orders) {
  const works = orders.flatMap(({ title, orders: all }) =>
    Object.values(all).flatMap(({ first, last }) => [{ title, work: first }, { title, work: last }]),
  ); // prettier-ignore
  const isWhole = ({ read = 0, work }) => read > 0 || work.scanned.some((table) => GROWING.includes(table));
  return [
    ...[...results, ...works]
      .filter(isWhole)
      .map(({ title }) => `reads a large table from end to end: ${title}`),
    ...paging
      .filter(({ ratio }) => ratio > MOST_TIMES)
      .map(({ by }) => `page ${DEEP} by ${by} takes more than ${MOST_TIMES} times as long as page 1`),
  ];
}

/** When, and of which commit. */
function measured() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return `on ${new Date().toISOString().slice(0, 10)} at commit ${commit}`;
}

async function run(server) {
  const token = await signIn(server);
  const known = await knownOf(server, token);
  const results = [];
  for (const query of QUERIES) results.push(await measure(server, token, query, known));
  const lookup = await workOf(server, db, lookupOf(known), token);
  const paging = await pagingOf(server, db, DEEP, 2 * ROUNDS);
  const orders = await costs(server, db);
  const plans = [];
  for (const title of SHOWN) plans.push(await planOf(server, token, known, title));
  const { rows } = await db.query('SELECT (SELECT count(*)::int FROM games) AS games, (SELECT count(*)::int FROM plies) AS plies'); // prettier-ignore
  writeFileSync(REPORT, reportOf({ results, lookup, paging, orders, plans, size: rows[0], rounds: ROUNDS, deep: DEEP, measured: measured() })); // prettier-ignore
  console.log('Wrote docs/queries.md.');
  const faults = faultsOf(results, paging, orders);
  if (faults.length > 0) throw new Error(faults.join('; '));
}

await db.connect();
const server = await startServer(DATABASE_URL);
try {
  await run(server);
} finally {
  await server.close();
  await db.end();
}
