import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { Announcer, EVERYBODY } from '../../platform/events/announcer.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Cursors, type ListCursors } from '../../platform/contract/cursors.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import { MAX_PAGE_SIZE, pageSize, type PageRequest } from '../../platform/contract/page.js';
import { shared } from '../../platform/gathering/shared.js';
import { PubSub } from '../../platform/events/pubsub.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import type { Principal } from '../auth/principal.js';
import { ChangesService } from '../changes/changes.service.js';
import { storedRow } from '../games/game.row.js';
import { GamesService } from '../games/games.service.js';
import { type Landmark, START } from '../../platform/events/landmark.js';
import {
  typesFor,
  APPLICATION_EVENT_TYPES,
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

type Asked = Pick<PageRequest, 'first' | 'after'> & { readonly fromNow?: boolean | null | undefined };

/** A position as a cursor holds it, and when it was stored. */
interface Stand extends Place {
  readonly at: Date;
}

type GoOn<At> = (last: At) => void;

/** A log that is read in the order in which it was stored: who reads it, and the cursors of its places. */
interface Log {
  readonly reader: EventsReader;
  readonly cursors: ListCursors<Stand>;
}

/** What is read of a log, and the place after it. */
interface ReadPart extends Part<ShownEvent> {
  readonly last: Place | undefined;
}

interface Reading {
  readonly log: Log;
  readonly from: From;
  readonly size: number;
}

const BEGINNING: From = { place: { ...START, part: 0 }, landmark: START, until: null };
const BEGINNING_OF_GAME: GamePlace = { version: 0, part: 0, hash: '' };

/** The events of a user or an application, and the public events of all games or of one, in order. */
@Injectable()
export class EventsService {
  /** Many follow all games, and stand at the same place: one read is for all of them. */
  private readonly readTogether = shared(
    (reading: Reading) => this.read(reading),
    ({ from: { place, landmark, until }, size }) =>
      [place.tide, place.id, place.part, landmark.mark, until?.tide, until?.id, size].join(),
  );

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
   * The events that the token of a viewer or an application reads, the oldest first, or those after a cursor; with
   * `fromNow` none, only the cursor of the end. Throws BAD_INPUT, INVALID_CURSOR, CURSOR_EXPIRED.
   */
  async mine(viewer: Principal, { first, after, fromNow }: Asked): Promise<Part<ShownEvent>> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    const log = this.logOf(viewer);
    if (fromNow === true) return this.end(log, after);
    const from = after == null ? BEGINNING : this.from(viewer, after);
    return this.read({ log, from, size });
  }

  /** The same as they happen, from now on or after a cursor. Throws INVALID_CURSOR, CURSOR_EXPIRED. */
  following(viewer: Principal, after: string | null | undefined): Promise<Stream> {
    const from = after == null ? null : { ...this.from(viewer, after), cursor: after };
    return this.follow(this.logOf(viewer), from, (reading) => this.read(reading));
  }

  /** For who keeps a place in the log in the same database: the next events of a reader, without cursors. */
  async ofReader(
    reader: EventsReader,
    place: Omit<Place, 'mark'>,
    limit: number,
  ): Promise<readonly Placed<Place>[]> {
    const { events } = await this.store.of(reader, { place, landmark: START, until: null }, limit);
    return events;
  }

  /** The public events of all games, as `mine`. Throws BAD_INPUT, INVALID_CURSOR, CURSOR_EXPIRED. */
  async ofAll({ first, after, fromNow }: Asked): Promise<Part<ShownEvent>> {
    const size = pageSize(first, 'first', MAX_PAGE_SIZE);
    if (fromNow === true) return this.end(this.everybody, after);
    return this.readTogether({ log: this.everybody, from: this.fromOfAll(after) ?? BEGINNING, size });
  }

  /** The same as they happen, from now on or after a cursor. Throws INVALID_CURSOR, CURSOR_EXPIRED. */
  async followingAll(after: string | null | undefined): Promise<Stream> {
    const from = this.fromOfAll(after);
    return this.follow(this.everybody, from && { ...from, cursor: after! }, this.readTogether);
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

  /** An empty part at the end of a log. */
  private async end(log: Log, after: string | null | undefined): Promise<Part<never>> {
    if (after != null) {
      throw badInput('fromNow', 'fromNow must not be used together with after. Remove one of them.');
    }
    return { items: [], hasMore: false, end: this.cursorIn(log, await this.store.end()) };
  }

  /** The cursor of a reader who has read all up to a landmark. */
  private cursorIn({ cursors }: Log, landmark: Landmark): string {
    return cursors.make({ ...landmark, part: WHOLE, at: this.time.now() });
  }

  /** Follows a log from a position on, or from its end. */
  private async follow(
    log: Log,
    begun: (From & { readonly cursor: string }) | null,
    read: (reading: Reading) => Promise<ReadPart>,
  ): Promise<Stream> {
    let from: From = begun ?? fromOf({ ...(await this.store.end()), part: WHOLE });
    const ready = begun?.cursor ?? this.cursorIn(log, from.landmark);
    const wakes = await this.announcer.listen(log.reader.id);
    const events = new Following(wakes, async () => {
      // Nobody stands behind what the announcer looks at, so that it notices for all if that is lost.
      const until = await this.announcer.reached();
      const part = await read({ log, from: { ...from, until }, size: MAX_PAGE_SIZE });
      if (part.last !== undefined) from = fromOf(part.last);
      return part;
    });
    return Object.assign(events, { from: ready });
  }

  private async read({ log: { reader, cursors }, from, size }: Reading): Promise<ReadPart> {
    const read = await this.store.of(reader, from, size + 1);
    if (!read.stands) throw expired();
    let last: Place | undefined;
    const part = partOf(read, size, (place: Place) => (last = place), ({ place: { tide, id, mark, part: at }, storedAt }) =>
      cursors.make({ tide, id, mark, part: at, at: storedAt })); // prettier-ignore
    return { ...part, last };
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
    const log = this.logOf(viewer);
    const stand = log.cursors.open(cursor);
    const { at, ...from } = stand ? { ...fromOf(stand), at: stand.at } : this.ofChanges(viewer, cursor);
    this.assertKept(at);
    return from;
  }

  private fromOfAll(cursor: string | null | undefined): From | null {
    const stand = this.everybody.cursors.read(cursor, 'after');
    if (stand === null) return null;
    this.assertKept(stand.at);
    return fromOf(stand);
  }

  private assertKept(at: Date): void {
    if (this.time.now().getTime() - at.getTime() > KEPT_MS) throw expired();
  }

  /** A reader that continues from a cursor of changes misses nothing, but may get some events twice. */
  private ofChanges(viewer: Principal, cursor: string): From & { readonly at: Date } {
    const { told, landmark, hasMore, at } = orThrow(this.changes.stand(viewer, cursor), unknownCursor);
    if (!hasMore) return { ...fromOf({ ...landmark, part: WHOLE }), at };
    const xid = BigInt(told.xid);
    const tide = xid < landmark.tide ? xid : landmark.tide;
    return { place: { tide, id: 0n, part: 0 }, landmark, until: null, at };
  }

  /** Cursors are encrypted, because their numbers would reveal acts of others. */
  private logOf(viewer: Principal): Log {
    return { reader: readerOf(viewer), cursors: this.cursors.of('markedEvents', viewer.userId) };
  }

  private get everybody(): Log {
    return { reader: ALL, cursors: this.cursors.of('publicEvents') };
  }

  private cursorsOfGame(id: string): ListCursors<GamePlace> {
    return this.cursors.of('hashedEvents', id);
  }
}

const ALL: EventsReader = { of: 'everybody', id: EVERYBODY, types: ['ratingChanged'] };

const readerOf = ({ kind, userId: id, scopes }: Principal): EventsReader =>
  kind === 'application'
    ? { of: 'application', id, types: APPLICATION_EVENT_TYPES }
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
    'This cursor does not belong to your events. Use the id of one of your events, or take a cursor with fromNow.',
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
    'This cursor is older than 90 days, or its event was lost when the database was replaced by an older copy. Take the cursor of this moment with fromNow, read again what you need, and continue from it.',
    { field: 'after' },
  );
