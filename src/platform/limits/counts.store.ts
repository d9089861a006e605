import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService } from '../database/prisma.service.js';

interface CountRow {
  readonly points: number;
  readonly expire: bigint | null;
}

/** The table of counts, as the client of PostgreSQL that rate-limiter-flexible expects. */
@Injectable()
export class CountsStore {
  constructor(private readonly prisma: PrismaService) {}

  async query({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) {
    // The text has a `$1` for each use of a value.
    const uses = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => values[Number(place) - 1]);
    const rows = await this.prisma.query<CountRow[]>(new Prisma.Sql(text.split(/\$\d+/), uses));
    return {
      rows: rows.map(({ points, expire }) => ({ points, expire: expire === null ? null : Number(expire) })),
      rowCount: rows.length,
    };
  }

  /** Counts one less of what has not expired, and how it stands. */
  async giveBack(key: string, now: number): Promise<{ readonly points: number; readonly expire: number }> {
    const rows = await this.prisma.query<CountRow[]>`
      UPDATE rate_counts SET points = points - 1 WHERE key = ${key} AND points > 0 AND expire > ${now}
      RETURNING points, expire`;
    const [row] = rows;
    return row === undefined
      ? { points: 0, expire: now }
      : { points: row.points, expire: Number(row.expire) };
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.prisma.db.rateCount.deleteMany({ where: { expire: { lt: BigInt(now.getTime()) } } });
  }
}
