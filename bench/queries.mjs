import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { QUERIES } from './queries/list.mjs';

/**
 * The queries of a site against a seeded database (bench:seed), each over HTTP and in turns with the lookup of one
 * game by its id: how many times as long it takes, medians. That none reads a large table from end to end is checked.
 * Writes docs/queries.md.
 *
 *   npm run bench:queries -- DATABASE_URL
 */

const DATABASE_URL = process.argv[2] ?? process.env.DATABASE_URL;
if (!DATABASE_URL) throw new Error('Which database? As: npm run bench:queries -- postgresql://...');
const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;
const REPORT = new URL('../docs/queries.md', import.meta.url).pathname;
const ROUNDS = 15;
const PAGE = 20;
const DEEP = 10_000;
// Of all the tables that grow with the history; what is left of the others is small.
const LARGE = ['games', 'plies', 'game_events', 'rating_changes', 'changes', 'challenges'];
/** Of everybody who was seeded (see bench/seed). */
const PASSWORD = 'half a move at a time';

const dataDir = mkdtempSync(join(tmpdir(), 'halfmove-queries-'));
const db = new pg.Client({ connectionString: DATABASE_URL });

async function startServer() {
  const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', SWEEP_SECONDS: '3600', DATABASE_URL, DATA_DIR: dataDir }; // prettier-ignore
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  for (;;) {
    const port = /http:\/\/localhost:(\d+)\/graphiql/.exec(said)?.[1];
    if (port !== undefined) return { child, url: `http://127.0.0.1:${port}/graphql` };
    if (child.exitCode !== null) throw new Error(`The server ended: ${said}`);
    await pause(50);
  }
}

async function ask(url, { query, variables }, token) {
  const began = performance.now();
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = await answer.json();
  if (errors !== undefined) throw new Error(`${query}\n${JSON.stringify(errors)}`);
  return { data, ms: performance.now() - began };
}

/** The cursor behind the page before page 10,000 of all games by creation, found by going there. */
async function deepCursor(url) {
  const query = `query ($after: String) {
    games(orderBy: { by: createdAt }, first: 100, after: $after) { edges { cursor } pageInfo { endCursor hasNextPage } }
  }`;
  let after = null;
  for (let left = (DEEP - 1) * PAGE; left > 0;) {
    const { edges, pageInfo } = (await ask(url, { query, variables: { after } })).data.games;
    if (!pageInfo.hasNextPage) throw new Error('There are too few games for page 10,000: seed more.');
    after = edges.length > left ? edges[left - 1].cursor : pageInfo.endCursor;
    left -= edges.length;
  }
  return after;
}

/** What the variables of the queries are made of. */
async function knownOf(url, token) {
  const { rows: busiest } = await db.query(`
    SELECT u.username FROM users u
    JOIN (SELECT first_id AS id, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC LIMIT 2) f ON f.id = u.id ORDER BY f.count DESC`);
  const { rows: games } = await db.query(
    `SELECT id::text AS id FROM games WHERE ruleset = 'chess' AND ply_count BETWEEN 30 AND 60 AND ended_at IS NOT NULL LIMIT 1`,
  );
  const { data } = await ask(url, { query: '{ changes(fromNow: true) { cursor } }' }, token);
  const [busy, rival] = busiest.map(({ username }) => username);
  return { busy, rival, game: games[0].id, since: data.changes.cursor, deep: await deepCursor(url) };
}

const signIn = async (url, username) => {
  const query = 'mutation ($input: LoginInput!) { login(input: $input) { accessToken } }';
  return (await ask(url, { query, variables: { input: { username, password: PASSWORD } } })).data.login.accessToken; // prettier-ignore
};

