import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { refusalOf } from '../../platform/database/violations.js';
import { type KeyedAct, Idempotency } from '../../platform/idempotency.js';
import { CLOSED_DISPLAY_NAME, CLOSED_USERNAME } from './names.js';
import { User } from './users.model.js';
import type { Welcome } from './challenge-policy.js';

export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
}

/** What a user's names look like, see lookOf. */
export interface Looks {
  readonly usernameLook: string;
  readonly displayLook: string;
}

export interface UserRow extends Looks {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

// Spelt out, so that the password's hash is only read where it is asked for.
const SHOWN = {
  id: true,
  username: true,
  displayName: true,
  createdAt: true,
  challengesFrom: true,
  challengesWithin: true,
  closedAt: true,
} as const;

/** What the columns of SHOWN hold. */
interface ShownRow {
  readonly id: string;
  readonly username: string | null;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly challengesFrom: string;
  readonly challengesWithin: number | null;
  readonly closedAt: Date | null;
}

/** What is left of a user who has closed his account. */
const CLOSED = {
  username: CLOSED_USERNAME,
  displayName: CLOSED_DISPLAY_NAME,
  createdAt: null,
  challengesFrom: 'nobody',
  challengesWithin: null,
  closed: true,
} as const;

/** Every user that anybody sees is made here. */
function userOf({ closedAt, ...row }: ShownRow): User {
  if (closedAt !== null) return { id: row.id, ...CLOSED };
  // The columns hold what the types say: they are written by this program alone and checked by the database.
  return { ...row, closed: false } as User;
}

/** Users whose looks are worked out before the next are read. */
const LOOKED_AT_ONCE = 1000;

/** What a user may change of himself. */
export interface ProfileChange extends Partial<Welcome> {
  readonly displayName?: string;
  readonly displayLook?: string;
}

/** Throws what stands against a change, in its transaction. */
type Demand = (tx: Transaction) => Promise<void>;

@Injectable()
export class UsersStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly idempotency: Idempotency,
  ) {}

  /** Nobody has the name of an account that was closed, though it is not free yet. */
  async byUsername(username: string): Promise<User | null> {
    const where = { username, closedAt: null };
    const row = await this.prisma.db.user.findUnique({ where, select: SHOWN });
    return row && userOf(row);
  }

  async byIds(ids: readonly string[]): Promise<User[]> {
    const rows = await this.prisma.db.user.findMany({ where: { id: { in: [...ids] } }, select: SHOWN });
    return rows.map(userOf);
  }

  async credentials(username: string): Promise<Credentials | null> {
    const row = await this.prisma.db.user.findUnique({
      where: { username, closedAt: null },
      select: { ...SHOWN, passwordHash: true },
    });
    if (row === null) return null;
    const { passwordHash, ...shown } = row;
    return { user: userOf(shown), passwordHash };
  }

  /** Null when the name is taken; then nothing is stored, and so when `demand` throws. */
  create(row: UserRow, act: KeyedAct | null, demand: Demand): Promise<User | null> {
    return this.prisma.transaction(async (tx) => {
      await demand(tx);
      const [user] = await tx.user.createManyAndReturn({ data: row, skipDuplicates: true, select: SHOWN });
      if (user === undefined) return null;
      // The name was free, so no act of its making has been stored.
      if (act !== null) await this.idempotency.claim(tx, act, row.id, row.createdAt);
      return userOf(user);
    });
  }

  async isFree(username: string): Promise<boolean> {
    const row = await this.prisma.db.user.findUnique({ where: { username }, select: { id: true } });
    return row === null;
  }

  /** Is there a user, other than the one with this username, one of whose names looks like this? */
  async isSomebodysLook(look: string, username: string, tx: Transaction = this.prisma.db): Promise<boolean> {
    const row = await tx.user.findFirst({
      where: {
        OR: [{ usernameLook: look }, { displayLook: look }],
        username: { not: username },
        closedAt: null,
      },
      select: { id: true },
    });
    return row !== null;
  }

  /** Nobody else takes a name of such a look before the transaction is over. */
  async holdLooks(tx: Transaction, looks: readonly string[]): Promise<void> {
    // All in one order, so that nobody waits in a circle.
    const names = [...new Set(looks)].sort().map((look) => `look of ${look}`);
    await tx.$executeRaw`
      SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(${names}::text[]) AS name`;
  }

  /** Works out the looks of users who have none yet; on a full disk, where games can be read at least, the next start does. */
  async workOutLooks(looksOf: (username: string, displayName: string) => Looks): Promise<void> {
    try {
      for (let some = await this.unlooked(); some.length > 0; some = await this.unlooked()) {
        for (const { id, username, displayName } of some) {
          const data = looksOf(username!, displayName);
          await this.prisma.db.user.updateMany({ where: { id, closedAt: null }, data });
        }
      }
    } catch (error) {
      if (refusalOf(error)?.code !== 'STORAGE_FULL') throw error;
    }
  }

  /** Holds users in the order of their ids until the transaction is over; false when one of them has closed his account. */
  async hold(tx: Transaction, ids: readonly string[]): Promise<boolean> {
    const rows = await tx.$queryRaw<{ closed: boolean }[]>`
      SELECT closed_at IS NOT NULL AS closed FROM users WHERE id = ANY(${[...ids]}::uuid[])
      ORDER BY id FOR NO KEY UPDATE`;
    return rows.every(({ closed }) => !closed);
  }

  /** As update, in the same transaction as `demand`. */
  rename(id: string, change: ProfileChange, demand: Demand): Promise<User | null> {
    return this.prisma.transaction(async (tx) => {
      await demand(tx);
      return this.update(id, change, tx);
    });
  }

  /** Null when the account is closed. */
  async update(id: string, data: ProfileChange, tx: Transaction = this.prisma.db): Promise<User | null> {
    const where = { id, closedAt: null };
    const [row] = await tx.user.updateManyAndReturn({ where, data, select: SHOWN });
    return row === undefined ? null : userOf(row);
  }

  private unlooked() {
    return this.prisma.db.user.findMany({
      where: { usernameLook: null, closedAt: null },
      select: { id: true, username: true, displayName: true },
      take: LOOKED_AT_ONCE,
    });
  }
}
