import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { EndedGame, MoveCount, PositionCount } from './explorer.js';

/** An advisory lock until the transaction ends: shared by counting instances, exclusive for a reset. */
const LOCK = Prisma.raw(`hashtextextended('explorer', 0)`);

const RESET_MS = 3_600_000;
/** The rows queued by one statement, which must finish in seconds although there may be millions of games. */
const WAITING_AT_ONCE = 10_000;

@Injectable()
export class ExplorerStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The counts of a position, unordered. */
  of(position: string): Promise<MoveCount[]> {
    return this.prisma.query<MoveCount[]>`
      SELECT move, first_won AS "firstWon", drawn, second_won AS "secondWon"
      FROM opening_moves WHERE position = ${position}::uuid`;
  }

  /** The number of games that wait to be counted. */
  waiting(): Promise<number> {
    return this.prisma.db.unexploredGame.count();
  }

  /**
   * Takes up to `limit` waiting games with ids behind `after` that no other instance has locked, and adds their counts in
   * the same transaction, so that each is counted once. Returns their ids in order; empty when there is nothing to do.
   */
  async take(
    after: string,
    limit: number,
    count: (games: readonly EndedGame[]) => readonly PositionCount[],
  ): Promise<readonly string[]> {
    return this.prisma.transaction(async (tx) => {
      const [lock] = await tx.$queryRaw<{ shared: boolean }[]>`
        SELECT pg_try_advisory_xact_lock_shared(${LOCK}) AS shared`;
      if (!lock!.shared) return [];
      const taken = await tx.$queryRaw<{ id: string }[]>`
        DELETE FROM unexplored_games WHERE game_id = ANY (ARRAY(
          SELECT game_id FROM unexplored_games WHERE game_id > ${after}::uuid
          ORDER BY game_id LIMIT ${limit} FOR UPDATE SKIP LOCKED))
        RETURNING game_id::text AS id`;
      const ids = taken.map(({ id }) => id).sort();
      if (ids.length > 0) await add(tx, count(await gamesOf(tx, ids)));
      return ids;
    });
  }

  /**
   * Deletes all counts and queues all games. Waits for counting instances but does not block readers. It is one
   * transaction, even for many games, so that none is counted twice; `changes` and messages between instances wait for it.
   */
  async reset(): Promise<void> {
    await this.prisma.transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
        let last: string | undefined = NIL;
        while (last !== undefined) last = await awaitSome(tx, last);
        await tx.$executeRaw`TRUNCATE opening_moves`;
      },
      { maxWait: RESET_MS, timeout: RESET_MS },
    );
  }
}

/** Queues a batch of finished games, as leave_unexplored does each at its end, behind this id; returns the last id. */
async function awaitSome(tx: Transaction, after: string): Promise<string | undefined> {
  const [last] = await tx.$queryRaw<{ id: string }[]>`
    WITH part AS MATERIALIZED (
      SELECT id FROM games WHERE status = 'finished' AND application_id IS NULL AND id > ${after}::uuid ORDER BY id LIMIT ${WAITING_AT_ONCE}
    ), waiting AS (
      INSERT INTO unexplored_games SELECT id FROM part ON CONFLICT DO NOTHING
    )
    SELECT id::text AS id FROM part ORDER BY part.id DESC LIMIT 1`;
  return last?.id;
}

async function gamesOf(tx: Transaction, ids: readonly string[]): Promise<readonly EndedGame[]> {
  const rows = await tx.game.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, ruleset: true, options: true, setup: true, moves: true, winner: true },
  });
  return rows as unknown as readonly EndedGame[];
}

/** Always in the order of keys, so that concurrent transactions cannot deadlock. */
async function add(tx: Transaction, counts: readonly PositionCount[]): Promise<void> {
  const column = <K extends keyof PositionCount>(name: K) => counts.map((count) => count[name]);
  await tx.$executeRaw`
    INSERT INTO opening_moves AS o (position, move, first_won, drawn, second_won)
    SELECT * FROM unnest(${column('position')}::uuid[], ${column('move')}::text[], ${column('firstWon')}::integer[],
                         ${column('drawn')}::integer[], ${column('secondWon')}::integer[]) AS n(position, move)
    ORDER BY n.position, n.move COLLATE "C"
    ON CONFLICT (position, move) DO UPDATE SET first_won = o.first_won + excluded.first_won,
      drawn = o.drawn + excluded.drawn, second_won = o.second_won + excluded.second_won`;
}
