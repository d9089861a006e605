import { Injectable } from '@nestjs/common';
import { PrismaService } from '../platform/database/prisma.service.js';
import { type KeyedAct, Idempotency } from '../platform/idempotency.js';
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
} as const;

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

  async byUsername(username: string): Promise<User | null> {
    // The columns hold what the types say: they are written by this program alone and checked by the database.
    return (await this.prisma.db.user.findUnique({ where: { username }, select: SHOWN })) as User | null;
  }

  async byIds(ids: readonly string[]): Promise<User[]> {
    return (await this.prisma.db.user.findMany({
      where: { id: { in: [...ids] } },
      select: SHOWN,
    })) as User[];
  }

  async credentials(username: string): Promise<Credentials | null> {
    const row = await this.prisma.db.user.findUnique({
      where: { username },
      select: { ...SHOWN, passwordHash: true },
    });
    if (row === null) return null;
    const { passwordHash, ...user } = row;
    return { user: user as User, passwordHash };
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
      return user as User;
    });
  }

  async update(id: string, { displayName, challengesFrom, challengesWithin }: ProfileChange): Promise<User> {
    const data = {
      ...(displayName === undefined ? {} : { displayName }),
      ...(challengesFrom === undefined ? {} : { challengesFrom }),
      ...(challengesWithin === undefined ? {} : { challengesWithin }),
    };
    return (await this.prisma.db.user.update({ where: { id }, data, select: SHOWN })) as User;
  }
}
