import { connection } from '../documents.js';
import { get, mutation, part, query, verb } from '../verb.js';
import type { Edges } from '../api-types.js';
import type { Body } from '../transport.js';

/** Events, page by page; for streams see event-streams.ts. */

export interface Happened {
  readonly id: string;
  readonly type: string;
  readonly gameId: string | null;
  readonly version: number | null;
  readonly player: string | null;
  readonly subject: string | null;
  readonly at: string;
  readonly receipt: string | null;
}

export interface HappenedPage {
  readonly items: readonly Happened[];
  readonly next: string | null;
}

export const EVENT = '{ id type gameId version player subject at receipt }';

const pageOf = ({ edges, pageInfo }: Edges<Happened>): HappenedPage => ({
  items: edges.map(({ node }) => node),
  // An empty page has a cursor if `fromNow` asked for it.
  next: pageInfo.hasNextPage || edges.length === 0 ? pageInfo.endCursor : null,
});

export const EVENTS = {
  createStreamTicket: verb<[], string>({
    rest: () => part('ticket', { method: 'post', path: 'stream-tickets', body: {} }),
    graphql: () => part('ticket', mutation('createStreamTicket')),
  }),
  myEvents: verb<[page?: Body], HappenedPage>({
    rest: (page) => get('me/events', page),
    graphql: (page) => ({ ...query('myEvents', { first: 100, ...page }, connection(EVENT)), read: pageOf }),
  }),
  publicEvents: verb<[page?: Body], HappenedPage>({
    rest: (page) => get('events', page),
    graphql: (page) => ({
      ...query('publicEvents', { first: 100, ...page }, connection(EVENT)),
      read: pageOf,
    }),
  }),
  ownEvents: verb<[page?: Body], HappenedPage>({
    rest: (page) => get('application/events', page),
    graphql: (page) => ({ ...query('ownEvents', { first: 100, ...page }, connection(EVENT)), read: pageOf }),
  }),
  gameEvents: verb<[gameId: string, page?: Body], HappenedPage>({
    rest: (gameId, page) => get(`games/${gameId}/events`, page),
    graphql: (gameId, page) => ({
      ...query('gameEvents', { gameId, first: 100, ...page }, connection(EVENT)),
      read: pageOf,
    }),
  }),
};
