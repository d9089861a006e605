import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../database/prisma.service.js';

/** The stored idempotency key of a request. */
interface ActRow {
  readonly actor: string;
  readonly key: string;
  readonly operation: string;
  readonly fingerprint: string;
}

@Injectable()
export class IdempotencyStore {
  constructor(private readonly prisma: PrismaService) {}

  find(actor: string, key: string): Promise<{ fingerprint: string; resourceId: string } | null> {
    return this.prisma.db.idempotencyKey.findUnique({
      where: { actor_key: { actor, key } },
      select: { fingerprint: true, resourceId: true },
    });
  }

  /** False if the key is already stored. */
  async insert(tx: Transaction, act: ActRow, resourceId: string, createdAt: Date): Promise<boolean> {
    const { actor, key, operation, fingerprint } = act;
    const data = { actor, key, operation, fingerprint, resourceId, createdAt };
    const { count } = await tx.idempotencyKey.createMany({ data, skipDuplicates: true });
    return count === 1;
  }

  async deleteBefore(moment: Date): Promise<void> {
    await this.prisma.db.idempotencyKey.deleteMany({ where: { createdAt: { lt: moment } } });
  }
}