async function scans() {
  await db.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await db.query(
    'SELECT sum(seq_scan)::int AS many FROM pg_stat_user_tables WHERE relname = ANY($1)',
    [LARGE],
  );
  return rows[0].many;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

const rounded = (number) => (number < 10 ? number.toFixed(1) : Math.round(number).toString());

async function measure(url, token, { title, query, variables }, known) {
  const asked = { query, variables: variables(known) };
  const lookup = { query: 'query ($id: ID!) { game(id: $id) { id } }', variables: { id: known.game } };
  const before = await scans();
  for (let i = 0; i < 3; i++) await ask(url, asked, token);
  const [times, lookups] = [[], []];
  for (let i = 0; i < ROUNDS; i++) {
    times.push((await ask(url, asked, token)).ms);
    lookups.push((await ask(url, lookup, token)).ms);
  }
  // What a connection has counted it hands over when it has been idle for a moment.
  await pause(1500);
  const read = (await scans()) - before;
  const result = { title, query, variables: asked.variables, ratio: median(times) / median(lookups), read };
  console.log(
    `${rounded(result.ratio).padStart(6)}  ${read === 0 ? '' : `(${read} tables read whole) `}${title}`,
  );
  return result;
}

const shown = (variables) =>
  JSON.stringify(variables, (name, value) => (['after', 'since'].includes(name) ? '...' : value));

function report(results, { games, plies }, paging) {
  const rows = results.map(({ title, ratio }, i) => `| ${i + 1} | ${title} | ${rounded(ratio)} |`);
  const texts = results.map(
    ({ title, query, variables }, i) =>
      `### ${i + 1}. ${title}\n\n\`\`\`graphql\n${query}\n\`\`\`\n${Object.keys(variables).length === 0 ? '' : `\nwith \`${shown(variables)}\`\n`}`,
  );
  return `# Queries of a site

Written by \`npm run bench:queries\` on ${cpus().length} cores that ran the database as well, against ${games.toLocaleString('en')} games and ${plies.toLocaleString('en')} plies (\`npm run bench:seed\`). Each query was asked over HTTP in turns with the lookup of one game by its id, \`{ game(id: "...") { id } }\`: the number says how many times as long it took, by medians of ${ROUNDS}. Page ${DEEP.toLocaleString('en')} of all games took ${paging.toFixed(2)} times as long as page 1 of the same list. None of them read a large table from end to end.

| | query | times a lookup |
| --- | --- | --- |
${rows.join('\n')}

${texts.join('\n')}`;
}

async function pagingOf(url, token, known) {
  const { query } = QUERIES.find(({ title }) => title.startsWith('The same, ten thousand pages further'));
  const of = (after) => ({ query, variables: { filter: {}, orderBy: { by: 'createdAt' }, after } });
  const [first, deep] = [[], []];
  for (let i = 0; i < 2 * ROUNDS; i++) {
    first.push((await ask(url, of(null), token)).ms);
    deep.push((await ask(url, of(known.deep), token)).ms);
  }
  return median(deep) / median(first);
}

await db.connect();
const { child, url } = await startServer();
try {
  const { rows } = await db.query(`SELECT username FROM users ORDER BY created_at, id LIMIT 1`);
  const token = await signIn(url, rows[0].username);
  const known = await knownOf(url, token);
  const results = [];
  for (const query of QUERIES) results.push(await measure(url, token, query, known));
  const whole = results.filter(({ read }) => read > 0);
  if (whole.length > 0) throw new Error(`Read whole: ${whole.map(({ title }) => title).join('; ')}`);
  const paging = await pagingOf(url, token, known);
  const counted = await db.query('SELECT (SELECT count(*)::int FROM games) AS games, (SELECT count(*)::int FROM plies) AS plies'); // prettier-ignore
  writeFileSync(REPORT, report(results, counted.rows[0], paging));
  console.log(`Page ${DEEP} took ${paging.toFixed(2)} times as long as page 1. Wrote docs/queries.md.`);
} finally {
  child.kill('SIGTERM');
  await once(child, 'close');
  await db.end();
  rmSync(dataDir, { recursive: true });
}
