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
import { START } from '../../platform/events/landmark.js';
import {
  typesFor,
  USER_EVENT_TYPES,
  type EventsReader,
  WHOLE,
  type EventRow,
  type GamePlace,
  type Place,
  type Placed,
  type Read,
} from './event.row.js';
import { EventsStore, type From } from './events.store.js';
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

/** A position as a cursor holds it, and when it was stored. */
interface Stand extends Place {
  readonly at: Date;
}

type GoOn<At> = (last: At) => void;

const BEGINNING: From = { place: { ...START, part: 0 }, landmark: START, until: null };
const BEGINNING_OF_GAME: GamePlace = { version: 0, part: 0, hash: '' };

/** The events of a user or an application, and the public events of a game, in order. */
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
   * The events that the token of a viewer or an application reads, the oldest first, or those after a cursor. Throws BAD_INPUT, INVALID_CURSOR, CURSOR_EXPIRED.
   */
  async mine(viewer: Principal, { first, after }: Asked): Promise<Part<ShownEvent>> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    return this.read(viewer, after == null ? BEGINNING : this.from(viewer, after), size);
  }

  /** The same as they happen, from now on or after a cursor. Throws INVALID_CURSOR, CURSOR_EXPIRED. */
  async following(viewer: Principal, after: string | null | undefined): Promise<Stream> {
    let from =
      after == null ? fromOf({ ...(await this.store.end()), part: WHOLE }) : this.from(viewer, after);
    const ready = after ?? this.cursorOf(viewer, { ...from.landmark, part: WHOLE, at: this.time.now() });
    const wakes = await this.announcer.listen(viewer.userId);
    const events = new Following(wakes, async () => {
      // Nobody stands behind what the announcer looks at, so that it notices for all if that is lost.
      const until = await this.announcer.reached();
      return this.read(viewer, { ...from, until }, MAX_PAGE_SIZE, (last) => (from = fromOf(last)));
    });
    return Object.assign(events, { from: ready });
  }

  /** The events of a game, from its beginning or after a cursor. Throws BAD_INPUT, INVALID_CURSOR, CURSOR_EXPIRED, NOT_FOUND. */
  async ofGame(id: string, { first, after }: Asked): Promise<Part<ShownEvent>> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    const game = await this.games.game(id);
    const cursors = this.cursorsOfGame(game.id);
    return this.readGame(game.id, cursors.read(after, 'after') ?? BEGINNING_OF_GAME, size);
  }

  /** The events of a game as they happen, from now on or after a cursor. Throws INVALID_CURSOR, NOT_FOUND. */
  async followingGame(id: string, after: string | null | undefined): Promise<Stream> {
    const game = await this.games.game(id);
    const cursors = this.cursorsOfGame(game.id);
    const { version, headHash: hash } = storedRow(game);
    let place = cursors.read(after, 'after') ?? { version, part: WHOLE, hash };
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
    from: From,
    size: number,
    goOn: GoOn<Place> = () => undefined,
  ): Promise<Part<ShownEvent>> {
    const read = await this.store.of(readerOf(viewer), from, size + 1);
    if (!read.stands) throw expired();
    return partOf(read, size, goOn, ({ place, storedAt: at }) => this.cursorOf(viewer, { ...place, at }));
  }

  private async readGame(
    id: string,
    place: GamePlace,
    size: number,
    goOn: GoOn<GamePlace> = () => undefined,
  ): Promise<Part<ShownEvent>> {
    const cursors = this.cursorsOfGame(id);
    const read = await this.store.ofGame(id, place, size + 1);
    if (!read.stands) throw lostOfGame();
    return partOf(read, size, goOn, (event) => cursors.make(event.place));
  }

  /** The position of a cursor of events or of changes. */
  private from(viewer: Principal, cursor: string): From {
    const stand = this.cursorsOf(viewer).open(cursor);
    const { at, ...from } = stand ? { ...fromOf(stand), at: stand.at } : this.ofChanges(viewer, cursor);
    if (this.time.now().getTime() - at.getTime() > KEPT_MS) throw expired();
    return from;
  }

  /** A reader that continues from a cursor of changes misses nothing, but may get some events twice. */
  private ofChanges(viewer: Principal, cursor: string): From & { readonly at: Date } {
    const { told, landmark, hasMore, at } = orThrow(this.changes.stand(viewer, cursor), unknownCursor);
    if (!hasMore) return { ...fromOf({ ...landmark, part: WHOLE }), at };
    const xid = BigInt(told.xid);
    const tide = xid < landmark.tide ? xid : landmark.tide;
    return { place: { tide, id: 0n, part: 0 }, landmark, until: null, at };
  }

  private cursorOf(viewer: Principal, { tide, id, mark, part, at }: Stand): string {
    return this.cursorsOf(viewer).make({ tide, id, mark, part, at });
  }

  /** Encrypted, because the numbers would reveal acts of others. */
  private cursorsOf({ userId }: Principal): ListCursors<Stand> {
    return this.cursors.of('markedEvents', userId);
  }

  private cursorsOfGame(id: string): ListCursors<GamePlace> {
    return this.cursors.of('hashedEvents', id);
  }
}

/** An application reads all events of its games; what concerns one player alone is stored without it. */
const readerOf = ({ kind, userId: id, scopes }: Principal): EventsReader =>
  kind === 'application'
    ? { of: 'application', id, types: USER_EVENT_TYPES }
    : { of: 'user', id, types: typesFor(scopes) };

/** The position at an event. */
const fromOf = ({ tide, id, mark, part }: Place): From => ({
  place: { tide, id, part },
  landmark: { tide, id, mark },
  until: null,
});

function partOf<At>(
  { events }: Read<At>,
  size: number,
  goOn: GoOn<At>,
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

const lostOfGame = (): DomainError =>
  new DomainError(
    'CURSOR_EXPIRED',
    'The event of this cursor was lost when the database was replaced by an older copy. Read the events of the game again, without after.',
    { field: 'after' },
  );

const expired = (): DomainError =>
  new DomainError(
    'CURSOR_EXPIRED',
    'This cursor is older than 90 days, or its event was lost when the database was replaced by an older copy. Call changes with fromNow, read again what you need, and continue from its cursor.',
    { field: 'after' },
  );
