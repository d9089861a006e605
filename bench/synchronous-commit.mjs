import pg from 'pg';
import { UserError, main } from '../scripts/support.mjs';
import { closeDatabase, openDatabase, urlOf } from './whole-path/database.mjs';
import { playingMatch, registerClients, startOnPostgres } from './whole-path/product.mjs';
import { inTurns } from './whole-path/rotation.mjs';
import { sample, warmUp } from './whole-path/sample.mjs';
import { endServers } from './whole-path/servers.mjs';
import { ALONE, CHECKOUT, CLIENTS, ROUNDS } from './whole-path/settings.mjs';
import { ratios, row, spread } from './whole-path/statistics.mjs';

/**
 * Measures moves a second with each synchronous_commit, as multiples of those with `off` in the same round, with many
 * clients and with one. PG_URL is a primary with a synchronous standby, set up as in docs/scale.md, for a superuser;
 * the setting of the whole server is changed, and at the end reset.
 *
 *   npm run bench -- synchronous-commit [ROUNDS MS]   default 5 rounds of 3000 ms
 *
 *   M, HALFMOVE, PRODUCT_ENV, PG_URL: see whole-path.mjs
 */

const SETTINGS = ['off', 'local', 'remote_write', 'on', 'remote_apply'];

async function openAdmin() {
  const admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  const { rows } = await admin.query(
    `SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')`,
  );
  if (rows.length === 0) throw new UserError('PG_URL has no synchronous standby; see docs/scale.md.');
  return admin;
}

/** Open connections follow when they read the settings again, before their next statement. */
async function use(admin, setting) {
  await admin.query(`ALTER SYSTEM SET synchronous_commit = ${setting}`);
  await admin.query('SELECT pg_reload_conf()');
}

async function measure(admin, clients) {
  const server = await startOnPostgres();
  await registerClients(server, clients);
  const candidate = { server, match: playingMatch, mostMoves: new Map() };
  await use(admin, 'on');
  await warmUp(candidate, clients);
  const samples = await inTurns(SETTINGS, ROUNDS, async (setting) => {
    await use(admin, setting);
    return sample(candidate, clients);
  });
  await endServers();
  const rates = (setting) => samples.get(setting).map(({ rate }) => rate);
  console.log(`\n${clients} clients\n`);
  console.log(row(['synchronous_commit', 'moves/s', 'of those with off', 'ms of a move (p50)', 'p99']));
  console.log(row(['---', '---:', '---:', '---:', '---:']));
  for (const setting of SETTINGS) {
    const of = (key) => spread(samples.get(setting).map((one) => one[key]));
    const ratio = spread(ratios(rates(setting), rates('off')));
    console.log(row([setting, spread(rates(setting)), ratio, of('p50'), of('p99')]));
  }
}

await main(async () => {
  await openDatabase();
  const admin = await openAdmin();
  try {
    console.log(CHECKOUT);
    for (const clients of ALONE ? [...CLIENTS, 1] : CLIENTS) await measure(admin, clients);
  } finally {
    await admin.query('ALTER SYSTEM RESET synchronous_commit');
    await admin.query('SELECT pg_reload_conf()');
    await endServers();
    await admin.end();
    await closeDatabase();
  }
});
