import { Injectable } from '@nestjs/common';
import { PrismaService } from '../platform/database/prisma.service.js';
import { GroupCommit } from '../platform/group-commit.js';
import type { Act } from './game.row.js';

/**
 * Writes acts: ply, events, game row and outbox in ONE statement, conditional on the version that each act was judged
 * on. Acts that come while a commit is under way go together in the next one.
 */
@Injectable()
export class CommitStore {
  private readonly group = new GroupCommit<Act>(
    (act) => act.before.id,
    (acts) => this.write(acts),
    (act) => this.writeAlone(act),
  );

  constructor(private readonly prisma: PrismaService) {}

  /** True when the act is stored, false when another act of the game came first. */
  commit(act: Act): Promise<boolean> {
    return this.group.submit(act);
  }

  /**
   * After a failure nobody knows whether the batch was stored. Writing again is safe: the guard lets it in only if it
   * was not, and when the guard refuses, the log tells whether this very act is the one that is there.
   */
  private async writeAlone(act: Act): Promise<boolean> {
    const won = await this.write([act]);
    return won.has(act.before.id) || (await this.isStored(act));
  }

  private async isStored({ before, ply, events }: Act): Promise<boolean> {
    const seq = before.version + 1;
    const [event] = events;
    const rows = ply
      ? await this.prisma.db.$queryRaw<unknown[]>`
          SELECT 1 FROM plies WHERE game_id = ${before.id}::uuid AND seq = ${seq} AND hash = ${ply.hash}`
      : await this.prisma.db.$queryRaw<unknown[]>`
          SELECT 1 FROM game_events WHERE game_id = ${before.id}::uuid AND seq = ${seq} AND type = ${event!.type}
            AND player IS NOT DISTINCT FROM ${event!.player} AND at = ${event!.at}`;
    return rows.length > 0;
  }

  private async write(acts: readonly Act[]): Promise<ReadonlySet<string>> {
    const rows = await this.prisma.db.$queryRaw<{ id: string }[]>`
      WITH acts AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(acts.map(toJson))}::jsonb) AS a(
          id uuid, version integer, status text, ply_count integer, turn text, position text, anchor_position text,
          anchor_ply integer, moves text, head_hash text, turn_started_at timestamptz, deadline_at timestamptz,
          winner text, reason text, last_activity_at timestamptz, ended_at timestamptz, ply jsonb, events jsonb)
      ), free AS MATERIALIZED (
        SELECT g.id FROM games g JOIN acts a ON g.id = a.id WHERE g.version = a.version ORDER BY g.id FOR UPDATE OF g
      ), won AS (
        UPDATE games g SET
          version = a.version + 1, status = a.status, ply_count = a.ply_count, turn = a.turn, position = a.position,
          anchor_position = a.anchor_position, anchor_ply = a.anchor_ply, moves = a.moves, head_hash = a.head_hash,
          turn_started_at = a.turn_started_at, deadline_at = a.deadline_at, winner = a.winner, reason = a.reason,
          last_activity_at = a.last_activity_at, ended_at = a.ended_at
        FROM acts a JOIN free f ON f.id = a.id
        WHERE g.id = a.id AND g.version = a.version
        RETURNING g.id, g.version
      ), played AS (
        INSERT INTO plies (game_id, seq, ply, player, move, reveals, captured, san, position, time_used, automatic,
                           played_at, previous_hash, hash, proof)
        SELECT w.id, w.version, p.ply, p.player, p.move, p.reveals, p.captured, p.san, p.position, p."timeUsed",
               p.automatic, p."playedAt", p."previousHash", p.hash, p.proof
        FROM acts a JOIN won w ON w.id = a.id
        CROSS JOIN LATERAL jsonb_to_record(a.ply) AS p(
          ply integer, player text, move text, reveals text, captured text, san text, position text,
          "timeUsed" integer, automatic boolean, "playedAt" timestamptz, "previousHash" text, hash text, proof jsonb)
        WHERE jsonb_typeof(a.ply) = 'object'
      ), logged AS (
        INSERT INTO game_events (game_id, seq, type, player, data, at)
        SELECT w.id, w.version, e.type, e.player, e.data, e.at
        FROM acts a JOIN won w ON w.id = a.id
        CROSS JOIN LATERAL jsonb_to_recordset(a.events) AS e(type text, player text, data jsonb, at timestamptz)
      ), told AS (
        INSERT INTO outbox (game_id, version, created_at)
        SELECT id, version, now() FROM won
      )
      SELECT id FROM won`;
    return new Set(rows.map(({ id }) => id));
  }
}

/** The act as the statement reads it: dates as ISO text, which JSON.stringify makes of them. */
const toJson = ({ before, change, ply, events }: Act) => ({
  id: before.id,
  version: before.version,
  status: change.status,
  ply_count: change.plyCount,
  turn: change.turn,
  position: change.position,
  anchor_position: change.anchorPosition,
  anchor_ply: change.anchorPly,
  moves: change.moves,
  head_hash: change.headHash,
  turn_started_at: change.turnStartedAt,
  deadline_at: change.deadlineAt,
  winner: change.winner,
  reason: change.reason,
  last_activity_at: change.lastActivityAt,
  ended_at: change.endedAt,
  ply,
  events,
});
