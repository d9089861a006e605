import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { main } from '../scripts/support.mjs';
import { storeMany } from './flat/history.mjs';
import { longGame } from './flat/long-game.mjs';
import { askWell, Connection } from './whole-path/connection.mjs';
import { closeDatabase, openDatabase } from './whole-path/database.mjs';
import {
  operations,
  playersOf,
  playingMatch,
  registerClients,
  startOnPostgres,
} from './whole-path/product.mjs';
import { endServers } from './whole-path/servers.mjs';
import { row } from './whole-path/statistics.mjs';
import { openWal } from './whole-path/wal.mjs';
import { openWire } from './whole-path/wire.mjs';

/**
 * Shows that a move costs the same in an old database and late in a game, by counts and not by time: pages that
 * its statements touch (EXPLAIN (ANALYZE, BUFFERS) of each, through auto_explain), bytes of write-ahead log, and
 * the size of its rows. Moves about ply 10 and about ply 300 of a few games of chess are counted with these games
 * alone, then with many stored plies beside them.
 *
 *   npm run bench -- flat [PLIES]   default 1,000,000; 10,000,000 take 6 GB or more
 *
 *   HALFMOVE, PRODUCT_ENV, PG_URL: see whole-path.mjs
 */

const STORED = Number(process.argv[2] ?? 1_000_000);
const GAMES = 4;
/** The counted moves begin at these plies. */
const STAGES = [5, 295];
const COUNTED = 10;
const NOTICES_MS = 300;
const SHOWN_TEXT = 70;
const MOST_NODES = 6;

const LINE = longGame(STAGES.at(-1) + COUNTED);
const SETTINGS = {
  session_preload_libraries: "'auto_explain'",
  'auto_explain.log_min_duration': 0,
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': "'json'",
  // Sent to the server's own connection, where the proxy reads it.
  'auto_explain.log_level': "'notice'",
};

/** Explains every statement of new connections to this database. */
async function explainAll(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { pathname } = new URL(url);
  for (const [name, value] of Object.entries(SETTINGS))
    await client.query(`ALTER DATABASE "${pathname.slice(1)}" SET ${name} = ${value}`);
  await client.end();
}

