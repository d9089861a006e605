import type { SqlSession } from '../../src/platform/database/session.js';

/**
 * Finds errors in the ratings of a database: a rated game without a change for each player, or an unrated
 * game with changes; a broken chain of changes; a rating that differs from its last change or from the
 * results of its games.
 */
export const brokenRatings = (db: SqlSession): Promise<{ what: string }[]> =>
  db.query(`
    WITH chain AS (
      SELECT *, row_number() OVER own AS place, lag(rating) OVER own AS last_rating, lag(deviation) OVER own AS last_deviation,
             lag(volatility) OVER own AS last_volatility, lead(number) OVER own AS next
      FROM rating_changes WINDOW own AS (PARTITION BY user_id, ruleset ORDER BY number)
    ), played AS (
      SELECT c.user_id, c.ruleset, count(*) AS games, count(*) FILTER (WHERE g.winner = c.player) AS wins,
             count(*) FILTER (WHERE g.winner IS NULL) AS draws, max(c.at) AS at
      FROM rating_changes c JOIN games g ON g.id = c.game_id GROUP BY c.user_id, c.ruleset
    )
    SELECT 'game ' || g.id AS what FROM games g
    LEFT JOIN rating_changes a ON a.game_id = g.id AND a.player = 'first' AND a.user_id = g.first_id AND a.ruleset = g.ruleset
    LEFT JOIN rating_changes b ON b.game_id = g.id AND b.player = 'second' AND b.user_id = g.second_id AND b.ruleset = g.ruleset
    WHERE (g.ended_at IS NOT NULL AND g.unrated IS NULL)
          IS DISTINCT FROM (a.at IS NOT DISTINCT FROM g.ended_at AND b.at IS NOT DISTINCT FROM g.ended_at AND a.at IS NOT NULL)
       OR (a.game_id IS NULL) <> (b.game_id IS NULL)
    UNION ALL
    SELECT 'change ' || game_id || ' ' || player FROM chain
    WHERE number <> place OR rating_before <> coalesce(last_rating, 1500)
       OR volatility_before <> coalesce(last_volatility, 0.09) OR deviation_before < coalesce(last_deviation, 500)
    UNION ALL
    SELECT 'rating ' || coalesce(r.user_id, c.user_id) || ' ' || coalesce(r.ruleset, c.ruleset)
    FROM ratings r
    FULL JOIN (SELECT * FROM chain WHERE next IS NULL) c USING (user_id, ruleset)
    LEFT JOIN played p USING (user_id, ruleset)
    WHERE (r.rating, r.deviation, r.volatility, r.games, r.wins, r.draws, r.losses, r.rated_at)
      IS DISTINCT FROM (c.rating, c.deviation, c.volatility, c.number, p.wins::integer, p.draws::integer,
                        (p.games - p.wins - p.draws)::integer, p.at)`);
