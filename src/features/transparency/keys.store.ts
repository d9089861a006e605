import { Injectable } from '@nestjs/common';
import type { KeyUse } from '../../engine/signing.service.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { refusalOf } from '../../platform/database/violations.js';

/** A key in use. */
export interface KeyInUse {
  readonly key: string;
  readonly use: KeyUse;
}

/** A current or retired key; `retiredAt` is null while it is in use. */
export interface KeyRow extends KeyInUse {
  readonly firstUsedAt: Date;
  readonly retiredAt: Date | null;
}

@Injectable()
export class KeysStore {
  constructor(private readonly prisma: PrismaService) {}

  async all(): Promise<readonly KeyRow[]> {
    const orderBy = [{ firstUsedAt: 'asc' }, { key: 'asc' }] as const;
    const rows = await this.prisma.db.signingKey.findMany({ orderBy: [...orderBy] });
    return rows.map((row) => ({ ...row, use: row.use as KeyUse }));
  }

  /**
   * Records the keys in use. Runs separate statements, and none if nothing has changed, so that servers starting at once
   * cannot deadlock.
   */
  async record(inUse: readonly KeyInUse[], now: Date): Promise<void> {
    const known = await this.all();
    const isInUse = ({ key }: KeyRow) => inUse.some((other) => other.key === key);
    const added = inUse.filter(({ key }) => !known.some((other) => other.key === key));
    const gone = known.filter((row) => row.retiredAt === null && !isInUse(row));
    const back = known.filter((row) => row.retiredAt !== null && isInUse(row));
    try {
      await this.add(added, now);
      await this.setRetired(gone, now);
      await this.setRetired(back, null);
    } catch (error) {
      // Start even on a full disk, so that games can be read; the next start records the keys.
      if (refusalOf(error)?.code !== 'STORAGE_FULL') throw error;
    }
  }

  private async add(keys: readonly KeyInUse[], firstUsedAt: Date): Promise<void> {
    const data = keys.map((key) => ({ ...key, firstUsedAt }));
    if (data.length > 0) await this.prisma.db.signingKey.createMany({ data, skipDuplicates: true });
  }

  private async setRetired(rows: readonly KeyRow[], retiredAt: Date | null): Promise<void> {
    const where = { key: { in: rows.map(({ key }) => key) } };
    if (rows.length > 0) await this.prisma.db.signingKey.updateMany({ where, data: { retiredAt } });
  }
}
