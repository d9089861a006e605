import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { CLOSED_USERNAME } from '../users/names.js';

/** A closed account that is not completely cleaned up yet. */
export interface ClosedAccount {
  readonly id: string;
  readonly closedAt: Date;
}

/** Only open accounts get changes. */
const isThere = Prisma.sql`EXISTS (SELECT FROM users u WHERE u.id = other AND u.closed_at IS NULL)`;

/** The batch size of a statement, which must end within seconds: a user may have played a million games. */
const ANNOUNCED_AT_ONCE = 5000;

/** Deletes or changes all rows of a closed account, of whatever feature. */
@Injectable()
export class AccountsStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Closes the account: login becomes impossible, and of the names only the reserved username stays. Does nothing if it
   * is already closed. The row is locked until the end of the transaction.
   */
  async close(tx: Transaction, id: string, closedAt: Date): Promise<void> {
    await tx.user.updateMany({
      where: { id, closedAt: null },
      data: {
        ...{ closedAt, leaving: true, displayName: '', passwordHash: '' },
        ...{ usernameLook: null, displayLook: null, email: null, pendingEmail: null, emailOffAt: null },
        ...{ challengesFrom: 'nobody', challengesWithin: null, externalId: null },
      },
    });
  }

  async isManaged(tx: Transaction, id: string): Promise<boolean> {
    return (await tx.user.count({ where: { id, externalId: { not: null } } })) > 0;
  }

  /** The accounts that are not completely cleaned up, the first closed first. */
  closing(): Promise<readonly ClosedAccount[]> {
    return this.prisma.query<ClosedAccount[]>`
      SELECT id::text AS id, closed_at AS "closedAt" FROM users
      WHERE closed_at IS NOT NULL AND leaving ORDER BY closed_at`;
  }

  /**
   * Deletes private data of a user, and blocks against them, which could not be removed any more. A repetition finds
   * late rows. Games, rating histories, challenges and messages stay, because they belong to others as well.
   */
  async erase({ id }: ClosedAccount): Promise<void> {
    const { db } = this.prisma;
    await this.eraseNotes(id);
    await this.eraseNotifications(id);
    await this.renameFrom(db, id, null, CLOSED_USERNAME);
    await db.block.deleteMany({ where: { OR: [{ blockerId: id }, { blockedId: id }] } });
    await db.importedGame.deleteMany({ where: { userId: id } });
    await db.accountLink.deleteMany({ where: { userId: id } });
    await db.mail.deleteMany({ where: { userId: id } });
    await db.webhook.deleteMany({ where: { userId: id } });
    await db.pushSubscription.deleteMany({ where: { userId: id } });
    await db.newsItem.deleteMany({ where: { userId: id } });
    await db.newsSettings.deleteMany({ where: { userId: id } });
    await db.knownDevice.deleteMany({ where: { userId: id } });
    await this.eraseKeys(id);
    await this.eraseChanges(id);
    await this.eraseEvents(id);
  }

  /** The places in the log stay with their marks, because cursors of others may stand on them. */
  private async eraseEvents(id: string): Promise<void> {
    await this.prisma.db.$executeRaw`
      WITH erased AS (
        DELETE FROM events WHERE user_id = ${id}::uuid AND other_id IS NULL RETURNING tide, id, at, mark)
      INSERT INTO events (tide, id, at, mark, user_id, type)
      SELECT tide, id, at, mark, ${NIL}::uuid, 'erased' FROM erased`;
  }

  /** Deletes what running games need, once the user has none. */
  async eraseStanding(id: string): Promise<void> {
    const { db } = this.prisma;
    await db.vacation.deleteMany({ where: { userId: id } });
    // Leaderboards and distributions use these rows; the changes by each game are stored elsewhere.
    await db.rating.deleteMany({ where: { userId: id } });
  }

  /** Writes changes for all opponents of games and challenges, because the name has changed. */
  async announceRename(id: string, tx: Transaction = this.prisma.db): Promise<void> {
    await this.announceTo(
      tx,
      'game',
      Prisma.sql`
        SELECT second_id AS other, id FROM games WHERE first_id = ${id}::uuid AND ended_at IS NOT NULL
        UNION ALL SELECT first_id, id FROM games WHERE second_id = ${id}::uuid AND ended_at IS NOT NULL
        UNION ALL SELECT second_id, id FROM games WHERE first_id = ${id}::uuid AND ended_at IS NULL
        UNION ALL SELECT first_id, id FROM games WHERE second_id = ${id}::uuid AND ended_at IS NULL`,
    );
    await this.announceTo(
      tx,
      'challenge',
      Prisma.sql`
        SELECT opponent_id AS other, id FROM challenges WHERE creator_id = ${id}::uuid AND opponent_id IS NOT NULL
        UNION ALL SELECT creator_id, id FROM challenges WHERE opponent_id = ${id}::uuid`,
    );
  }

  /** Marks the account as completely cleaned up. */
  async markErased(id: string): Promise<void> {
    await this.prisma.db.user.update({ where: { id }, data: { leaving: false }, select: { id: true } });
  }

  /** Releases the names of up to `limit` accounts that were closed before a moment; returns how many. */
  async freeNames(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      UPDATE users SET username = NULL WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM users WHERE closed_at <= ${before}::timestamptz AND username IS NOT NULL
        ORDER BY closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  }

  private async announceTo(tx: Transaction, kind: 'game' | 'challenge', met: Prisma.Sql): Promise<void> {
    const all = await tx.$queryRaw<{ other: string; id: string }[]>`
      SELECT other::text AS other, id::text AS id FROM (${met}) met`;
    for (let at = 0; at < all.length; at += ANNOUNCED_AT_ONCE) {
      const part = all.slice(at, at + ANNOUNCED_AT_ONCE);
      await tx.$executeRaw`
        SELECT write_changes(${kind}::text, array_agg(other), array_agg(thing), false)
        FROM unnest(${part.map(({ other }) => other)}::uuid[], ${part.map((each) => each.id)}::text[]) AS met (other, thing)
        WHERE ${isThere}`;
    }
  }

  private async eraseNotes(id: string): Promise<void> {
    // With arrays, because the planner may turn a join into a scan of the table. Notes on running games stay until
    // their ends.
    await this.prisma.db.$executeRaw`
      DELETE FROM game_seats
      WHERE (player = 'first' AND game_id = ANY (ARRAY(
          SELECT id FROM games WHERE first_id = ${id}::uuid AND ended_at IS NOT NULL)))
        OR (player = 'second' AND game_id = ANY (ARRAY(
          SELECT id FROM games WHERE second_id = ${id}::uuid AND ended_at IS NOT NULL)))`;
  }

  // Here and below in the order of keys, to avoid deadlocks.
  private async eraseNotifications(id: string): Promise<void> {
    await this.prisma.db.$executeRaw`
      DELETE FROM notifications WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM notifications WHERE user_id = ${id}::uuid ORDER BY user_id, game_id, type FOR UPDATE))`;
  }

  /** Replaces a name, or any other, in the notifications of the users they have challenged. */
  async renameFrom(tx: Transaction, id: string, from: string | null, to: string): Promise<void> {
    await tx.$executeRaw`
      WITH named AS MATERIALIZED (
        SELECT n.user_id, n.game_id, n.type FROM challenges c
        JOIN notifications n ON n.user_id = c.opponent_id AND n.game_id = c.id AND n.type IN ('challenge', 'rematch')
        WHERE c.creator_id = ${id}::uuid AND n.data->>'from' <> ${to} AND (${from}::text IS NULL OR n.data->>'from' = ${from})
        ORDER BY n.user_id, n.game_id, n.type
        FOR UPDATE OF n
      )
      UPDATE notifications n SET data = n.data || jsonb_build_object('from', ${to}::text)
      FROM named m WHERE n.user_id = m.user_id AND n.game_id = m.game_id AND n.type = m.type`;
  }

  /** Also the key of the registration, unless the name was released meanwhile and may be another user's. */
  private async eraseKeys(id: string): Promise<void> {
    await this.prisma.db.$executeRaw`
      DELETE FROM idempotency_keys WHERE actor = ANY (ARRAY(
        SELECT unnest(ARRAY[id::text, 'username:' || username]) FROM users WHERE id = ${id}::uuid))`;
  }

  private async eraseChanges(id: string): Promise<void> {
    await this.prisma.db.$executeRaw`
      DELETE FROM changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM changes WHERE user_id = ${id}::uuid ORDER BY user_id, kind, id FOR UPDATE))`;
  }
}
