import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { AccountsService } from '../../src/features/accounts/accounts.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi } from './api.js';
import { bearer, PASSWORD, type Person } from './people.js';
import { type Http, must } from './transport.js';

/** Shared by tests of closed accounts. */

export const CLOSED = {
  username: 'closed-account',
  displayName: 'Closed account',
  closed: true,
  createdAt: null,
};

export interface Named extends Person {
  readonly displayName: string;
}

/** A user whose names occur only where they are shown, so that searching for them proves something. */
export async function registerNamed(http: Http, name: string): Promise<Named> {
  const [username, displayName] = [
    `${name}-${randomUUID().slice(0, 8)}`,
    `Dr ${name} ${randomUUID().slice(9)}`,
  ];
  const input = { username, displayName, password: PASSWORD };
  const session = must(await restApi(http).register(null, input));
  const { refreshToken, user } = session;
  return { id: user.id, username, displayName, ...bearer(session), refreshToken };
}

/** Closes an account; throws if that is refused. */
export async function close(api: Api, by: Person): Promise<void> {
  must(await api.closeAccount(by, PASSWORD));
}

/** Runs one round of the sweep that deletes what closed accounts have left. */
export const sweepAccounts = (app: INestApplicationContext): Promise<void> =>
  app.get(AccountsService, { strict: false }).sweep();

/** The names of the tables in which some row contains this text, sorted. */
export async function tablesWith(app: INestApplicationContext, text: string): Promise<readonly string[]> {
  const { db } = app.get(PrismaService);
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<unknown[]>(
      `SELECT 1 FROM ${name} t WHERE position($1 IN to_jsonb(t)::text) > 0 LIMIT 1`,
      text,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
