import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../platform/database/prisma.service.js';
import { type KeyedAct, Idempotency } from '../platform/idempotency.js';
import { CLOSED_DISPLAY_NAME, CLOSED_USERNAME } from './names.js';
import { User } from './users.model.js';
import type { Welcome } from './welcome.js';

export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
}

export interface UserRow {
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

/** What a user may change of himself. */
export interface ProfileChange extends Partial<Welcome> {
  readonly displayName?: string;
}

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

  /** Null when the name is taken; then nothing is stored. */
  create(row: UserRow, act: KeyedAct | null): Promise<User | null> {
    const { id, username, displayName, passwordHash, createdAt } = row;
    const data = { id, username, displayName, passwordHash, createdAt };
    return this.prisma.transaction(async (tx) => {
      const [user] = await tx.user.createManyAndReturn({ data, skipDuplicates: true, select: SHOWN });
      if (user === undefined) return null;
      // The name was free, so no act of its making has been stored.
      if (act !== null) await this.idempotency.claim(tx, act, id, createdAt);
      return userOf(user);
    });
  }

  /** Holds users in the order of their ids until the transaction is over; false when one of them has closed his account. */
  async hold(tx: Transaction, ids: readonly string[]): Promise<boolean> {
    const rows = await tx.$queryRaw<{ closed: boolean }[]>`
      SELECT closed_at IS NOT NULL AS closed FROM users WHERE id = ANY(${[...ids]}::uuid[])
      ORDER BY id FOR NO KEY UPDATE`;
    return rows.every(({ closed }) => !closed);
  }

  /** Null when the account is closed. */
  async update(
    id: string,
    { displayName, challengesFrom, challengesWithin }: ProfileChange,
  ): Promise<User | null> {
    const data = {
      ...(displayName === undefined ? {} : { displayName }),
      ...(challengesFrom === undefined ? {} : { challengesFrom }),
      ...(challengesWithin === undefined ? {} : { challengesWithin }),
    };
    const where = { id, closedAt: null };
    const [row] = await this.prisma.db.user.updateManyAndReturn({ where, data, select: SHOWN });
    return row === undefined ? null : userOf(row);
  }
}
