import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { CLOSED_USERNAME } from '../users/names.js';

/** Somebody whose account is closed, while something of it is still to be ended. */
export interface Leaver {
  readonly id: string;
  readonly username: string | null;
  readonly closedAt: Date;
}

/** Whoever is gone himself hears nothing any more. */
const isThere = Prisma.sql`EXISTS (SELECT FROM users u WHERE u.id = other AND u.closed_at IS NULL)`;

/** So many by one statement, which has seconds: somebody may have played a million games. */
const TOLD_AT_ONCE = 5000;

/** What becomes of the rows of a user who is gone, whatever feature they are of: all of it is said here. */
@Injectable()
export class AccountsStore {
  constructor(private readonly prisma: PrismaService) {}

  /**
   * Takes the account from whoever had it: nobody can sign in, and no name is left but the username, which is held.
   * Nothing when that was done before. The row is held until the transaction is over.
   */
  async close(tx: Transaction, id: string, closedAt: Date): Promise<void> {
    await tx.user.updateMany({
      where: { id, closedAt: null },
      data: {
        ...{ closedAt, leaving: true, displayName: '', passwordHash: '' },
        ...{ usernameLook: null, displayLook: null },
        ...{ challengesFrom: 'nobody', challengesWithin: null },
      },
    });
  }

  /** Those of whom something may be left, the first to go first. */
  leaving(): Promise<readonly Leaver[]> {
    return this.prisma.db.$queryRaw<Leaver[]>`
      SELECT id::text AS id, username, closed_at AS "closedAt" FROM users
      WHERE closed_at IS NOT NULL AND leaving ORDER BY closed_at`;
  }

  /**
   * Deletes what was for a user alone, and blocks of him, which nobody could lift; done again it finds what came late.
   * Games, ratings in their histories, challenges and messages stay, for they are others', too.
   */
  async erase({ id, username }: Leaver): Promise<void> {
    const { db } = this.prisma;
    await this.eraseNotes(id);
    await this.eraseNotifications(id);
    await this.rename(id);
    await db.block.deleteMany({ where: { OR: [{ blockerId: id }, { blockedId: id }] } });
    await db.importedGame.deleteMany({ where: { userId: id } });
    const actors = username === null ? [id] : [id, `username:${username}`];
    await db.idempotencyKey.deleteMany({ where: { actor: { in: actors } } });
    await this.eraseChanges(id);
    await db.event.deleteMany({ where: { userId: id, otherId: null } });
  }

  /** Deletes what running games still need: of a user who has none any more. */
  async eraseStanding(id: string): Promise<void> {
    const { db } = this.prisma;
    await db.vacation.deleteMany({ where: { userId: id } });
    // Leaderboards and distributions are of these rows; what each game did to a rating stands elsewhere.
    await db.rating.deleteMany({ where: { userId: id } });
  }

  /** Whoever has played with him, or challenged him, and stays in step by changes, hears that his name is gone. */
  async tell(id: string): Promise<void> {
    await this.tellOf(
      'game',
      Prisma.sql`
        SELECT second_id AS other, id FROM games WHERE first_id = ${id}::uuid AND ended_at IS NOT NULL
        UNION ALL SELECT first_id, id FROM games WHERE second_id = ${id}::uuid AND ended_at IS NOT NULL`,
    );
    await this.tellOf(
      'challenge',
      Prisma.sql`
        SELECT opponent_id AS other, id FROM challenges WHERE creator_id = ${id}::uuid AND opponent_id IS NOT NULL
        UNION ALL SELECT creator_id, id FROM challenges WHERE opponent_id = ${id}::uuid`,
    );
  }

  /** All is done: nobody looks at the account any more, but to set its name free. */
  async left(id: string): Promise<void> {
    await this.prisma.db.user.update({ where: { id }, data: { leaving: false }, select: { id: true } });
  }

  /** Anybody may have the names of up to `limit` accounts that were closed by this moment; how many. */
  async freeNames(before: Date, limit: number): Promise<number> {
    return this.prisma.db.$executeRaw`
      UPDATE users SET username = NULL WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM users WHERE closed_at <= ${before}::timestamptz AND username IS NOT NULL
        ORDER BY closed_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  }

  private async tellOf(kind: 'game' | 'challenge', met: Prisma.Sql): Promise<void> {
    const all = await this.prisma.db.$queryRaw<{ other: string; id: string }[]>`
      SELECT other::text AS other, id::text AS id FROM (${met}) met`;
    for (let at = 0; at < all.length; at += TOLD_AT_ONCE) {
      const part = all.slice(at, at + TOLD_AT_ONCE);
      await this.prisma.db.$executeRaw`
        SELECT write_changes(${kind}::text, array_agg(other), array_agg(thing), false)
        FROM unnest(${part.map(({ other }) => other)}::uuid[], ${part.map((each) => each.id)}::text[]) AS met (other, thing)
        WHERE ${isThere}`;
    }
  }

  private async eraseNotes(id: string): Promise<void> {
    // By arrays: of a join the planner may make a walk through the table. Notes on running games wait for their ends.
    await this.prisma.db.$executeRaw`
      DELETE FROM game_seats
      WHERE (player = 'first' AND game_id = ANY (ARRAY(
          SELECT id FROM games WHERE first_id = ${id}::uuid AND ended_at IS NOT NULL)))
        OR (player = 'second' AND game_id = ANY (ARRAY(
          SELECT id FROM games WHERE second_id = ${id}::uuid AND ended_at IS NOT NULL)))`;
  }

  // Here and below in the order of keys: two at once wait for each other, never in a circle.
  private async eraseNotifications(id: string): Promise<void> {
    await this.prisma.db.$executeRaw`
      DELETE FROM notifications WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM notifications WHERE user_id = ${id}::uuid ORDER BY user_id, game_id, type FOR UPDATE))`;
  }

  /** In the news of those whom he has challenged. */
  private async rename(id: string): Promise<void> {
    await this.prisma.db.$executeRaw`
      WITH named AS MATERIALIZED (
        SELECT n.user_id, n.game_id, n.type FROM challenges c
        JOIN notifications n ON n.user_id = c.opponent_id AND n.game_id = c.id AND n.type IN ('challenge', 'rematch')
        WHERE c.creator_id = ${id}::uuid AND n.data->>'from' <> ${CLOSED_USERNAME}
        ORDER BY n.user_id, n.game_id, n.type
        FOR UPDATE OF n
      )
      UPDATE notifications n SET data = n.data || jsonb_build_object('from', ${CLOSED_USERNAME}::text)
      FROM named m WHERE n.user_id = m.user_id AND n.game_id = m.game_id AND n.type = m.type`;
  }

  private async eraseChanges(id: string): Promise<void> {
    await this.prisma.db.$executeRaw`
      DELETE FROM changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM changes WHERE user_id = ${id}::uuid ORDER BY user_id, kind, id FOR UPDATE))`;
  }
}
