import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../platform/config.module.js';
import { PrismaService, type Transaction } from '../platform/database/prisma.service.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The seeds of all deals, encrypted at rest (AES-256-GCM, bound to their game). Nothing else reads this table. */
@Injectable()
export class DealsStore {
  private readonly logger = new Logger(DealsStore.name);
  private readonly key: Buffer;

  constructor(
    private readonly prisma: PrismaService,
    @Inject(CONFIG) config: Config,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', config.seedSecret, '', 'halfmove deal seeds', 32));
  }

  async insert(tx: Transaction, gameId: string, seed: Buffer, createdAt: Date): Promise<void> {
    const sealed = new Uint8Array(this.seal(gameId, seed));
    await tx.dealSecret.create({ data: { gameId, sealed, createdAt } });
  }

  async seed(gameId: string): Promise<Buffer> {
    const { sealed } = await this.prisma.db.dealSecret.findUniqueOrThrow({ where: { gameId } });
    return this.unseal(gameId, sealed);
  }

  /** Those of games that are over: asked in one statement, so that no caller can get it wrong. */
  async seedsOfEnded(gameIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const rows = await this.prisma.db.$queryRaw<{ id: string; sealed: Uint8Array }[]>`
      SELECT g.id::text AS id, s.sealed FROM deal_secrets s JOIN games g ON g.id = s.game_id
      WHERE g.id = ANY(${[...gameIds]}::uuid[]) AND g.status IN ('finished', 'aborted')`;
    return new Map(rows.flatMap(({ id, sealed }) => this.unsealed(id, sealed)));
  }

  /** None where the seed was sealed with another secret: what was played can be read all the same. */
  private unsealed(gameId: string, sealed: Uint8Array): [string, Buffer][] {
    try {
      return [[gameId, this.unseal(gameId, sealed)]];
    } catch (error) {
      this.logger.error(error);
      return [];
    }
  }

  private seal(gameId: string, seed: Buffer): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(gameId));
    const body = Buffer.concat([cipher.update(seed), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  private unseal(gameId: string, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(gameId))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      throw new Error(
        `The seed of game ${gameId} does not open: SEED_SECRET is not the one it was sealed with`,
        {
          cause,
        },
      );
    }
  }
}
