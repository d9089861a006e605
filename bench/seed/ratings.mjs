import { firstRow, keysOf, resultsOf } from '../../dist/features/ratings/results.js';
import { batch } from './tables.mjs';

/**
 * The ratings that the games have given, in the order of their ends: all in one transaction, with its mark. From there
 * on the games wait for the explorer.
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
    // The sweep of the server takes them off the leaderboard when their time there is over.
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
