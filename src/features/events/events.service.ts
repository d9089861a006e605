import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { Announcer } from '../../platform/events/announcer.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Cursors, type ListCursors } from '../../platform/contract/cursors.js';
import { orThrow, DomainError } from '../../platform/errors/errors.js';
import { MAX_PAGE_SIZE, pageSize, type PageRequest } from '../../platform/contract/page.js';
import { PubSub } from '../../platform/events/pubsub.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import type { Principal } from '../auth/principal.js';
import { ChangesService } from '../changes/changes.service.js';
import { storedRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import type { EventRow, GamePlace, Place, Placed } from './event.row.js';
import { EventsStore } from './events.store.js';
import { Following, type Part } from './following.js';

/** Not a setting: a longer time would make cursors valid again whose events are deleted. */
const KEPT_MS = 90 * DAY_MS;
/** A day longer than cursors are valid, because the database has its own clock. */
const FORGOTTEN_AFTER_MS = KEPT_MS + DAY_MS;
const FORGOTTEN_AT_ONCE = 1000;

/** An event as shown, with its cursor as id. */
export interface ShownEvent extends EventRow {
  readonly id: string;
}

/** The events after a position, and the cursor of that position. */
export interface Stream extends AsyncIterable<ShownEvent> {
  readonly from: string;
  return(): Promise<unknown>;
}

type Asked = Pick<PageRequest, 'first' | 'after'>;

/** A position in one of the histories of the log, and when it was stored. */
interface Stand extends Place {
  readonly epoch: string;
  readonly at: Date;
}

/** The beginning of the log. */
const BEGINNING: Place = { tide: 0n, id: 0n, part: 0 };

/** The events of a user, and the public events of a game, in order. */
@Injectable()
export class EventsService {
  constructor(
    private readonly store: EventsStore,
    private readonly announcer: Announcer,
    private readonly changes: ChangesService,
    private readonly games: GamesService,
    private readonly pubsub: PubSub,
    private readonly cursors: Cursors,
    private readonly time: Time,
    background: Background,
    @Inject(CONFIG) { housekeepingSeconds }: Config,
  ) {
    background.every('EventSweep', housekeepingSeconds * 1000, () => this.forget());
  }

  /**
   * The viewer's events, the oldest first, or those after a cursor. Throws BAD_INPUT, INVALID_CURSOR, CURSOR_EXPIRED.
   */
  async mine(viewer: Principal, { first, after }: Asked): Promise<Part<ShownEvent>> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    const epoch = await this.changes.epoch();
    return this.read(viewer, epoch, after == null ? BEGINNING : this.stand(viewer, epoch, after), size);
  }

  /** The viewer's events as they happen, from now on or after a cursor. Throws INVALID_CURSOR, CURSOR_EXPIRED. */
  async following(viewer: Principal, after: string | null | undefined): Promise<Stream> {
    const epoch = await this.changes.epoch();
    const given = after == null ? null : this.stand(viewer, epoch, after);
    let place = given ?? { ...BEGINNING, tide: await this.store.horizon() };
    const from = after ?? this.cursorOf(viewer, { epoch, ...place, at: this.time.now() });
    const wakes = await this.announcer.listen(viewer.userId);
    const events = new Following(wakes, () =>
      this.read(viewer, epoch, place, MAX_PAGE_SIZE, (last) => (place = last)),
    );
    return Object.assign(events, { from });
  }

  /** The events of a game, from its beginning or after a cursor. Throws BAD_INPUT, INVALID_CURSOR, NOT_FOUND. */
  async ofGame(id: string, { first, after }: Asked): Promise<Part<ShownEvent>> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    const game = await this.games.game(id);
    const cursors = this.cursorsOfGame(game.id);
    return this.readGame(game.id, cursors.read(after, 'after') ?? { version: 0, part: 0 }, size);
  }

  /** The events of a game as they happen, from now on or after a cursor. Throws INVALID_CURSOR, NOT_FOUND. */
  async followingGame(id: string, after: string | null | undefined): Promise<Stream> {
    const game = await this.games.game(id);
    const cursors = this.cursorsOfGame(game.id);
    const { version } = storedRow(game);
    let place = cursors.read(after, 'after') ?? { version: version + 1, part: 0 };
    const from = after ?? cursors.make(place);
    const wakes = this.pubsub.subscribe(`game.${game.id}`, version);
    const events = new Following(wakes, () =>
      this.readGame(game.id, place, MAX_PAGE_SIZE, (last) => (place = last)),
    );
    return Object.assign(events, { from });
  }

  /** Deletes events that no valid cursor can need. */
  async forget(): Promise<void> {
    const before = new Date(this.time.now().getTime() - FORGOTTEN_AFTER_MS);
    while ((await this.store.forget(before, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  }

  private async read(
    viewer: Principal,
    epoch: string,
    place: Place,
    size: number,
    goOn: (last: Place) => void = () => undefined,
  ): Promise<Part<ShownEvent>> {
    const { events, horizon } = await this.store.ofUser(viewer.userId, place, size + 1);
    // A future number: the database is an older copy of the one that issued the cursor.
    if (place.tide > horizon) throw expired();
    return partOf(events, size, goOn, ({ place, storedAt: at }) =>
      this.cursorOf(viewer, { epoch, ...place, at }),
    );
  }

  private async readGame(
    id: string,
    place: GamePlace,
    size: number,
    goOn: (last: GamePlace) => void = () => undefined,
  ): Promise<Part<ShownEvent>> {
    const cursors = this.cursorsOfGame(id);
    const events = await this.store.ofGame(id, place, size + 1);
    return partOf(events, size, goOn, ({ place: { version, part } }) => cursors.make({ version, part }));
  }

  /** The position of a cursor of events or of changes. */
  private stand(viewer: Principal, epoch: string, cursor: string): Place {
    const stand = this.cursorsOf(viewer).open(cursor) ?? this.ofChanges(viewer, cursor);
    const { epoch: theirs, at, tide, id, part } = orThrow(stand, unknownCursor);
    const isOld = this.time.now().getTime() - at.getTime() > KEPT_MS;
    if (isOld || theirs !== epoch) throw expired();
    return { tide, id, part };
  }

  /** A reader that continues from a cursor of changes misses nothing, but may get some events twice. */
  private ofChanges(viewer: Principal, cursor: string): Stand | null {
    const stand = this.changes.stand(viewer, cursor);
    return stand && { epoch: stand.epoch, at: stand.at, ...BEGINNING, tide: BigInt(stand.position.xid) };
  }

  private cursorOf(viewer: Principal, { epoch, at, tide, id, part }: Stand): string {
    return this.cursorsOf(viewer).make({ epoch, at, tide, id, part });
  }

  /** Encrypted, because the numbers would reveal acts of others. */
  private cursorsOf({ userId }: Principal): ListCursors<Stand> {
    return this.cursors.of('events', userId);
  }

  private cursorsOfGame(id: string): ListCursors<GamePlace> {
    return this.cursors.of('gameEvents', id);
  }
}

function partOf<At>(
  events: readonly Placed<At>[],
  size: number,
  goOn: (last: At) => void,
  cursor: (event: Placed<At>) => string,
): Part<ShownEvent> {
  const page = events.slice(0, size);
  const last = page.at(-1);
  if (last !== undefined) goOn(last.place);
  const items = page.map((each) => ({ id: cursor(each), ...each.event }));
  return { items, hasMore: events.length > size };
}

const unknownCursor = (): DomainError =>
  new DomainError(
    'INVALID_CURSOR',
    'This cursor does not belong to your events. Use the id of one of your events, or a cursor of changes.',
    { field: 'after' },
  );

const expired = (): DomainError =>
  new DomainError(
    'CURSOR_EXPIRED',
    'The events after this cursor are no longer stored. Call changes with fromNow, read again what you need, and continue from its cursor.',
    { field: 'after' },
  );
