import { Injectable } from '@nestjs/common';
import { Prisma } from '../../generated/prisma/client.js';
import { batchById } from '../../platform/gathering/batch.js';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';
import { refusalOf } from '../../platform/database/violations.js';
import { type KeyedAct, Idempotency } from '../../platform/idempotency/idempotency.js';
import { CLOSED_DISPLAY_NAME, CLOSED_USERNAME } from './names.js';
import type { AnyPlayer, ApplicationName, User } from './users.model.js';
import type { ChallengePolicy } from './challenge-policy.js';

export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
}

/** The looks of a user's names, see lookOf. */
export interface Looks {
  readonly usernameLook: string;
  readonly displayLook: string;
}

export interface UserRow extends Looks {
  readonly kind: 'person' | 'guest';
  readonly challengesFrom?: 'nobody';
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

// Listed explicitly, so that the password hash is read only where it is needed.
const SHOWN = {
  id: true,
  username: true,
  displayName: true,
  createdAt: true,
  challengesFrom: true,
  challengesWithin: true,
  kind: true,
  closedAt: true,
} as const;

/** The columns of SHOWN. */
interface ShownRow {
  readonly id: string;
  readonly username: string | null;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly challengesFrom: string;
  readonly challengesWithin: number | null;
  readonly kind: string;
  readonly closedAt: Date | null;
}

/** The application of a managed player; null for other users. */
interface OfApplication {
  readonly application: ApplicationName | null;
}

/** A user whose row is locked. */
export interface HeldUser {
  readonly kind: string;
  /** Of a managed player. */
  readonly applicationId: string | null;
}

/** What is shown of a user with a closed account. */
const CLOSED = {
  username: CLOSED_USERNAME,
  displayName: CLOSED_DISPLAY_NAME,
  createdAt: null,
  challengesFrom: 'nobody',
  challengesWithin: null,
  guest: false,
  closed: true,
} as const;

/** Every user that is shown is created here. */
function userOf({ closedAt, kind, ...row }: ShownRow): User {
  if (closedAt !== null) return { id: row.id, ...CLOSED };
  // The columns match the types: only this program writes them, and the database checks them.
  return { ...row, guest: kind === 'guest', closed: false } as User;
}

/** The columns of SHOWN of the table `u` as one value, in which times are texts, and the application of a managed player. */
export const USER_AS_JSON = Prisma.sql`json_build_object(
  'id', u.id, 'username', u.username, 'displayName', u.display_name, 'createdAt', u.created_at,
  'challengesFrom', u.challenges_from, 'challengesWithin', u.challenges_within, 'kind', u.kind, 'closedAt', u.closed_at,
  'application', (SELECT json_build_object('id', a.id, 'name', a.name) FROM applications a WHERE a.id = u.application_id))`;

export type JsonUser = Omit<ShownRow, 'createdAt' | 'closedAt'> &
  OfApplication & {
    readonly createdAt: string;
    readonly closedAt: string | null;
  };

export function playerOfJson({ application, ...row }: JsonUser): AnyPlayer {
  if (application !== null && row.closedAt === null)
    return { id: row.id, username: null, displayName: row.displayName, closed: false, application };
  return userOf({
    ...row,
    createdAt: new Date(row.createdAt),
    closedAt: row.closedAt === null ? null : new Date(row.closedAt),
  });
}

/** The same where only users with names are found. */
const userOfJson = (row: JsonUser): User => playerOfJson(row) as User;

/** After all other characters. */
const LAST = '\u{10FFFF}';

/** The batch size for computing looks. */
const LOOKED_AT_ONCE = 1000;

/** What a user may change in their profile. */
export interface ProfileChange extends Partial<ChallengePolicy> {
  readonly displayName?: string;
  readonly displayLook?: string;
}

/** Throws if a change is not allowed, in its transaction. */
type Assertion = (tx: Transaction) => Promise<void>;

@Injectable()
export class UsersStore {
  constructor(
    private readonly prisma: PrismaService,
    private readonly idempotency: Idempotency,
  ) {}

  /** The user of a name. A closed account is not found by its name, though the name is not free yet. */
  readonly byUsername = batchById<User | null>(
    async (names) => {
      const rows = await this.prisma.query<{ shown: JsonUser }[]>`
        SELECT ${USER_AS_JSON} AS shown FROM users u WHERE username = ANY(${[...names]}::text[]) AND closed_at IS NULL`;
      return new Map(rows.map(({ shown }) => [shown.username!, userOfJson(shown)]));
    },
    () => null,
  );

  async byIds(ids: readonly string[]): Promise<AnyPlayer[]> {
    const rows = await this.prisma.query<{ shown: JsonUser }[]>`
      SELECT ${USER_AS_JSON} AS shown FROM users u WHERE id = ANY(${[...ids]}::uuid[])`;
    return rows.map(({ shown }) => playerOfJson(shown));
  }

  async credentials(username: string): Promise<Credentials | null> {
    const row = await this.prisma.db.user.findUnique({
      where: { username, kind: 'person', closedAt: null },
      select: { ...SHOWN, passwordHash: true },
    });
    if (row === null) return null;
    const { passwordHash, ...shown } = row;
    return { user: userOf(shown), passwordHash };
  }

