import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Cursors, type ListCursors } from '../../platform/contract/cursors.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import { MAX_PAGE_SIZE, pageSize } from '../../platform/contract/page.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { BEGINNING, type ChangePosition, type ChangeRow } from './change.row.js';
import { ChangesStore, type Present } from './changes.store.js';
import { retry, UNTIL_STILL } from '../../platform/process/retry.js';

/** Not a setting: a longer time would make cursors valid again whose tombstones are deleted. */
const CURSORS_VALID_MS = 90 * DAY_MS;
/** A day longer than cursors are valid, because the database has its own clock. */
const TOMBSTONES_KEPT_MS = CURSORS_VALID_MS + DAY_MS;
const FORGOTTEN_AT_ONCE = 1000;
const FOLDED_AT_ONCE = 1000;

/** A position in one of the histories of the changes, and when its reader started. */
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
  /** The cursor for the next page or poll, also if there was nothing. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/**
 * The changes of a user since their last request. Database triggers record them with each commit, but those of games: the
 * event log has these, and they are folded behind it, so that a game that has moved often is written once.
 */
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
    background.every('ChangeSweep', config.housekeepingSeconds * 1000, async () => {
      await this.fold();
      await this.forget();
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.here(() => this.store.now());
  }

  /**
   * The viewer's changes from the beginning or after a cursor, the oldest first; with `fromNow` none, only the current
   * cursor. Throws BAD_INPUT, INVALID_CURSOR, CURSOR_EXPIRED.
   */
  async page(viewer: Principal, { since, first, fromNow }: ChangesRequest): Promise<ChangesPage> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    const now = this.time.now();
    if (fromNow === true) {
      if (since != null) {
        throw badInput('fromNow', 'fromNow must not be used together with since. Remove one of them.');
      }
      const { horizon, epoch } = await this.here(() => this.store.now());
      return this.answer(viewer, { epoch, position: { ...BEGINNING, xid: horizon }, at: now });
    }
    const from = since == null ? null : this.read(viewer, since, now);
    const position = from?.position ?? BEGINNING;
    const { rows, horizon, epoch } = await this.here(() =>
      this.store.after(viewer.userId, position, size + 1),
    );
    // A future number: the database is an older copy of the one that issued the cursor.
    const isOfElsewhere = from !== null && from.epoch !== epoch;
    if (isOfElsewhere || BigInt(position.xid) > BigInt(horizon)) throw expired();
    const page = rows.slice(0, size);
    const hasMore = rows.length > size;
    // A reader that has not reached the end keeps the age of its start, because tombstones are not kept longer for it.
    const at = hasMore && from !== null ? from.at : now;
    return this.answer(viewer, { epoch, position: page.at(-1) ?? position, at }, page, hasMore);
  }

  /** The current history. */
  async epoch(): Promise<string> {
    return (await this.here(() => this.store.now())).epoch;
  }

  /** The position of a cursor of a user's changes; null for any other text. */
  stand({ userId }: Principal, cursor: string): Stand | null {
    return this.cursorsOf(userId).open(cursor);
  }

  /** Folds the events of games into the changes. Reads give the same before and after. */
  async fold(): Promise<void> {
    while ((await this.store.fold(FOLDED_AT_ONCE)) === FOLDED_AT_ONCE);
  }

  /** Deletes the tombstones that no valid cursor can need. */
  async forget(): Promise<void> {
    const before = new Date(this.time.now().getTime() - TOMBSTONES_KEPT_MS);
    while ((await this.store.forget(before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  }

  /** Runs a read after a history has begun: while the server runs, its database may be replaced by a copy. */
  private async here<T extends Present>(ask: () => Promise<T>): Promise<T & { epoch: string }> {
    return retry(async () => {
      const { epoch, ...answer } = await ask();
      if (epoch !== null) return { ...answer, epoch } as T & { epoch: string };
      this.beginning ??= this.store.begin().finally(() => (this.beginning = undefined));
      await this.beginning;
      return null;
    }, UNTIL_STILL);
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

  /** Encrypted, because transaction numbers would reveal acts of others, such as conditional moves of the opponent. */
  private cursorsOf(userId: string): ListCursors<Stand> {
    return this.cursors.of('changes', userId);
  }

  private read({ userId }: Principal, cursor: string, now: Date): Stand {
    const stand = orThrow(this.cursorsOf(userId).open(cursor), unknownCursor);
    if (now.getTime() - stand.at.getTime() <= CURSORS_VALID_MS) return stand;
    throw expired();
  }
}

const expired = (): DomainError =>
  new DomainError(
    'CURSOR_EXPIRED',
    'This cursor is older than 90 days, or from before the database was restored. Discard your copy and start again without since.',
    { field: 'since' },
  );

const unknownCursor = (): DomainError =>
  new DomainError(
    'INVALID_CURSOR',
    'This cursor does not belong to your changes. Use the cursor of your last answer unchanged, or start again without since.',
    { field: 'since' },
  );
