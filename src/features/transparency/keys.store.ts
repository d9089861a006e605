import { Injectable } from '@nestjs/common';
import type { KeyUse } from '../../engine/notary.service.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { refusalOf } from '../../platform/database/violations.js';

/** A key that signs now. */
export interface KeyInUse {
  readonly key: string;
  readonly use: KeyUse;
}

/** A key that signs or once did; `retiredAt` is null while it signs. */
export interface KeyRow extends KeyInUse {
  readonly firstUsedAt: Date;
  readonly retiredAt: Date | null;
}

@Injectable()
export class KeysStore {
  constructor(private readonly prisma: PrismaService) {}

  /** The oldest first. */
  async all(): Promise<readonly KeyRow[]> {
    const orderBy = [{ firstUsedAt: 'asc' }, { key: 'asc' }] as const;
    const rows = await this.prisma.db.signingKey.findMany({ orderBy: [...orderBy] });
    return rows.map((row) => ({ ...row, use: row.use as KeyUse }));
  }

  /**
   * Writes down which keys are in use from now on. Each statement stands alone, and there is none where all is as it
   * was: servers that start at once do not wait for each other in a circle.
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
      // On a full disk games can be read, at least; the next start writes it down.
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
