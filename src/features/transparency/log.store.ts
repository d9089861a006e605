import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import type { LogEntry } from '../../fairness/log-entry.js';
import { grown, leafHash, type Tile, TILE_WIDTH, type TileReader, tilesFor } from '../../fairness/tlog.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { type Ended, ENDING_EVENTS, type OpenedRow } from './log.facts.js';

/** An advisory lock until the transaction ends: exclusive to append, shared to rely on the order of entries. */
const LOCK = Prisma.raw(`hashtextextended('log', 0)`);
/** The advisory lock of the one instance that appends, also for the others. */
const APPENDER = Prisma.raw(`hashtextextended('log turn', 0)`);

export type EntryKind = LogEntry['type'];

/** An item of the queue, openings first. */
export interface Waiting {
  readonly gameId: string;
  readonly isEnd: boolean;
}

/** An entry to append, as text. */
export interface NewEntry {
  readonly gameId: string;
  readonly kind: EntryKind;
  readonly entry: string;
}

@Injectable()
export class LogStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The number of entries. */
  async size(tx: Transaction = this.prisma.db): Promise<number> {
    const last = await tx.logEntry.findFirst({ orderBy: { idx: 'desc' }, select: { idx: true } });
    return last === null ? 0 : Number(last.idx) + 1;
  }

  async isAnythingWaiting(): Promise<boolean> {
    // In the order of the key, so that dead rows are not scanned.
    return (await this.prisma.db.unlogged.findFirst({ orderBy: [{ isEnd: 'asc' }, { at: 'asc' }] })) !== null;
  }

  /** The index of an entry; null if it is not in the log. */
  async find(gameId: string, kind: EntryKind): Promise<number | null> {
    const row = await this.prisma.db.logEntry.findUnique({ where: { gameId_kind: { gameId, kind } } });
    return row && Number(row.idx);
  }

  /** True if this challenge, or its game, is over; null for an unknown id. */
  async isOver(id: string): Promise<boolean | null> {
    const [row] = await this.prisma.query<{ isOver: boolean }[]>`
      SELECT became_no_game(c.status, c.id, c.game_id) OR g.ended_at IS NOT NULL AS "isOver"
      FROM challenges c LEFT JOIN games g ON g.id = c.id WHERE c.id = ${id}::uuid`;
    return row?.isOver ?? null;
  }

  /** The hashes of a tile; fewer than its width if it is not complete. */
  async hashes({ level, index, width }: Tile, tx: Transaction = this.prisma.db): Promise<Uint8Array> {
    const rows = await tx.logNode.findMany({
      where: { level, idx: within(index, width) },
      orderBy: { idx: 'asc' },
      select: { hash: true },
    });
    return Buffer.concat(rows.map(({ hash }) => hash));
  }

  /** Loads the tiles that `work` reads, which must exist, and runs it. */
  async reading<T>(work: (read: TileReader) => T, tx: Transaction = this.prisma.db): Promise<T> {
    const known = new Map<string, Uint8Array>();
    await Promise.all(
      tilesFor(work).map(async (tile) => known.set(keyOf(tile), await this.hashes(tile, tx))),
    );
    return work((tile) => known.get(keyOf(tile))!);
  }

  /** The entries of a bundle; fewer than its width if it is not complete. */
  async entries(index: number, width: number): Promise<readonly string[]> {
    const where = { idx: within(index, width) };
    const rows = await this.prisma.db.logEntry.findMany({ where, orderBy: { idx: 'asc' } });
    return rows.map(({ entry }) => entry);
  }

  /**
   * Takes up to `limit` waiting items and appends the entries that `print` makes of them, in one exclusive transaction:
   * each is logged once, in the order of the queue. Returns how many were taken; 0 while another instance appends.
   */
  append(
    limit: number,
    print: (waiting: readonly Waiting[], tx: Transaction) => Promise<readonly NewEntry[]>,
  ): Promise<number> {
    return this.prisma.transaction(async (tx) => {
      const [appender] = await tx.$queryRaw<
        [{ isMine: boolean }]
      >`SELECT pg_try_advisory_xact_lock(${APPENDER}) AS "isMine"`;
      if (!appender.isMine) return 0;
      // Lock before reading, so that the following statements see all that was committed before.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
      const waiting = await take(tx, limit);
      if (waiting.length > 0) await this.extend(tx, await print(await unknown(tx, waiting), tx));
      return waiting.length;
    });
  }

  /** Of two challenges the one whose opening is, or will be, earlier in the log. Blocks appending until the transaction ends. */
  async earlier(tx: Transaction, ids: readonly [string, string]): Promise<string> {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${LOCK})`;
    const [first] = await tx.$queryRaw<[{ id: string }]>`
      SELECT c.id::text AS id FROM challenges c LEFT JOIN log_entries e ON e.game_id = c.id AND e.kind = 'open'
      WHERE c.id = ANY(${[...ids]}::uuid[]) ORDER BY e.idx NULLS LAST, c.created_at, c.id LIMIT 1`;
    return first.id;
  }

  async opened(ids: readonly string[], tx: Transaction): Promise<readonly OpenedRow[]> {
    return tx.challenge.findMany({ where: { id: { in: [...ids] } } });
  }

  /** The rows of ended challenges and their games, without the seeds. */
  async ended(ids: readonly string[], tx: Transaction): Promise<readonly Omit<Ended, 'serverSeed'>[]> {
    const where = { id: { in: [...ids] } };
    const [challenges, games] = [await this.opened(ids, tx), await tx.game.findMany({ where })];
    const aborted = games.filter(({ status }) => status === 'aborted').map(({ id }) => id);
    const events = await tx.gameEvent.findMany({
      where: { gameId: { in: aborted }, type: { in: [...ENDING_EVENTS] } },
      orderBy: { seq: 'asc' },
    });
    const game = new Map(games.map((row) => [row.id, row]));
    const event = new Map(events.map((row) => [row.gameId, row]));
    return challenges.map((challenge) => ({
      challenge,
      game: game.get(challenge.id) ?? null,
      event: event.get(challenge.id) ?? null,
    }));
  }

  private async extend(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
    const size = await this.size(tx);
    const leaves = entries.map(({ entry }) => leafHash(entry));
    const nodes = await this.reading((read) => grown(size, leaves, read), tx);
    await tx.logEntry.createMany({
      data: entries.map((entry, at) => ({ ...entry, idx: BigInt(size + at) })),
    });
    await tx.logNode.createMany({
      data: nodes.map(({ level, index, hash }) => ({
        level,
        idx: BigInt(index),
        hash: new Uint8Array(hash),
      })),
    });
  }
}

const keyOf = ({ level, index }: Tile): string => `${level}/${index}`;

const within = (index: number, width: number) => ({
  gte: BigInt(index) * BigInt(TILE_WIDTH),
  lt: BigInt(index) * BigInt(TILE_WIDTH) + BigInt(width),
});

/** Removes the first items from the queue, in its order. */
function take(tx: Transaction, limit: number): Promise<readonly Waiting[]> {
  return tx.$queryRaw<Waiting[]>`
    WITH taken AS (
      DELETE FROM unlogged WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM unlogged ORDER BY is_end, at, game_id LIMIT ${limit}))
      RETURNING is_end, at, game_id
    )
    SELECT is_end AS "isEnd", game_id::text AS "gameId" FROM taken ORDER BY is_end, at, game_id`;
}

/** Drops duplicates and items already in the log: an imported database queues everything again. */
async function unknown(tx: Transaction, waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
  const gameId = { in: waiting.map((each) => each.gameId) };
  const logged = await tx.logEntry.findMany({ where: { gameId }, select: { gameId: true, kind: true } });
  const known = new Set(logged.map((row) => `${row.kind} ${row.gameId}`));
  return waiting.filter((each) => {
    const key = `${kindOf(each)} ${each.gameId}`;
    return !known.has(key) && known.add(key);
  });
}

export const kindOf = ({ isEnd }: Waiting): EntryKind => (isEnd ? 'end' : 'open');
