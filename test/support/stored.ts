import type { SqlSession } from '../../src/platform/database/session.js';

/** What the database has of a game, asked past the server. */

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
 * What is wrong with the games of a database: plies that do not follow one another, a row that says something else
 * than its plies and events, a version that was not announced exactly once. A conditional move is announced with the
 * move that it answers.
 */
export const brokenGames = (db: SqlSession): Promise<{ id: string }[]> =>
  db.query(`
    SELECT g.id FROM games g
    CROSS JOIN LATERAL (
      SELECT count(*) AS plies,
             coalesce(string_agg(p.move || coalesce('=' || p.reveals, '') || coalesce('x' || p.captured, ''), ' '
                                 ORDER BY p.seq), '') AS moves,
             coalesce(bool_and(p.seq = p.ply + 1 AND p.ply = p.place), true) AS contiguous,
             coalesce(bool_and(p.previous_hash = coalesce(p.before, g.terms_hash)), true) AS chained,
             coalesce(max(p.seq), 0) AS seq,
             count(*) FILTER (WHERE p.automatic) AS automatic
      FROM (SELECT *, row_number() OVER (ORDER BY seq) AS place, lag(hash) OVER (ORDER BY seq) AS before
            FROM plies WHERE game_id = g.id) p
    ) played
    CROSS JOIN LATERAL (SELECT max(seq) AS seq FROM game_events WHERE game_id = g.id) logged
    CROSS JOIN LATERAL (SELECT count(*) AS told, count(DISTINCT version) AS versions, max(version) AS newest
                        FROM outbox WHERE game_id = g.id AND topic = 'game') outbox
    WHERE NOT (played.contiguous AND played.chained AND played.plies = g.ply_count AND played.moves = g.moves
           AND greatest(played.seq, logged.seq) = g.version
           AND outbox.told = g.version - played.automatic AND outbox.versions = outbox.told
           AND outbox.newest = g.version)`);
