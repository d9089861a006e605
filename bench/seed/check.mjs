import { DealsStore } from '../../dist/engine/deals.store.js';
import { holds, verify } from '../../dist/fairness/verify.js';
import { recordOf } from '../../dist/features/games/record.js';
import { openDatabase } from '../../dist/platform/database/database.js';
import { TABLE_NAMES } from './tables.mjs';

/**
 * Checks the seeded database: counts rows, looks for inconsistencies, and verifies the records of a sample of
 * games.
 */

/** Verify a tenth of the games, but at most this many. */
const SAMPLE = 200;

const ROWS = `
    WITH r AS (SELECT game_id, previous_hash, hash FROM plies UNION ALL SELECT game_id, previous_hash, hash FROM game_events)`;

/** Queries that must find no rows, by the description of what they find. */
const FAULTS = {
  'games with a wrong ply count': `
    SELECT g.id FROM games g
    LEFT JOIN (SELECT game_id, count(*) AS plies FROM plies GROUP BY game_id) p ON p.game_id = g.id
    WHERE g.takebacks = '[]' AND g.ply_count <> coalesce(p.plies, 0)`,
  'rows whose previous row does not exist': `${ROWS}
    SELECT r.game_id FROM r LEFT JOIN r before ON before.game_id = r.game_id AND before.hash = r.previous_hash
    WHERE before.hash IS NULL AND r.previous_hash IS NOT NULL`,
  'rows without a next row that are not the last one': `${ROWS}
    SELECT r.game_id FROM r JOIN games g ON g.id = r.game_id
    LEFT JOIN r next ON next.game_id = r.game_id AND next.previous_hash = r.hash
    WHERE next.hash IS NULL AND r.hash <> g.head_hash`,
  'games with a wrong first row': `
    SELECT g.id FROM games g JOIN challenges c ON c.id = g.id
    LEFT JOIN game_events e ON e.game_id = g.id AND e.previous_hash IS NULL
    WHERE e.hash IS DISTINCT FROM g.terms_hash OR e.hash IS DISTINCT FROM c.create_hash`,
  'openings and ends missing from the log': `SELECT game_id FROM unlogged`,
  'games without a challenge': `
    SELECT g.id FROM games g LEFT JOIN challenges c ON c.game_id = g.id WHERE c.id IS NULL`,
  'rated games without two rating changes': `
    SELECT g.id FROM games g LEFT JOIN rating_changes c ON c.game_id = g.id
    WHERE g.ended_at IS NOT NULL AND g.unrated IS NULL GROUP BY g.id HAVING count(c.*) <> 2`,
  'ratings that differ from the last rating change': `
    SELECT r.user_id FROM ratings r
    LEFT JOIN rating_changes c ON c.user_id = r.user_id AND c.ruleset = r.ruleset AND c.number = r.games
    WHERE c.rating IS DISTINCT FROM r.rating`,
};

async function countRows({ client }) {
  const counts = {};
  for (const table of TABLE_NAMES) {
    const { rows } = await client.query(`SELECT count(*) FROM ${table}`);
    counts[table] = Number(rows[0].count);
  }
  return counts;
}

async function countFaults({ client }, counts, plan) {
  const { rows } = await client.query('SELECT sum(games)::integer AS games, sum(plies)::integer AS plies FROM bench.chunks'); // prettier-ignore
  const { games, plies } = rows[0];
  const found = games === plan.games && counts.games === games && counts.plies === plies ? [] : [`${plan.games} games planned, ${games} games with ${plies} plies marked as done, ${counts.games} games with ${counts.plies} plies found`]; // prettier-ignore
  for (const [fault, query] of Object.entries(FAULTS)) {
    const { rowCount } = await client.query(query);
    if (rowCount > 0) found.push(`${rowCount} ${fault}`);
  }
  return found;
}

/** The record of an ended game, as the server exports it. */
async function recordFrom(prisma, deals, row) {
  const [plies, events, users, seeds] = await Promise.all([
    prisma.ply.findMany({ where: { gameId: row.id }, orderBy: { seq: 'asc' } }),
    prisma.gameEvent.findMany({ where: { gameId: row.id } }),
    prisma.user.findMany({ where: { id: { in: [row.firstId, row.secondId] } } }),
    deals.seedsOfEnded([row.id]),
  ]);
  const serverSeed = seeds.get(row.id)?.toString('hex') ?? null;
  return recordOf({ row, plies, events, users: new Map(users.map((user) => [user.id, user])), serverSeed });
}

async function verifySample({ client, plan }, config) {
  const most = Math.min(SAMPLE, Math.ceil(plan.games / 10));
  const database = await openDatabase(config, () => undefined);
  const deals = new DealsStore({ db: database.prisma }, config);
  const faults = [];
  try {
    const sample = `SELECT id FROM games WHERE ended_at IS NOT NULL ORDER BY md5(id::text) LIMIT ${most}`;
    const { rows } = await client.query(sample);
    const found = await database.prisma.game.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
    for (const row of found) {
      const findings = verify(JSON.parse(JSON.stringify(await recordFrom(database.prisma, deals, row))));
      if (!holds(findings)) faults.push(`game ${row.id}: ${findings.find(({ ok }) => ok === false).detail}`);
    }
    console.log(`${found.length} records verified`);
  } finally {
    await database.close();
  }
  return faults;
}

/** Prints the row counts and any faults; returns whether there are none. */
export async function checkAll(place, config) {
  const counts = await countRows(place);
  for (const [table, count] of Object.entries(counts)) console.log(`${table.padEnd(16)}${count.toLocaleString('en').padStart(12)}`); // prettier-ignore
  const { rows } = await place.client.query(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  console.log(`on disk         ${rows[0].size.padStart(12)}`);
  const faults = [...(await countFaults(place, counts, place.plan)), ...(await verifySample(place, config))];
  for (const fault of faults) console.log(`WRONG: ${fault}`);
  if (faults.length === 0) console.log('No faults found.');
  return faults.length === 0;
}
