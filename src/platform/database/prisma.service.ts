import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.js';
import type { Database, TransactionLimits } from './database.js';

/** What the stores write through: the client itself, or a transaction of it. */
export type Transaction = Prisma.TransactionClient;

/** A part of a statement, which one store writes for that of another. */
export type Sql = Prisma.Sql;

/** The database as the stores see it. */
@Injectable()
export class PrismaService implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  get db(): PrismaClient {
    return this.database.prisma;
  }

  get kind(): Database['kind'] {
    return this.database.kind;
  }

  /** All or nothing: commits when `work` resolves, rolls back when it throws, and throws that. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, limits?: TransactionLimits): Promise<T> {
    return this.db.$transaction(work, limits);
  }

  /** Whether the database answers, within two seconds. */
  ready(): Promise<boolean> {
    return this.database.ready();
  }

  /** The last hook: what was under way has been answered by then. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
