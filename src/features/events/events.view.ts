import { Injectable } from '@nestjs/common';
import type { Connection, PageRequest } from '../../platform/contract/page.js';
import { GamesService } from '../games/games.service.js';
import { GamesView } from '../games/games.view.js';
import type { EventRow } from './event.row.js';
import type { Event, EventPage } from './events.model.js';
import type { ShownEvent } from './events.service.js';
import type { Part } from './following.js';

/** An event in GraphQL, where its receipt is made only on request. */
export interface EventOnDemand extends ShownEvent {
  readonly receipt: () => Promise<string | null>;
}

/** Converts events for both transports, and for what is sent out. */
@Injectable()
export class EventsView {
  constructor(
    private readonly games: GamesService,
    private readonly gamesView: GamesView,
  ) {}

  /** The receipt of an end, which its game shows to everybody; null for any other event. */
  async receipt({ type, gameId, version }: EventRow): Promise<string | null> {
    const row = type === 'end' ? await this.games.found(gameId!) : null;
    // After a lost commit the game may go on without this end.
    return row !== null && row.version === version ? this.gamesView.receipt(row) : null;
  }

  event(event: ShownEvent): EventOnDemand {
    return { ...event, receipt: () => this.receipt(event) };
  }

  /** A complete event, as REST shows it. */
  async document(event: ShownEvent): Promise<Event> {
    return { ...event, receipt: await this.receipt(event) };
  }

  /** The same of events as they happen. */
  documents(events: AsyncIterator<ShownEvent>): AsyncIterator<Event> {
    return {
      next: async () => {
        const read = await events.next();
        return read.done === true ? read : { done: false, value: await this.document(read.value) };
      },
      return: async () => {
        await events.return?.();
        return { done: true, value: undefined };
      },
    };
  }

  /** A part of a log in GraphQL. */
  connection(
    { items, hasMore, end }: Part<ShownEvent>,
    { after }: Pick<PageRequest, 'after'>,
  ): Connection<EventOnDemand> {
    return {
      edges: items.map((item) => ({ cursor: item.id, node: this.event(item) })),
      pageInfo: {
        hasNextPage: hasMore,
        hasPreviousPage: after != null,
        startCursor: items[0]?.id ?? null,
        endCursor: items.at(-1)?.id ?? end ?? null,
      },
    };
  }

  /** The same in REST. */
  async page({ items, hasMore, end }: Part<ShownEvent>): Promise<EventPage> {
    return {
      items: await Promise.all(items.map((item) => this.document(item))),
      next: hasMore ? items.at(-1)!.id : (end ?? null),
    };
  }
}
