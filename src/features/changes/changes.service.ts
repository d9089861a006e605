import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { Background } from '../../platform/background.js';
import { CONFIG } from '../../platform/config.module.js';
import { Cursors, type ListCursors } from '../../platform/cursors.js';
import { badInput, demand, DomainError } from '../../platform/errors.js';
import { pageSize } from '../../platform/page.js';
import { DAY_MS, Time } from '../../platform/time.js';
import { BEGINNING, type ChangePosition, type ChangeRow } from './change.row.js';
import { ChangesStore, type Present } from './changes.store.js';
import { retry, UNTIL_STILL_OR_GONE } from '../../platform/retry.js';

const ON_A_PAGE = 100;
/** No setting: a longer time would make cursors valid again whose tombstones are gone. */
const CURSORS_VALID_MS = 90 * DAY_MS;
/** A day longer than the oldest cursor may be: the database has its own clock. */
const TOMBSTONES_KEPT_MS = CURSORS_VALID_MS + DAY_MS;
const FORGOTTEN_AT_ONCE = 1000;

/** A position in one of the histories that the changes may have had, and when somebody set out from there. */
export interface Stand {
  readonly epoch: string;
  readonly position: ChangePosition;
  readonly at: Date;
}

export interface ChangesRequest {
  readonly since?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly fromNow?: boolean | null | undefined;
}

export interface ChangesPage {
  readonly items: readonly ChangeRow[];
  /** Where the next page, or the next poll, goes on; also when there was nothing. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What of a user has changed since he last asked. The database itself takes it down with each commit. */
@Injectable()
export class ChangesService implements OnApplicationBootstrap {
  private beginning: Promise<void> | undefined;

  constructor(
    private readonly store: ChangesStore,
    private readonly cursors: Cursors,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) config: Config,
  ) {
    background.every('ChangeSweep', config.housekeepingSeconds * 1000, () => this.forget());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.here(() => this.store.now());
  }

  /**
   * The viewer's own, from the beginning or behind a cursor, the oldest first; with `fromNow` none, and the cursor of
   * this moment. Throws BAD_INPUT, INVALID_CURSOR.
   */
  async page(viewer: Principal, { since, first, fromNow }: ChangesRequest): Promise<ChangesPage> {
    const size = pageSize(first, 'first', ON_A_PAGE);
    const now = this.time.now();
    if (fromNow === true) {
      if (since != null) {
        throw badInput('fromNow', 'Give since or fromNow, not both: a cursor says itself from when on.');
      }
      const { horizon, epoch } = await this.here(() => this.store.now());
      return this.answer(viewer, { epoch, position: { ...BEGINNING, xid: horizon }, at: now });
    }
    const from = since == null ? null : this.read(viewer, since, now);
    const position = from?.position ?? BEGINNING;
    const { rows, horizon, epoch } = await this.here(() =>
      this.store.after(viewer.userId, position, size + 1),
    );
    // A number that is still to come: the database is an older copy of the one that gave the cursor.
    const isOfElsewhere = from !== null && from.epoch !== epoch;
    if (isOfElsewhere || BigInt(position.xid) > BigInt(horizon)) throw unknownCursor();
    const page = rows.slice(0, size);
    const hasMore = rows.length > size;
    // Who has not come to the end is as old as when he set out: tombstones behind him are kept no longer for him.
    const at = hasMore && from !== null ? from.at : now;
    return this.answer(viewer, { epoch, position: page.at(-1) ?? position, at }, page, hasMore);
  }

  /** Which history is told. */
  async epoch(): Promise<string> {
    return (await this.here(() => this.store.now())).epoch;
  }

  /** Where a cursor of a user's changes stands; null for any other text. */
  stand({ userId }: Principal, cursor: string): Stand | null {
    return this.cursorsOf(userId).open(cursor);
  }

  /** Forgets the tombstones that no valid cursor stands before. */
  async forget(): Promise<void> {
    const before = new Date(this.time.now().getTime() - TOMBSTONES_KEPT_MS);
    while ((await this.store.forget(before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  }

  /** What is asked for, of a history that has begun: while the server runs, a copy may have taken the place of its database. */
  private async here<T extends Present>(ask: () => Promise<T>): Promise<T & { epoch: string }> {
    return retry(async () => {
      const { epoch, ...answer } = await ask();
      if (epoch !== null) return { ...answer, epoch } as T & { epoch: string };
      this.beginning ??= this.store.begin().finally(() => (this.beginning = undefined));
      await this.beginning;
      return null;
    }, UNTIL_STILL_OR_GONE);
  }

  private answer(
    { userId }: Principal,
    stand: Stand,
    items: readonly ChangeRow[] = [],
    hasMore = false,
  ): ChangesPage {
    const { xid, kind, id } = stand.position;
    const cursor = this.cursorsOf(userId).make({ ...stand, position: { xid, kind, id } });
    return { items, cursor, hasMore };
  }

  /** Sealed: the numbers of transactions would tell of the acts of others, such as conditional moves of the opponent. */
  private cursorsOf(userId: string): ListCursors<Stand> {
    return this.cursors.of('changes', userId);
  }

  private read({ userId }: Principal, cursor: string, now: Date): Stand {
    const stand = demand(this.cursorsOf(userId).open(cursor), unknownCursor);
    if (now.getTime() - stand.at.getTime() <= CURSORS_VALID_MS) return stand;
    throw new DomainError(
      'INVALID_CURSOR',
      'This cursor is older than 90 days: drop what you have, and start again without since.',
      { field: 'since' },
    );
  }
}

const unknownCursor = (): DomainError =>
  new DomainError(
    'INVALID_CURSOR',
    'This is no cursor of your changes in this database. Give the one of your last answer as it was, or start again without since.',
    { field: 'since' },
  );
