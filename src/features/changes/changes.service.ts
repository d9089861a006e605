import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Principal } from '../auth/principal.js';
import type { Config } from '../../config.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Cursors, type ListCursors } from '../../platform/contract/cursors.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import { MAX_PAGE_SIZE, pageSize } from '../../platform/contract/page.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import { START, type Landmark } from '../../platform/events/landmark.js';
import { BEGINNING, kindsFor, type ChangeRow, type Told } from './change.row.js';
import { ChangesStore, type Followed } from './changes.store.js';

/** Not a setting: a longer time would make cursors valid again whose tombstones are deleted. */
const CURSORS_VALID_MS = 90 * DAY_MS;
/** A day longer than cursors are valid, because the database has its own clock. */
const TOMBSTONES_KEPT_MS = CURSORS_VALID_MS + DAY_MS;
const FORGOTTEN_AT_ONCE = 1000;
const FOLDED_AT_ONCE = 1000;

/** The position of a reader of the changes. */
export interface Stand {
  /** The change that it was told last. */
  readonly told: Told;
  /** The last event of all before that was read: if it is lost, so may be what the reader was told. */
  readonly landmark: Landmark;
  readonly hasMore: boolean;
  /** When the reader started. */
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
  constructor(
    private readonly store: ChangesStore,
    private readonly cursors: Cursors,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) config: Config,
  ) {
    background.every('ChangeSweep', config.housekeepingSeconds * 1000, async () => {
      await this.store.arrive();
      await this.fold();
      await this.forget();
    });
  }

  /** Before any request, as a database restored from elsewhere has numbers that mean nothing here. */
  onApplicationBootstrap(): Promise<void> {
    return this.store.arrive();
  }

  /**
   * The viewer's changes of the kinds that their token reads, from the beginning or after a cursor, the oldest first;
   * with `fromNow` none, only the current cursor. Throws BAD_INPUT, INVALID_CURSOR, CURSOR_EXPIRED.
   */
  async page(viewer: Principal, { since, first, fromNow }: ChangesRequest): Promise<ChangesPage> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    const now = this.time.now();
    if (fromNow === true) {
      if (since != null) {
        throw badInput('fromNow', 'fromNow must not be used together with since. Remove one of them.');
      }
      return this.answer(viewer, { ...(await this.store.last(viewer.userId)), hasMore: false, at: now });
    }
    const from = since == null ? null : this.read(viewer, since, now);
    const { rows, landmark } = await this.followed(viewer, from, size + 1);
    const page = rows.slice(0, size);
    const hasMore = rows.length > size;
    // A reader that has not reached the end keeps the age of its start, because tombstones are not kept longer for it.
    const at = hasMore && from !== null ? from.at : now;
    const told = page.at(-1) ?? from?.told ?? BEGINNING;
    return this.answer(viewer, { told, landmark, hasMore, at }, page);
  }

  /** The position of a cursor of a user's changes; null for any other text. */
  stand({ userId }: Principal, cursor: string): Stand | null {
    const key = this.cursorsOf(userId).open(cursor);
    return key && standOf(key);
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

  /** The changes after a position. Throws CURSOR_EXPIRED if what its reader was told is lost. */
  private async followed(
    { userId, scopes }: Principal,
    from: Stand | null,
    limit: number,
  ): Promise<Followed> {
    const reader = { userId, kinds: kindsFor(scopes) };
    const { told, landmark } = from ?? { told: BEGINNING, landmark: START };
    const followed = await this.store.after(reader, told, limit, landmark);
    // While a server runs, its database may be replaced by one that was restored in another cluster.
    if (!followed.stands) await this.store.arrive();
    if (!followed.stands || isLost(told, followed.now)) throw expired();
    const isBehindLandmark = BigInt(told.xid) <= landmark.tide;
    if (isBehindLandmark || followed.now === null || followed.now.mark === told.mark) return followed;
    // Nothing proves that the number of the change is not used again: what came after the landmark is listed once more.
    const again = { ...BEGINNING, xid: String(landmark.tide + 1n) };
    return this.store.after(reader, again, limit, landmark);
  }

  private answer({ userId }: Principal, stand: Stand, items: readonly ChangeRow[] = []): ChangesPage {
    return { items, cursor: this.cursorsOf(userId).make(keyOf(stand)), hasMore: stand.hasMore };
  }

  /** Encrypted, because transaction numbers would reveal acts of others, such as conditional moves of the opponent. */
  private cursorsOf(userId: string): ListCursors<StandKey> {
    return this.cursors.of('markedChanges', userId);
  }

  private read(viewer: Principal, cursor: string, now: Date): Stand {
    const stand = orThrow(this.stand(viewer, cursor), unknownCursor);
    if (now.getTime() - stand.at.getTime() <= CURSORS_VALID_MS) return stand;
    throw expired();
  }
}

type StandKey = ReturnType<typeof keyOf>;

/** A stand as a cursor holds it: without names, which would double its length. */
const keyOf = ({ told, landmark, hasMore, at }: Stand) =>
  [
    [told.xid, told.kind, told.id, told.mark, told.deleted],
    [landmark.tide, landmark.id, landmark.mark],
    hasMore,
    at,
  ] as const;

const standOf = ([told, landmark, hasMore, at]: StandKey): Stand => ({
  told: { xid: told[0], kind: told[1], id: told[2], mark: told[3], deleted: told[4] },
  landmark: { tide: landmark[0], id: landmark[1], mark: landmark[2] },
  hasMore,
  at,
});

/** A thing only gets newer: one that is older than it was, or is gone without a tombstone, has lost its change. */
function isLost({ xid, kind, mark, deleted }: Told, now: Followed['now']): boolean {
  if (kind === '') return false;
  if (now === null) return !deleted;
  return now.xid === xid ? now.mark !== mark : BigInt(now.xid) < BigInt(xid);
}

const expired = (): DomainError =>
  new DomainError(
    'CURSOR_EXPIRED',
    'This cursor is older than 90 days, or what it follows was lost when the database was replaced by an older copy. Discard your copy and start again without since.',
    { field: 'since' },
  );

const unknownCursor = (): DomainError =>
  new DomainError(
    'INVALID_CURSOR',
    'This cursor does not belong to your changes. Use the cursor of your last answer unchanged, or start again without since.',
    { field: 'since' },
  );
