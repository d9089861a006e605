import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { openDatabase } from '../dist/platform/database/database.js';
import { Api } from './attacks/api.mjs';
import { logged } from './attacks/log.mjs';
import { newSeed } from './attacks/seeds.mjs';
import { startServer } from './attacks/server.mjs';
import { oneOf, random } from './fuzz/random.mjs';
import { UCI } from './whole-path/line.mjs';

/**
 * Measures how many bytes a game stores and sends: games of Banqi and chess of 60 plies, played over HTTP on
 * an embedded database, with client seeds of both players, ended by resignation. Row sizes are those of
 * pg_column_size, without indexes; a second column counts what only format 2 of docs/fairness.md stores. Also
 * measures the record, a receipt and the proof of the end as sent.
 *
 *   npm run bench:fairness-bytes [-- GAMES PLIES]
 *
 *   GAMES   number of games per rule set (default 40)
 *   PLIES   length of each game (default 60)
 */

const GAMES = Number(process.argv[2] ?? 40);
const PLIES = Number(process.argv[3] ?? 60);
const AT_ONCE = 4;

const all = (alias) => `pg_column_size(${alias}.*)`;
const size = (...columns) => columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ');

/** Per table: the rows of a game `g`, their bytes, and how many of these only format 2 has. */
const TABLES = {
  games: ['games t', 't.id = g.id', size('t.format', 't.accepter_seed_hash', 't.sides_by')],
  challenges: ['challenges t', 't.id = g.id', size('t.format', 't.creator_seed_at', 't.create_hash', 't.head_hash')], // prettier-ignore
  plies: ['plies t', 't.game_id = g.id', '0'],
  game_events: ['game_events t', 't.game_id = g.id', `CASE WHEN t.type IN ('create', 'seed', 'accept') THEN ${all('t')} WHEN t.type = 'start' THEN ${size('t.data', 't.hash', 't.previous_hash')} ELSE ${size('t.hash', 't.previous_hash')} END`], // prettier-ignore
  client_seeds: ['client_seeds t', 't.challenge_id = g.id', all('t')],
  log_entries: ['log_entries t', 't.game_id = g.id', all('t')],
  log_nodes: ['log_nodes t', 't.level = 0 AND t.idx IN (SELECT idx FROM log_entries WHERE game_id = g.id)', all('t')], // prettier-ignore
};

async function begin(api, ruleset) {
  const players = [await api.register('ann'), await api.register('ben')];
  const { id } = await api.challenge(...players, { ruleset });
  await api.well(players[0], 'POST', `/v1/challenges/${id}/client-seed`, { clientSeed: newSeed() });
  await api.well(players[1], 'POST', `/v1/challenges/${id}/accept`, { clientSeed: newSeed() });
  return { id, players };
}

async function nextMove(api, { id, by, at, pick }, ruleset) {
  if (ruleset === 'chess') return UCI[at];
  const { items: legal } = await api.well(by, 'GET', `/v1/games/${id}/legal-moves`);
  return legal.length === 0 ? null : oneOf(pick, legal).move;
}

/** Plays this many plies, or until the game ends. */
async function play(api, ruleset, number) {
  const { id, players } = await begin(api, ruleset);
  const pick = random(number);
  let game = { status: 'active' };
  for (let at = 0; at < PLIES && game.status === 'active'; at++) {
    const by = players[at % 2];
    const move = await nextMove(api, { id, by, at, pick }, ruleset);
    ({ game } = await api.well(by, 'POST', `/v1/games/${id}/moves`, { ply: at + 1, move }));
  }
  if (game.status === 'active') await api.well(players[0], 'POST', `/v1/games/${id}/resign`);
  await logged(api, id, 'end');
  return id;
}

/** Plays all games of a rule set; returns their ids. */
async function playAll(api, ruleset) {
  const ids = [];
  let next = 0;
  const player = async () => {
    while (next < GAMES) ids.push(await play(api, ruleset, next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, player));
  return ids;
}

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** The mean size of each answer, in bytes. */
async function sentOf(api, ids) {
  const sizes = { record: [], 'record, gzipped': [], receipt: [], 'proof of the end': [] };
  for (const id of ids) {
    const { text } = await api.rest(null, 'GET', `/v1/games/${id}/record`);
    sizes.record.push(Buffer.byteLength(text));
    sizes['record, gzipped'].push(gzipSync(text).length);
    sizes.receipt.push(Buffer.byteLength((await api.well(null, 'GET', `/v1/games/${id}`)).fairness.receipt));
    sizes['proof of the end'].push(Buffer.byteLength((await api.rest(null, 'GET', `/v1/games/${id}/log-proof`)).text)); // prettier-ignore
  }
  return Object.entries(sizes).map(([what, each]) => [what, null, mean(each), null]);
}

/** Rows and bytes stored per game, and how many of them only format 2 has. */
async function storedOf(prisma, ids) {
  const found = [];
  for (const [name, [from, where, fresh]] of Object.entries(TABLES)) {
    // eslint-disable-next-line no-restricted-syntax -- the table names are the constants above
    const [{ rows, bytes, added }] = await prisma.$queryRawUnsafe(
      `SELECT count(*)::float AS rows, coalesce(sum(${all('t')}), 0)::float AS bytes, coalesce(sum(${fresh}), 0)::float AS added
       FROM games g JOIN ${from} ON ${where} WHERE g.id = ANY($1::uuid[])`,
      ids,
    );
    found.push([name, rows / ids.length, bytes / ids.length, added / ids.length]);
  }
  const sum = (at) => found.reduce((total, row) => total + row[at], 0);
  return [...found, ['all tables', sum(1), sum(2), sum(3)]];
}

function print(ruleset, plies, rows) {
  console.log(`\n${ruleset}: ${GAMES} games, ${plies.toFixed(1)} plies each\n`);
  console.log('| of a game | rows | bytes | only in format 2 |\n| --- | ---: | ---: | ---: |');
  for (const [what, count, bytes, added] of rows) {
    console.log(
      `| ${what} | ${count?.toFixed(1) ?? ''} | ${bytes.toFixed(0)} | ${added?.toFixed(0) ?? ''} |`,
    );
  }
}

const server = await startServer({ env: { LOG_SECONDS: '1' } });
const api = new Api(server.port);
const played = {};
for (const ruleset of ['banqi-taiwan', 'chess']) {
  const ids = await playAll(api, ruleset);
  played[ruleset] = { ids, sent: await sentOf(api, ids) };
}
api.close();
const ended = once(server.child, 'exit');
server.child.kill('SIGTERM');
await ended;
const config = {
  dataDir: server.folder,
  databaseUrl: null,
  minFreeBytes: 0,
  checkpointSeconds: 3600,
  watchdogSeconds: 3600,
};
const database = await openDatabase(config, () => undefined);
for (const [ruleset, { ids, sent }] of Object.entries(played)) {
  const rows = await storedOf(database.prisma, ids);
  const plies = rows.find(([name]) => name === 'plies')[1];
  print(ruleset, plies, [...rows, ...sent]);
}
await database.close();
