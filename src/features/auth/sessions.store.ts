import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { isConnectionLoss } from '../../platform/database/violations.js';
import type { SessionOf } from './liveness.js';

export interface SessionRow {
  readonly id: string;
  readonly userId: string;
}

/** A session as shown to its user. */
export interface OwnSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When it was ended; null if it was not. */
  readonly revokedAt: Date | null;
}

/** A stored refresh token: only its hash, so that a stolen table opens no session. */
export interface Rotation {
  readonly usedHash: string;
  readonly nextHash: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

@Injectable()
export class SessionsStore {
  constructor(private readonly prisma: PrismaService) {}

  /** False if the account is closed. Waits for a transaction that is closing it. */
  async open({ id, userId }: SessionRow, hash: string, now: Date, expiresAt: Date): Promise<boolean> {
    const tokens = await this.prisma.db.$executeRaw`
      WITH opened AS (
        INSERT INTO sessions (id, user_id, created_at, expires_at)
        SELECT ${id}::uuid, id, ${now}::timestamptz, ${expiresAt}::timestamptz
        FROM users WHERE id = ${userId}::uuid AND closed_at IS NULL FOR SHARE
        RETURNING id
      )
      INSERT INTO refresh_tokens (hash, session_id, issued_at) SELECT ${hash}, id, ${now}::timestamptz FROM opened`;
    return tokens === 1;
  }

  /**
   * Of two requests with the same token one gets the next token; the other gets null, as does an ended session. After a
   * lost connection it is tried again, and finds its own token if the first try was stored.
   */
  async rotate(rotation: Rotation): Promise<SessionRow | null> {
    try {
      return await this.rotateOnce(rotation);
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      return (await this.rotateOnce(rotation)) ?? this.rotated(rotation);
    }
  }

  private async rotated({ nextHash }: Rotation): Promise<SessionRow | null> {
    const row = await this.prisma.db.refreshToken.findUnique({
      where: { hash: nextHash },
      select: { session: { select: { id: true, userId: true } } },
    });
    return row?.session ?? null;
  }

  /** Marks the token as used and, unless the session has ended, stores the next, in one statement. */
  private async rotateOnce({ usedHash, nextHash, now, expiresAt }: Rotation): Promise<SessionRow | null> {
    const rows = await this.prisma.query<SessionRow[]>`
      WITH used AS (
        UPDATE refresh_tokens SET used_at = ${now}::timestamptz
        WHERE hash = ${usedHash} AND used_at IS NULL
        RETURNING session_id
      ), renewed AS (
        UPDATE sessions SET expires_at = ${expiresAt}::timestamptz
        FROM used
        WHERE id = used.session_id AND revoked_at IS NULL AND expires_at > ${now}::timestamptz
        RETURNING id, user_id
      ), next AS (
        INSERT INTO refresh_tokens (hash, session_id, issued_at)
        SELECT ${nextHash}, id, ${now}::timestamptz FROM renewed
      )
      SELECT id::text AS id, user_id::text AS "userId" FROM renewed`;
    return rows[0] ?? null;
  }

  /** Ends the session of a used refresh token; null if there is nothing to end. */
  async revokeByUsedToken(hash: string, now: Date): Promise<SessionRow | null> {
    const [row] = await this.prisma.db.session.updateManyAndReturn({
      where: { revokedAt: null, refreshTokens: { some: { hash, usedAt: { not: null } } } },
      data: { revokedAt: now },
      select: { id: true, userId: true },
    });
    return row ?? null;
  }

  async revoke(id: string, now: Date): Promise<number> {
    const data = { revokedAt: now };
    const { count } = await this.prisma.db.session.updateMany({ where: { id, revokedAt: null }, data });
    return count;
  }

  /** Ends all sessions of a user after `beside`, in one transaction; returns the ids of those that were open. */
  revokeAll(userId: string, now: Date, beside: (tx: Transaction) => Promise<void>): Promise<string[]> {
    return this.prisma.transaction(async (tx) => {
      await beside(tx);
      const rows = await tx.session.updateManyAndReturn({
        where: { userId, revokedAt: null, expiresAt: { gt: now } },
        data: { revokedAt: now },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    });
  }

  async isLive({ sessionId, userId }: SessionOf, now: Date): Promise<boolean> {
    const row = await this.prisma.db.session.findFirst({
      where: { id: sessionId, userId, revokedAt: null, expiresAt: { gt: now } },
      select: { id: true },
    });
    return row !== null;
  }

  /** The sessions of a user after the id `after`; ended ones are deleted soon. */
  ofUser(userId: string, after: string | null, limit: number): Promise<OwnSession[]> {
    return this.prisma.db.session.findMany({
      where: { userId, ...(after === null ? {} : { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      select: { id: true, createdAt: true, expiresAt: true, revokedAt: true },
      take: limit,
    });
  }

  /** Deletes a limited number of ended sessions with their tokens. */
  async deleteEnded(now: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      WITH ended AS (
        SELECT id FROM sessions
        WHERE revoked_at IS NOT NULL OR expires_at <= ${now}::timestamptz
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ), tokens AS (
        DELETE FROM refresh_tokens USING ended WHERE session_id = ended.id
      )
      DELETE FROM sessions USING ended WHERE sessions.id = ended.id`;
  }
}