const pagesOf = (plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

/** Adds the pages that each node of a plan touches by itself, by what it does to which table or index. */
function addNodes(nodes, plan) {
  const parts = plan.Plans ?? [];
  const own = parts.reduce((left, part) => left - pagesOf(part), pagesOf(plan));
  const name = [plan.Operation ?? plan['Node Type'], plan['Relation Name'], plan['Index Name']];
  const key = name.filter(Boolean).join(' ');
  if (own > 0) nodes.set(key, (nodes.get(key) ?? 0) + own);
  for (const part of parts) addNodes(nodes, part);
}

/** Sums the pages that statements touch, by the text of the statement. */
function pageCounter() {
  const found = new Map();
  return {
    found,
    hear: (notice) => {
      const json = /plan:\s*(\{[^]*\})\s*$/.exec(notice)?.[1];
      if (json === undefined) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(json);
      const one = found.get(text) ?? { times: 0, pages: 0, nodes: new Map() };
      one.times++;
      one.pages += pagesOf(plan);
      addNodes(one.nodes, plan);
      found.set(text, one);
    },
  };
}

async function playOne(connection, id, players, [from, to]) {
  for (let ply = from; ply < to; ply++) {
    const body = {
      query: operations.move.query,
      variables: operations.move.variables(id, ply + 1, LINE[ply]),
    };
    await askWell(connection, 'POST', '/graphql', players[ply % 2].token, JSON.stringify(body));
  }
}

/** One game after another, so that no commit has the moves of several. */
async function playCounted({ port }, games, players, plies) {
  const connection = new Connection(port);
  for (const id of games) await playOne(connection, id, players, plies);
  connection.close();
}

const playAtOnce = (server, games, players, plies) =>
  Promise.all(games.map((id) => playCounted(server, [id], players, plies)));

const WIDTHS = `
SELECT (SELECT avg(pg_column_size(g.*)) FROM games g WHERE id = ANY($1))::int AS game,
       (SELECT avg(pg_column_size(p.*)) FROM plies p WHERE game_id = ANY($1) AND ply BETWEEN $2 AND $3)::int AS ply`;

/** The counts of a move at each stage, of new games. */
async function measure({ server, pages, wal }) {
  const match = playingMatch(server, 0);
  const players = playersOf(server, 0);
  await match.prepare(GAMES);
  const games = [];
  while (games.length < GAMES) games.push(await match.fresh());
  const counted = [];
  let played = 0;
  for (const stage of STAGES) {
    await playAtOnce(server, games, players, [played, stage]);
    played = stage + COUNTED;
    await pause(NOTICES_MS);
    pages.found.clear();
    await wal.start();
    await playCounted(server, games, players, [stage, played]);
    const { bytes, kinds } = await wal.read();
    await pause(NOTICES_MS);
    const statements = [...pages.found].map(([text, one]) => ({ text, ...one }));
    const { rows } = await wal.client.query(WIDTHS, [games, stage + 1, played]);
    const sum = (list, column) => list.reduce((all, one) => all + one[column], 0) / (GAMES * COUNTED);
    counted.push({
      stage,
      statements,
      figures: {
        statements: sum(statements, 'times'),
        pages: sum(statements, 'pages'),
        'WAL records': sum(kinds, 'records'),
        'WAL bytes': bytes / (GAMES * COUNTED),
        'bytes of the game row': rows[0].game,
        'bytes of a ply row': rows[0].ply,
      },
    });
  }
  match.close();
  return { games, counted };
}

const digits = (number) => (number >= 100 ? number.toFixed(0) : number.toFixed(2));

const mostFirst = (list, column) => [...list].sort((a, b) => b[column] - a[column]);

function printStatements(statements) {
  for (const { text, times, pages, nodes } of mostFirst(statements, 'pages')) {
    console.log(`\n    ${digits(pages / times)}  ${text.replace(/\s+/g, ' ').trim().slice(0, SHOWN_TEXT)}`);
    for (const [name, own] of mostFirst(nodes, 1).slice(0, MOST_NODES))
      console.log(`        ${digits(own / times)}  ${name}`);
  }
}

function print(results) {
  const names = Object.keys(results[0].counted[0].figures);
  console.log('\n### A move, by counts\n');
  console.log(row(['stored plies', 'about ply', ...names]));
  console.log(row(['---', '---', ...names.map(() => '---')]));
  const line = (stored, stage, figures) =>
    console.log(row([stored, stage, ...names.map((name) => digits(figures[name]))]));
  const divided = (one, other) => Object.fromEntries(names.map((name) => [name, one[name] / other[name]]));
  for (const { stored, counted } of results)
    for (const { stage, figures } of counted) line(stored, stage + COUNTED / 2, figures);
  const at = (result, stage) => result.counted[stage].figures;
  const [few, many] = results;
  line('late / early in a game', 'few', divided(at(few, 1), at(few, 0)));
  line('late / early in a game', 'many', divided(at(many, 1), at(many, 0)));
  line('many / few', STAGES[0] + COUNTED / 2, divided(at(many, 0), at(few, 0)));
  line('many / few', STAGES[1] + COUNTED / 2, divided(at(many, 1), at(few, 1)));
  for (const { stored, counted } of results)
    for (const { stage, statements } of counted) {
      console.log(`\nPages of a move's statements with ${stored} plies, about ply ${stage + COUNTED / 2}:`);
      printStatements(statements.filter(({ times }) => times >= GAMES * COUNTED));
    }
}

const storedPlies = async ({ client }) =>
  (await client.query('SELECT count(*)::int AS plies FROM plies')).rows[0].plies.toLocaleString('en');

async function run() {
  const pages = pageCounter();
  let wire;
  const server = await startOnPostgres(async (url) => {
    await explainAll(url);
    wire = await openWire(url, pages.hear);
    return wire.url;
  });
  await registerClients(server, 1);
  const wal = await openWal(wire.target);
  const few = await measure({ server, pages, wal });
  const results = [{ stored: await storedPlies(wal), ...few }];
  await storeMany(wal.client, few.games, STORED);
  results.push({ stored: await storedPlies(wal), ...(await measure({ server, pages, wal })) });
  print(results);
  await wal.close();
  return wire;
}

await main(async () => {
  await openDatabase();
  let wire;
  try {
    wire = await run();
  } finally {
    await endServers();
    wire?.close();
    await closeDatabase();
  }
});
