import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { EndedGame, MoveCount, PositionCount } from './explorer.js';

/** Shared by all who count, alone while all is to be counted anew: held until the end of a transaction. */
const LOCK = Prisma.raw(`hashtextextended('explorer', 0)`);

const RESET_MS = 3_600_000;
/** So many are written by one statement, which has seconds: all together may be millions. */
const WAITING_AT_ONCE = 10_000;

@Injectable()
export class ExplorerStore {
  constructor(private readonly prisma: PrismaService) {}

  /** What is counted in a position, in no order. */
  of(position: string): Promise<MoveCount[]> {
    return this.prisma.db.$queryRaw<MoveCount[]>`
      SELECT move, first_won AS "firstWon", drawn, second_won AS "secondWon"
      FROM opening_moves WHERE position = ${position}::uuid`;
  }

  /** How many games wait to be counted. */
  waiting(): Promise<number> {
    return this.prisma.db.unexploredGame.count();
  }

  /**
   * Takes up to `limit` games whose ids are behind `after`, but for those that another instance has in hand, and adds
   * what `count` makes of them, in one transaction: each is counted once. Their ids in order; none when there is nothing
   * to do.
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
   * Nothing is counted, and all games wait. Those who count at this moment are waited for; readers are not held up. It
   * is one transaction, however many games there are, so that none is counted twice: `changes` and what instances tell
   * each other wait for it.
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

/** Some finished games behind this id wait from now on; the last of them. */
async function awaitSome(tx: Transaction, after: string): Promise<string | undefined> {
  const [last] = await tx.$queryRaw<{ id: string }[]>`
    WITH part AS MATERIALIZED (
      SELECT id FROM games WHERE status = 'finished' AND id > ${after}::uuid ORDER BY id LIMIT ${WAITING_AT_ONCE}
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

/** Always in the order of keys, so that two at once wait for each other and never in a circle. */
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
