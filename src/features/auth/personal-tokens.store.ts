import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import type { SessionOf } from './liveness.js';

/** A personal token that is to be stored. */
export interface NewPersonalToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly tokenHash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The session of a personal token. */
export interface PersonalSession extends SessionOf {
  /** With spaces between. */
  readonly scopes: string;
  readonly expiresAt: Date;
}

/** A personal token as shown to its user. */
export interface OwnPersonalToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The sessions that are personal tokens. */
@Injectable()
export class PersonalTokensStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * False if the session of its maker has ended, or the account is closed. Waits for a transaction that ends all sessions
   * of the user, which sees the token or prevents it.
   */
  add(
    token: NewPersonalToken,
    maker: SessionOf,
    beside: (tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      const isAdded = await this.insert(tx, token, maker);
      if (isAdded) await beside(tx);
      return isAdded;
    });
  }

  private async insert(tx: Transaction, token: NewPersonalToken, maker: SessionOf): Promise<boolean> {
    const { id, name, scopes, tokenHash, createdAt, expiresAt } = token;
    const added = await tx.$executeRaw`
      INSERT INTO sessions (id, user_id, kind, name, scopes, token_hash, created_at, expires_at)
      SELECT ${id}::uuid, users.id, 'personal', ${name}, ${scopes.join(' ')}, ${tokenHash},
        ${createdAt}::timestamptz, ${expiresAt}::timestamptz
      FROM users JOIN sessions maker ON maker.user_id = users.id
      WHERE users.id = ${maker.userId}::uuid AND closed_at IS NULL
        AND maker.id = ${maker.sessionId}::uuid AND maker.revoked_at IS NULL
      FOR NO KEY UPDATE OF users FOR SHARE OF maker`;
    return added === 1;
  }

  count(tx: Transaction, userId: string, now: Date): Promise<number> {
    return tx.session.count({ where: { userId, ...openAt(now) } });
  }

  /** Null for an unknown token, and for one that has expired or was deleted. */
  async ofToken(tokenHash: string, now: Date): Promise<PersonalSession | null> {
    const row = await this.prisma.db.session.findFirst({
      where: { tokenHash, revokedAt: null, expiresAt: { gt: now } },
      select: { id: true, userId: true, scopes: true, expiresAt: true },
    });
    if (row === null || row.userId === null) return null;
    return { sessionId: row.id, userId: row.userId, scopes: row.scopes ?? '', expiresAt: row.expiresAt };
  }

  async listed(userId: string, now: Date, limit: number): Promise<OwnPersonalToken[]> {
    const rows = await this.prisma.db.session.findMany({
      where: { userId, ...openAt(now) },
      orderBy: { id: 'desc' },
      select: { id: true, name: true, scopes: true, createdAt: true, expiresAt: true, lastUsedAt: true },
      take: limit,
    });
    return rows.map(({ name, scopes, ...row }) => ({
      ...row,
      name: name ?? '',
      scopes: (scopes ?? '').split(' '),
    }));
  }
}

const openAt = (now: Date) => ({ kind: 'personal', revokedAt: null, expiresAt: { gt: now } });
