import { firstRow, keysOf, resultsOf } from '../../dist/features/ratings/results.js';
import { batch } from './tables.mjs';

/**
 * Rates the games in the order of their ends, all in one transaction that also marks them as rated. After
 * that the games wait for the opening explorer.
 */

const ENDS = `
  SELECT id AS "gameId", ruleset, first_id AS "firstId", second_id AS "secondId", winner, ended_at AS "endedAt"
  FROM games WHERE ended_at IS NOT NULL AND unrated IS NULL`;

const FINISHED = `
  INSERT INTO unexplored_games SELECT id FROM games WHERE status = 'finished' ON CONFLICT DO NOTHING`;

export async function rateGames({ client, plan }) {
  if (plan.rated) return;
  const start = performance.now();
  const { rows: ends } = await client.query(ENDS);
  const { ratings, changes } = resultsOf(keysOf(ends).map(firstRow), ends);
  const rows = batch();
  for (const change of changes) rows.add('rating_changes', change);
  for (const { listedUntil, ...rating } of ratings) {
    // The server's sweep removes expired ratings from the leaderboard.
    const isListed = listedUntil !== null && listedUntil.getTime() > plan.until;
    rows.add('ratings', { ...rating, listedUntil: isListed ? listedUntil : null });
  }
  await client.query('BEGIN');
  await client.query('UPDATE bench.seeding SET rated = true');
  await client.query(FINISHED);
  await rows.write(client);
  await client.query('COMMIT');
  const seconds = (performance.now() - start) / 1000;
  console.log(`${ends.length} rated games, ${ratings.length} ratings: ${seconds.toFixed(1)} s`);
}
