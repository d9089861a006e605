import { Injectable } from '@nestjs/common';
import type { ScorePly } from '../../formats/score.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Place } from '../../platform/contract/cursors.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { ImportRow, Stretch, WholeImportRow } from './import.row.js';

/** The columns except the plies, which lists do not need. */
const SHOWN = {
  id: true,
  userId: true,
  importId: true,
  score: true,
  plyCount: true,
  position: true,
  importedAt: true,
} as const;

const PLIES_AT_ONCE = 2000;

// The casts are safe: only this program writes the columns.
type Json = Prisma.InputJsonValue;

@Injectable()
export class ImportsStore {
  constructor(private readonly prisma: PrismaService) {}

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.prisma.transaction(work);
  }

  async insert(tx: Transaction, rows: readonly WholeImportRow[]): Promise<void> {
    for (const some of inParts(rows)) {
      const data = some.map(({ score, plies, ...row }) => ({
        ...row,
        score: score as unknown as Json,
        plies: plies as unknown as Json,
      }));
      await tx.importedGame.createMany({ data });
    }
  }

  /** The number of games that a user has imported. */
  count(tx: Transaction, userId: string): Promise<number> {
    return tx.importedGame.count({ where: { userId } });
  }

  /** The existing games with these ids, unordered. */
  byIds(ids: readonly string[]): Promise<readonly ImportRow[]> {
    return this.many({ where: { id: { in: [...ids] } } });
  }

  /** The games of one text that were not deleted, in its order. */
  ofImport(importId: string): Promise<readonly ImportRow[]> {
    return this.many({ where: { importId }, orderBy: { id: 'asc' } });
  }

  /** A user's games, newest first. */
  ofUser(userId: string, after: Place | null, limit: number): Promise<readonly ImportRow[]> {
    return this.many({
      where: { userId, ...(after === null ? {} : behind(after)) },
      orderBy: [{ importedAt: 'desc' }, { id: 'desc' }],
      take: limit,
    });
  }

  /** The plies of each range, in the order of the requests; empty for an unknown game. */
  async plies(stretches: readonly Stretch[]): Promise<readonly (readonly ScorePly[])[]> {
    const rows = await this.prisma.query<{ at: number; plies: readonly ScorePly[] | null }[]>`
      SELECT s.at::integer AS at, (
        SELECT json_agg(p.ply ORDER BY p.number) FROM json_array_elements(g.plies) WITH ORDINALITY p(ply, number)
        WHERE p.number > s.after AND p.number <= s.until
      ) AS plies
      FROM unnest(
        ${stretches.map(({ id }) => id)}::uuid[], ${stretches.map(({ after }) => after)}::integer[],
        ${stretches.map(({ until }) => until)}::integer[]
      ) WITH ORDINALITY s(id, after, until, at)
      JOIN imported_games g ON g.id = s.id`;
    const byPlace = new Map(rows.map(({ at, plies }) => [at - 1, plies]));
    // Plies of older imports have no time.
    const plyOf = (ply: ScorePly) => ({ ...ply, timeUsed: (ply.timeUsed as number | undefined) ?? null });
    return stretches.map((_, at) => byPlace.get(at)?.map(plyOf) ?? []);
  }

  /** Returns false if it was already deleted. */
  async delete(id: string): Promise<boolean> {
    const { count } = await this.prisma.db.importedGame.deleteMany({ where: { id } });
    return count === 1;
  }

  private async many(query: Omit<Prisma.ImportedGameFindManyArgs, 'select'>): Promise<readonly ImportRow[]> {
    return (await this.prisma.db.importedGame.findMany({
      ...query,
      select: SHOWN,
    })) as unknown as ImportRow[];
  }
}

/** Splits an insert into statements with few plies or one game each, as others wait while a statement is prepared. */
function inParts(rows: readonly WholeImportRow[]): readonly (readonly WholeImportRow[])[] {
  const parts: WholeImportRow[][] = [];
  let plies = Infinity;
  for (const row of rows) {
    plies += row.plyCount;
    if (plies > PLIES_AT_ONCE) {
      parts.push([]);
      plies = row.plyCount;
    }
    parts.at(-1)!.push(row);
  }
  return parts;
}

/** The condition for rows behind a place. */
const behind = ({ at, id }: Place) => ({
  importedAt: { lte: at },
  OR: [{ importedAt: { lt: at } }, { id: { lt: id } }],
});
