import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { isConnectionLoss } from '../../platform/database/violations.js';
import type { SignedKind } from './claims.js';
import type { SessionOf } from './liveness.js';

export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly kind: SignedKind;
}

/** A session that is to be opened. */
export interface NewSession extends SessionRow {
  readonly device: string;
  readonly now: Date;
  readonly expiresAt: Date;
  /** The hash that was stored when the password was checked. */
  readonly passwordHash: string;
}

/** A session as shown to its user. */
export interface OwnSession {
  readonly id: string;
  readonly device: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When it was ended; null if it was not. */
  readonly revokedAt: Date | null;
  /** Up to a minute late; null until then. */
  readonly lastUsedAt: Date | null;
}

/** A session or a personal token, as its user downloads it. */
export interface StoredSession extends OwnSession {
  readonly kind: string;
  /** Of a personal token. */
  readonly name: string | null;
}

/** Of a user; or of an application that acts as itself, whose id stands for one. */
const heldBy = (holder: string) => ({ OR: [{ userId: holder }, { userId: null, applicationId: holder }] });

const SHOWN = {
  id: true,
  device: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
} as const;

/** The session of a refresh token that was used: renewed, or ended by this use. */
export interface RenewedSession extends SessionRow {
  readonly expiresAt: Date;
  readonly isOver: boolean;
}

/** The use of a refresh token. Only hashes are stored, so that a stolen table opens no session. */
export interface Rotation {
  readonly usedHash: string;
  readonly nextHash: string;
  readonly now: Date;
  readonly expiresAt: Date;
  /** A token used before this time must not be used again. */
  readonly repeatableFrom: Date;
}

/** A session of an application, or of one of its players, for a token that is not refreshed. */
export interface NewBareSession {
  readonly id: string;
  readonly applicationId: string;
  /** Null for the application itself. */
  readonly userId: string | null;
  readonly kind: SignedKind;
  readonly scopes: readonly string[];
  readonly now: Date;
  readonly expiresAt: Date;
}