  async changePassword(tx: Transaction, id: string, from: string, to: string): Promise<boolean> {
    const where = { id, passwordHash: from, closedAt: null };
    const { count } = await tx.user.updateMany({ where, data: { passwordHash: to } });
    return count === 1;
  }

  /** Null if the name is taken. Then nothing is stored, nor if `assertAllowed` throws. */
  create(row: UserRow, act: KeyedAct | null, assertAllowed: Assertion): Promise<User | null> {
    return this.prisma.transaction(async (tx) => {
      await assertAllowed(tx);
      const [user] = await tx.user.createManyAndReturn({ data: row, skipDuplicates: true, select: SHOWN });
      if (user === undefined) return null;
      // The name was free, so its idempotency key cannot be stored yet.
      if (act !== null) await this.idempotency.claim(tx, act, row.id, row.createdAt);
      return userOf(user);
    });
  }

  /**
   * The users whose username, or whose display name by its look, begins so; the former first. Ranges rather than LIKE, so
   * that a generic plan uses the indexes as well.
   */
  async beginningWith(
    { username, displayLook }: { readonly username: string; readonly displayLook: string },
    limit: number,
  ): Promise<User[]> {
    const rows = await this.prisma.query<{ shown: JsonUser }[]>`
      WITH named AS (
        SELECT id FROM users WHERE username ~>=~ ${username} AND username ~<~ ${username + LAST} AND closed_at IS NULL AND kind = 'person'
        ORDER BY username USING ~<~ LIMIT ${limit}
      ), shown AS (
        SELECT id FROM users WHERE display_look ~>=~ ${displayLook} AND display_look ~<~ ${displayLook + LAST} AND kind = 'person'
        ORDER BY display_look USING ~<~ LIMIT ${limit}
      )
      SELECT ${USER_AS_JSON} AS shown FROM users u
      WHERE id IN (SELECT id FROM named UNION SELECT id FROM shown) AND closed_at IS NULL AND kind = 'person'
      ORDER BY id IN (SELECT id FROM named) DESC, username COLLATE "C" LIMIT ${limit}`;
    return rows.map(({ shown }) => userOfJson(shown));
  }

  async isFree(username: string): Promise<boolean> {
    const row = await this.prisma.db.user.findUnique({ where: { username }, select: { id: true } });
    return row === null;
  }

  /** Whether a user other than this one has a username with one of these looks. */
  async isUsernameLook(
    looks: readonly string[],
    username: string,
    tx: Transaction = this.prisma.db,
  ): Promise<boolean> {
    const row = await tx.user.findFirst({
      where: { usernameLook: { in: [...looks] }, username: { not: username }, closedAt: null },
      select: { id: true },
    });
    return row !== null;
  }

  /** Makes a guest or a managed player a person with these names; null if they are one, or the name is taken. */
  async claim(
    tx: Transaction,
    id: string,
    row: Looks & { readonly username: string; readonly displayName: string; readonly passwordHash: string },
  ): Promise<User | null> {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      UPDATE users SET username = ${row.username}, display_name = ${row.displayName}, password_hash = ${row.passwordHash},
        username_look = ${row.usernameLook}, display_look = ${row.displayLook}, kind = 'person', challenges_from = 'everybody',
        application_id = NULL, external_id = NULL
      WHERE id = ${id}::uuid AND kind <> 'person' AND closed_at IS NULL
        AND NOT EXISTS (SELECT FROM users WHERE username = ${row.username})
      RETURNING id`;
    if (rows.length === 0) return null;
    const found = await tx.user.findUniqueOrThrow({ where: { id }, select: SHOWN });
    return userOf(found);
  }

  /** Locks looks until the end of the transaction. */
  async holdLooks(tx: Transaction, looks: readonly string[]): Promise<void> {
    // Sorted, to avoid deadlocks.
    const names = [...new Set(looks)].sort().map((look) => `look of ${look}`);
    await tx.$executeRaw`
      SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(${names}::text[]) AS name`;
  }

  /** Computes missing looks. If the disk is full, it is left to the next start, because games can at least be read. */
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

  /** Locks users in the order of their ids until the end of the transaction; null if one of the accounts is closed. */
  async hold(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, HeldUser> | null> {
    const rows = await tx.$queryRaw<(HeldUser & { id: string; closed: boolean })[]>`
      SELECT id::text AS id, kind, application_id::text AS "applicationId", closed_at IS NOT NULL AS closed
      FROM users WHERE id = ANY(${[...ids]}::uuid[])
      ORDER BY id FOR NO KEY UPDATE`;
    if (rows.some(({ closed }) => closed)) return null;
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** As update, in one transaction with `assertAllowed`. */
  rename(id: string, change: ProfileChange, assertAllowed: Assertion): Promise<User | null> {
    return this.prisma.transaction(async (tx) => {
      await assertAllowed(tx);
      return this.update(id, change, tx);
    });
  }

  /** Null if the account is closed. */
  async update(id: string, data: ProfileChange, tx: Transaction = this.prisma.db): Promise<User | null> {
    const where = { id, closedAt: null };
    const [row] = await tx.user.updateManyAndReturn({ where, data, select: SHOWN });
    return row === undefined ? null : userOf(row);
  }

  private unlooked() {
    return this.prisma.db.user.findMany({
      where: { usernameLook: null, username: { not: null }, closedAt: null },
      select: { id: true, username: true, displayName: true },
      take: LOOKED_AT_ONCE,
    });
  }
}
