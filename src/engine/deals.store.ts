import { hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../platform/process/config.module.js';
import { PrismaService, type Transaction } from '../platform/database/prisma.service.js';
import { DatabaseRefusal } from '../platform/database/refusal.js';
import { refusalOf } from '../platform/database/violations.js';
import { NONCE_BYTES, seal, unseal } from '../platform/process/sealing.js';

/** The name of the secret's fingerprint in the database. */
const MARK = 'seed secret';

const otherSecret = (): DatabaseRefusal =>
  new DatabaseRefusal(
    'The seeds in this database were sealed with another SEED_SECRET than the one that is set. Without that one no piece ' +
      'can be turned up and no deal can be proven. Set SEED_SECRET to it, or restore secrets.json in the data folder ' +
      'from the backup that belongs to this database. If it is lost for good, start once with LOST_SEEDS=accept.',
  );

/** The seeds of all deals, each encrypted under the id of its game. Nothing else reads this table. */
@Injectable()
export class DealsStore implements OnModuleInit {
  private readonly logger = new Logger(DealsStore.name);
  private readonly key: Buffer;
  private readonly fingerprint: string;

  constructor(
    private readonly prisma: PrismaService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'seedSecret' | 'lostSeeds'>,
  ) {
    const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', config.seedSecret, '', purpose, 32));
    this.key = derived('halfmove deal seeds');
    this.fingerprint = derived('halfmove fingerprint of the seed secret').toString('hex');
  }

  /**
   * Checks that the seeds were sealed with the configured secret. A new database stores its fingerprint. Throws a
   * DatabaseRefusal.
   */
  async onModuleInit(): Promise<void> {
    const { db } = this.prisma;
    const known = await db.mark.findUnique({ where: { name: MARK } });
    if (known?.value === this.fingerprint) return;
    const sealed = await db.dealSecret.findFirst({ orderBy: { gameId: 'desc' } });
    if (sealed !== null && !this.opens(sealed)) {
      if (this.config.lostSeeds === 'refuse') throw otherSecret();
      this.logger.error(
        'The seeds of older games cannot be opened: SEED_SECRET is another one (LOST_SEEDS).',
      );
    }
    const mark = { name: MARK, value: this.fingerprint };
    await db.mark.upsert({ where: { name: MARK }, create: mark, update: mark }).catch((error: unknown) => {
      // With a full disk the server still starts, so that games can be read; the next start stores the mark.
      if (refusalOf(error)?.code !== 'STORAGE_FULL') throw error;
    });
  }

  private opens({ gameId, sealed }: { readonly gameId: string; readonly sealed: Uint8Array }): boolean {
    try {
      return this.unseal(gameId, sealed).length > 0;
    } catch {
      return false;
    }
  }

  async insert(tx: Transaction, gameId: string, seed: Buffer, createdAt: Date): Promise<void> {
    const sealed = seal(this.key, Buffer.from(gameId), randomBytes(NONCE_BYTES), seed);
    await tx.dealSecret.create({ data: { gameId, sealed: new Uint8Array(sealed), createdAt } });
  }

  async seed(gameId: string, tx: Transaction = this.prisma.db): Promise<Buffer> {
    const { sealed } = await tx.dealSecret.findUniqueOrThrow({ where: { gameId } });
    return this.unseal(gameId, sealed);
  }

  /**
   * The seeds of those that are over, games or challenges that never became one. The statement checks this itself, so
   * that no caller can leak the seed of a running game.
   */
  async seedsOfEnded(
    gameIds: readonly string[],
    tx: Transaction = this.prisma.db,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const rows = await tx.$queryRaw<{ id: string; sealed: Uint8Array }[]>`
      SELECT s.game_id::text AS id, s.sealed FROM deal_secrets s
      LEFT JOIN games g ON g.id = s.game_id LEFT JOIN challenges c ON c.id = s.game_id
      WHERE s.game_id = ANY(${[...gameIds]}::uuid[]) AND (
        g.status IN ('finished', 'aborted')
        OR g.id IS NULL AND became_no_game(c.status, c.id, c.game_id))`;
    return new Map(rows.flatMap(({ id, sealed }) => this.unsealed(id, sealed)));
  }

  /** Empty if the seed was sealed with another secret, so that such games can still be read. */
  private unsealed(gameId: string, sealed: Uint8Array): [string, Buffer][] {
    try {
      return [[gameId, this.unseal(gameId, sealed)]];
    } catch (error) {
      this.logger.error(error);
      return [];
    }
  }

  private unseal(gameId: string, sealed: Uint8Array): Buffer {
    try {
      return unseal(this.key, Buffer.from(gameId), Buffer.from(sealed));
    } catch (cause) {
      throw new Error(
        `The seed of game ${gameId} does not open: SEED_SECRET is not the one it was sealed with`,
        { cause },
      );
    }
  }
}