@Injectable()
export class SessionsStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * False if the application is suspended or deleted, has no such player, or `isStill` returns false. Waits for a
   * transaction that is ending one of them.
   */
  openBare(
    { id, applicationId, userId, kind, scopes, now, expiresAt }: NewBareSession,
    isStill: (tx: Transaction) => Promise<boolean>,
  ): Promise<boolean> {
    return this.prisma.transaction(async (tx) => {
      // In statements of their own, which see what an awaited transaction has done.
      if (!(await this.holdApplication(tx, applicationId)) || !(await isStill(tx))) return false;
      const opened = await tx.$executeRaw`
        WITH player AS (
          SELECT id FROM users
          WHERE id = ${userId}::uuid AND application_id = ${applicationId}::uuid AND kind = 'managed' AND closed_at IS NULL FOR SHARE
        )
        INSERT INTO sessions (id, application_id, user_id, kind, scopes, created_at, expires_at)
        SELECT ${id}::uuid, bearer.id, player.id, ${kind}, ${scopes.join(' ')}, ${now}::timestamptz, ${expiresAt}::timestamptz
        FROM (VALUES (${applicationId}::uuid)) AS bearer (id) LEFT JOIN player ON true
        WHERE player.id IS NOT NULL OR ${userId}::uuid IS NULL`;
      return opened === 1;
    });
  }

  /** Keeps an application from being suspended or deleted until the end of the transaction; false if it is. */
  async holdApplication(tx: Transaction, id: string): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT FROM applications WHERE id = ${id}::uuid AND suspended_at IS NULL AND deleted_at IS NULL FOR SHARE`;
    return rows.length > 0;
  }

  /** Ends all sessions of an application and of its players after `beside`, in one transaction; returns those that were open. */
  revokeOfApplication(
    applicationId: string,
    now: Date,
    beside: (tx: Transaction) => Promise<void>,
  ): Promise<readonly SessionOf[]> {
    return this.prisma.transaction(async (tx) => {
      await beside(tx);
      return tx.$queryRaw<SessionOf[]>`
        UPDATE sessions SET revoked_at = ${now}::timestamptz
        WHERE application_id = ${applicationId}::uuid AND revoked_at IS NULL AND expires_at > ${now}::timestamptz
        RETURNING id::text AS "sessionId", coalesce(user_id, application_id)::text AS "userId"`;
    });
  }

  /**
   * False if the account is closed, or its password has changed since. Waits for a transaction that is closing it or
   * changing its password.
   */
  async open(
    { id, userId, kind, device, now, expiresAt, passwordHash }: NewSession,
    hash: string,
  ): Promise<boolean> {
    const tokens = await this.prisma.db.$executeRaw`
      WITH opened AS (
        INSERT INTO sessions (id, user_id, kind, device, created_at, expires_at, confirmed_at)
        SELECT ${id}::uuid, id, ${kind}, ${device}, ${now}::timestamptz, ${expiresAt}::timestamptz, ${now}::timestamptz
        FROM users WHERE id = ${userId}::uuid AND closed_at IS NULL AND password_hash = ${passwordHash} FOR SHARE
        RETURNING id
      )
      INSERT INTO refresh_tokens (hash, session_id, issued_at) SELECT ${hash}, id, ${now}::timestamptz FROM opened`;
    return tokens === 1;
  }

  /** The first use of a token, or a further one. Null for an unknown token, and for one of an ended session. */
  async use(rotation: Rotation): Promise<RenewedSession | null> {
    try {
      return await this.useOnce(rotation);
    } catch (error) {
      // Whether or not the first try was stored, the second gives its answer.
      if (!isConnectionLoss(error)) throw error;
      return this.useOnce(rotation);
    }
  }

  private async useOnce(rotation: Rotation): Promise<RenewedSession | null> {
    return (await this.firstUse(rotation)) ?? this.furtherUse(rotation);
  }

  /** Marks the token as used and, unless the session has ended, stores the next, in one statement. */
  private async firstUse(rotation: Rotation): Promise<RenewedSession | null> {
    const { usedHash, nextHash, now, expiresAt } = rotation;
    const rows = await this.prisma.query<RenewedSession[]>`
      WITH used AS (
        UPDATE refresh_tokens SET used_at = ${now}::timestamptz
        WHERE hash = ${usedHash} AND used_at IS NULL
        RETURNING session_id
      ), renewed AS (
        UPDATE sessions SET expires_at = ${expiresAt}::timestamptz
        FROM used
        WHERE id = used.session_id AND revoked_at IS NULL AND expires_at > ${now}::timestamptz
        RETURNING id, user_id, kind, expires_at
      ), next AS (
        INSERT INTO refresh_tokens (hash, session_id, issued_at)
        SELECT ${nextHash}, id, ${now}::timestamptz FROM renewed
      )
      SELECT id::text AS id, user_id::text AS "userId", kind, expires_at AS "expiresAt", false AS "isOver" FROM renewed`;
    return rows[0] ?? null;
  }

  /**
   * A second use is repeatable for a short time, while nobody has used the next token: two tabs may have used one at
   * once, or an answer was lost. Any other may be that of a thief, and ends the session.
   */
  private async furtherUse({
    usedHash,
    nextHash,
    now,
    repeatableFrom,
  }: Rotation): Promise<RenewedSession | null> {
    const rows = await this.prisma.query<RenewedSession[]>`
      WITH repeated AS (
        SELECT sessions.id, sessions.user_id, sessions.kind, sessions.expires_at
        FROM refresh_tokens used
        JOIN refresh_tokens next ON next.hash = ${nextHash} AND next.used_at IS NULL
        JOIN sessions ON sessions.id = next.session_id
        WHERE used.hash = ${usedHash} AND used.used_at > ${repeatableFrom}::timestamptz
          AND sessions.revoked_at IS NULL AND sessions.expires_at > ${now}::timestamptz
      ), ended AS (
        UPDATE sessions SET revoked_at = ${now}::timestamptz
        FROM refresh_tokens used
        WHERE used.hash = ${usedHash} AND used.used_at IS NOT NULL AND sessions.id = used.session_id
          AND sessions.revoked_at IS NULL AND NOT EXISTS (SELECT FROM repeated)
        RETURNING sessions.id, sessions.user_id, sessions.kind, sessions.expires_at
      )
      SELECT id::text AS id, user_id::text AS "userId", kind, expires_at AS "expiresAt", false AS "isOver" FROM repeated
      UNION ALL
      SELECT id::text, user_id::text, kind, expires_at, true FROM ended`;
    return rows[0] ?? null;
  }

  /** Whether it was open, and whose it is. */
  async revoke({ sessionId: id, userId }: SessionOf, now: Date): Promise<number> {
    const where = { id, ...heldBy(userId), revokedAt: null, expiresAt: { gt: now } };
    const { count } = await this.prisma.db.session.updateMany({ where, data: { revokedAt: now } });
    return count;
  }

  /**
   * Ends all sessions of a user, or all but one and the personal tokens, after `beside`, in one transaction; returns the
   * ids of those that were open.
   */
  revokeAll(
    { userId, but }: { readonly userId: string; readonly but: string | null },
    now: Date,
    beside: (tx: Transaction) => Promise<void>,
  ): Promise<string[]> {
    return this.prisma.transaction(async (tx) => {
      // What is being opened for this user is there for the next statement, or comes too late.
      await tx.$executeRaw`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
      await beside(tx);
      const rows = await tx.session.updateManyAndReturn({
        where: {
          userId,
          revokedAt: null,
          expiresAt: { gt: now },
          ...(but === null ? {} : { id: { not: but }, kind: 'password' }),
        },
        data: { revokedAt: now },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    });
  }

  async isLive({ sessionId, userId }: SessionOf, now: Date): Promise<boolean> {
    const row = await this.prisma.db.session.findFirst({
      where: { id: sessionId, ...heldBy(userId), revokedAt: null, expiresAt: { gt: now } },
      select: { id: true },
    });
    return row !== null;
  }

  /** When the password was last given in an open session, which does not end before the transaction does; null if it has ended. */
  async held(
    tx: Transaction,
    { sessionId, userId }: SessionOf,
    now: Date,
  ): Promise<{ readonly at: Date | null } | null> {
    const rows = await tx.$queryRaw<{ at: Date | null }[]>`
      SELECT confirmed_at AS at FROM sessions
      WHERE id = ${sessionId}::uuid AND coalesce(user_id, application_id) = ${userId}::uuid
        AND revoked_at IS NULL AND expires_at > ${now}::timestamptz
      FOR SHARE`;
    return rows[0] ?? null;
  }

  /** Whether a refresh token is the newest of a session. */
  async isNewest(tx: Transaction, sessionId: string, hash: string): Promise<boolean> {
    return (await tx.refreshToken.count({ where: { hash, sessionId, usedAt: null } })) > 0;
  }

  /** Those of these sessions that are not open any more. */
  async over(ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
    const rows = await this.prisma.query<{ id: string }[]>`
      SELECT asked.id::text AS id FROM unnest(${[...ids]}::uuid[]) AS asked (id)
      WHERE NOT EXISTS (
        SELECT FROM sessions
        WHERE sessions.id = asked.id AND revoked_at IS NULL AND expires_at > ${now}::timestamptz
      )`;
    return new Set(rows.map(({ id }) => id));
  }

  /** The sessions that any process has ended since a moment. */
  async endedSince(since: Date): Promise<readonly SessionOf[]> {
    return this.prisma.query<SessionOf[]>`
      SELECT id::text AS "sessionId", coalesce(user_id, application_id)::text AS "userId" FROM sessions
      WHERE revoked_at > ${since}::timestamptz`;
  }

  /** Notes when sessions were used last. */
  async noteUses(uses: ReadonlyMap<string, Date>): Promise<void> {
    await this.prisma.db.$executeRaw`
      UPDATE sessions SET last_used_at = used.at
      FROM unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) AS used (id, at)
      WHERE sessions.id = used.id`;
  }

  /** Notes that the password was given in an open session. */
  async confirm({ sessionId: id, userId }: SessionOf, now: Date): Promise<void> {
    await this.prisma.db.session.updateMany({
      where: { id, userId, revokedAt: null },
      data: { confirmedAt: now },
    });
  }

  /** When the password was last given in this session, null if it never was; null for one that is not open. */
  async confirmedAt(
    { sessionId: id, userId }: SessionOf,
    now: Date,
  ): Promise<{ readonly at: Date | null } | null> {
    const row = await this.prisma.db.session.findFirst({
      where: { id, userId, revokedAt: null, expiresAt: { gt: now } },
      select: { confirmedAt: true },
    });
    return row && { at: row.confirmedAt };
  }

  /** The open sessions of a user that were opened with the password, the one opened last first. */
  openOf(userId: string, now: Date, limit: number): Promise<OwnSession[]> {
    return this.prisma.db.session.findMany({
      where: { userId, kind: 'password', revokedAt: null, expiresAt: { gt: now } },
      orderBy: { id: 'desc' },
      select: SHOWN,
      take: limit,
    });
  }

  /** The sessions of a user after the id `after`; ended ones are deleted soon. */
  ofUser(userId: string, after: string | null, limit: number): Promise<StoredSession[]> {
    return this.prisma.db.session.findMany({
      where: { userId, ...(after === null ? {} : { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      select: { ...SHOWN, kind: true, name: true },
      take: limit,
    });
  }

  /** Deletes a limited number of sessions that ended before a moment, with their tokens. */
  async deleteEnded(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      WITH ended AS (
        SELECT id FROM sessions
        WHERE revoked_at <= ${before}::timestamptz OR expires_at <= ${before}::timestamptz
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ), tokens AS (
        DELETE FROM refresh_tokens USING ended WHERE session_id = ended.id
      )
      DELETE FROM sessions USING ended WHERE sessions.id = ended.id`;
  }
}
