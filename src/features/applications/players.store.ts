import { Injectable } from '@nestjs/common';
import { PrismaService, type Transaction } from '../../platform/database/prisma.service.js';

/** A player as their application wants them to be. */
export interface WantedPlayer {
  readonly id: string;
  readonly externalId: string;
  readonly displayName: string;
}

export interface PlayerRow {
  readonly id: string;
  readonly externalId: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly application: { readonly id: string; readonly name: string };
}

/** A player, and the site that they come from. */
export interface ClaimedPlayer {
  readonly displayName: string;
  readonly application: { readonly id: string; readonly name: string; readonly url: string };
}

const SHOWN = {
  id: true,
  externalId: true,
  displayName: true,
  createdAt: true,
  application: { select: { id: true, name: true } },
} as const;

@Injectable()
export class PlayersStore {
  constructor(private readonly prisma: PrismaService) {}

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.prisma.transaction(work);
  }

  /**
   * Makes players or gives them other names, one request of an application after another, so that they are counted right.
   * Returns how many there were to make or to rename.
   */
  async save(
    tx: Transaction,
    applicationId: string,
    wanted: readonly WantedPlayer[],
    now: Date,
  ): Promise<number> {
    const column = (name: keyof WantedPlayer) => wanted.map((player) => player[name]);
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`players of ${applicationId}`}, 0))`;
    return tx.$executeRaw`
      INSERT INTO users (id, kind, application_id, external_id, display_name, password_hash, created_at, challenges_from)
      SELECT id, 'managed', ${applicationId}::uuid, external_id, display_name, '', ${now}::timestamptz, 'nobody'
      FROM unnest(${column('id')}::uuid[], ${column('externalId')}::text[], ${column('displayName')}::text[])
        AS w (id, external_id, display_name)
      ON CONFLICT (application_id, external_id) WHERE external_id IS NOT NULL
      DO UPDATE SET display_name = excluded.display_name WHERE users.display_name <> excluded.display_name`;
  }

  /** At most `limit`, which is as many as anybody asks about. */
  async count(tx: Transaction, applicationId: string, limit: number): Promise<number> {
    const [found] = await tx.$queryRaw<{ players: number }[]>`
      SELECT count(*)::integer AS players FROM (
        SELECT FROM users WHERE application_id = ${applicationId}::uuid AND external_id IS NOT NULL
        LIMIT ${limit}::integer) counted`;
    return found!.players;
  }

  /** The players with these external ids, unordered. */
  async named(
    applicationId: string,
    externalIds: readonly string[],
    tx: Transaction = this.prisma.db,
  ): Promise<readonly PlayerRow[]> {
    const where = { applicationId, externalId: { in: [...externalIds] } };
    return (await tx.user.findMany({ where, select: SHOWN })) as PlayerRow[];
  }

  /** The players among these users, unordered. */
  async byIds(applicationId: string, ids: readonly string[]): Promise<readonly PlayerRow[]> {
    const where = { applicationId, id: { in: [...ids] }, externalId: { not: null } };
    return (await this.prisma.db.user.findMany({ where, select: SHOWN })) as PlayerRow[];
  }

  /** Whether a user is still a player of the application, and it is neither suspended nor deleted. */
  async isOfActive(tx: Transaction, applicationId: string, id: string): Promise<boolean> {
    const application = { id: applicationId, suspendedAt: null, deletedAt: null };
    return (await tx.user.count({ where: { id, externalId: { not: null }, application } })) > 0;
  }

  /** A player of an application that is neither suspended nor deleted; null if the user is none, or none any more. */
  async ofActive(id: string): Promise<ClaimedPlayer | null> {
    const where = { id, externalId: { not: null }, application: { suspendedAt: null, deletedAt: null } };
    const select = {
      displayName: true,
      application: { select: { id: true, name: true, url: true } },
    } as const;
    return (await this.prisma.db.user.findFirst({ where, select })) as ClaimedPlayer | null;
  }

  /** The players after the id `after`, the one made first first. */
  async listed(applicationId: string, after: string | null, limit: number): Promise<readonly PlayerRow[]> {
    const rows = await this.prisma.db.user.findMany({
      where: { applicationId, externalId: { not: null }, ...(after === null ? {} : { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      select: SHOWN,
      take: limit,
    });
    return rows as PlayerRow[];
  }
}
