import type { SqlSession } from '../../src/platform/database/session.js';

/** What the database stores of a game. */

export interface StoredPly {
  readonly player: 'first' | 'second';
  readonly move: string;
  readonly hash: string;
}

export const storedPly = (db: SqlSession, game: string, ply: number): Promise<StoredPly[]> =>
  db.query<StoredPly>('SELECT player, move, hash FROM plies WHERE game_id = $1::uuid AND ply = $2::integer', [
    game,
    String(ply),
  ]);

/**
 * Finds errors in the games of a database: gaps in the plies, a row that disagrees with its plies and events, with the
 * list of running games or with its alarm, or a version that was not announced exactly once. A conditional move is announced together with the move
 * that it answers.
 */
export const brokenGames = (db: SqlSession): Promise<{ id: string }[]> =>
  db.query(`
    SELECT g.id FROM games g
    CROSS JOIN LATERAL (
      SELECT min(seq) FILTER (WHERE type = 'accept') AS accepted, min(seq) FILTER (WHERE type = 'start') AS started,
             max(seq) AS seq
      FROM game_events WHERE game_id = g.id
    ) logged
    CROSS JOIN LATERAL (
      SELECT count(*) AS plies,
             coalesce(string_agg(p.move || coalesce('=' || p.reveals, '') || coalesce('x' || p.captured, ''), ' '
                                 ORDER BY p.seq DESC), '') AS moves,
             coalesce(bool_and(p.seq = p.ply + logged.started AND p.ply = p.place), true) AS contiguous,
             coalesce(max(p.seq), 0) AS seq,
             count(*) FILTER (WHERE p.automatic) AS automatic
      FROM (SELECT *, row_number() OVER (ORDER BY seq) AS place FROM plies WHERE game_id = g.id) p
    ) played
    CROSS JOIN LATERAL (
      -- One row is the first, no two follow the same one, and the newest is that of the game.
      SELECT count(*) FILTER (WHERE r.before IS NULL) = 1 AND count(DISTINCT r.before) = count(*) - 1
             AND bool_and(r.before IS NULL OR r.before IN (
               SELECT hash FROM plies WHERE game_id = g.id UNION ALL SELECT hash FROM game_events WHERE game_id = g.id))
             AND bool_or(r.hash = g.head_hash) AND bool_and(r.before IS DISTINCT FROM g.head_hash) AS whole
      FROM (SELECT hash, previous_hash AS before FROM plies WHERE game_id = g.id
            UNION ALL SELECT hash, previous_hash FROM game_events WHERE game_id = g.id) r
    ) chain
    CROSS JOIN LATERAL (SELECT count(*) AS told, count(DISTINCT version) AS versions, max(version) AS newest
                        FROM events WHERE user_id = g.first_id AND game_id = g.id AND type IS NULL AND steps > 0) log
    CROSS JOIN LATERAL (
      SELECT bool_and(coalesce(e.version - e.steps = e.before, true)) AS complete
      FROM (SELECT version, steps, lag(version) OVER (ORDER BY version) AS before
            FROM events WHERE game_id = g.id AND type IS NULL AND steps > 0) e
    ) events
    WHERE NOT (played.contiguous AND chain.whole AND played.plies = g.ply_count AND played.moves = g.moves
           AND greatest(played.seq, logged.seq) = g.version
           AND log.told = g.version - logged.accepted + 1 - played.automatic AND log.versions = log.told
           AND log.newest = g.version AND events.complete
           AND (g.ended_at IS NULL) = EXISTS (
             SELECT 1 FROM running_games WHERE game_id = g.id AND last_activity_at = g.last_activity_at)
           AND coalesce(g.due_at <= least(g.deadline_at + interval '1 millisecond', g.wake_at),
                        g.deadline_at IS NULL AND g.wake_at IS NULL))`);
