import type { Connection, PageRequest } from '../../platform/contract/page.js';
import type { EventPage } from './events.model.js';
import type { ShownEvent } from './events.service.js';
import type { Part } from './following.js';

/** A part of a log in GraphQL. */
export const asConnection = (
  { items, hasMore, end }: Part<ShownEvent>,
  { after }: Pick<PageRequest, 'after'>,
): Connection<ShownEvent> => ({
  edges: items.map((node) => ({ cursor: node.id, node })),
  pageInfo: {
    hasNextPage: hasMore,
    hasPreviousPage: after != null,
    startCursor: items[0]?.id ?? null,
    endCursor: items.at(-1)?.id ?? end ?? null,
  },
});

/** The same in REST. */
export const asPage = ({ items, hasMore, end }: Part<ShownEvent>): EventPage => ({
  items,
  next: hasMore ? items.at(-1)!.id : (end ?? null),
});
