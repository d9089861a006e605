import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Api } from './api.js';
import { A_PAGE, type Change } from './operations/changes.js';
import { type By, must } from './transport.js';

/** Reads all changes, page by page. */

type Ask = Api['changes'];

/**
 * Resolves when everything committed by now is visible in `changes`; other tests on the same server may delay
 * it.
 */
export async function untilChangesVisible(app: INestApplicationContext): Promise<void> {
  const { db } = app.get(PrismaService);
  const [now] = await db.$queryRaw<{ xid: string }[]>`
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`;
  for (;;) {
    const [all] = await db.$queryRaw<{ told: boolean }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) >= ${now!.xid}::text::xid8 AS told`;
    if (all!.told) return;
    await pause(5);
  }
}

/** All pages after a cursor, or from the beginning; and the cursor after them. */
export async function allChanges(
  ask: Ask,
  by: By,
  since?: string,
  first = A_PAGE,
): Promise<{ readonly items: readonly Change[]; readonly cursor: string; readonly pages: number }> {
  const items: Change[] = [];
  for (let cursor = since, pages = 1; ; pages++) {
    const data = must(await ask(by, { first, since: cursor }));
    items.push(...data.items);
    cursor = data.cursor;
    if (!data.hasMore) return { items, cursor, pages };
  }
}

export const briefly = ({ kind, id, deleted }: Change) => `${deleted ? '-' : ''}${kind} ${id}`;
export const sorted = (changes: readonly Change[]) => changes.map(briefly).sort();

/** Polls repeatedly, each time from where the last poll ended. */
export class Poller {
  private cursor: string | undefined;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly ask: Ask,
    private readonly who: By,
  ) {}

  async poll(): Promise<readonly Change[]> {
    await untilChangesVisible(this.app);
    const { items, cursor } = await allChanges(this.ask, this.who, this.cursor);
    this.cursor = cursor;
    return items;
  }

  /** Without notifications, which accompany most changes. */
  async news(): Promise<readonly string[]> {
    return sorted(await this.poll()).filter((change) => !change.includes('notification'));
  }
}
