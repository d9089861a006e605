import request from 'supertest';
import type { Http } from './accounts.js';
import type { Body, By, Refusal } from './play.js';
import type { Edges } from './shown.js';

/** The verbs of notifications over both transports. */

interface Notification {
  readonly id: string;
  readonly type: string;
  readonly gameId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly readAt: string | null;
}

export type Page = Edges<Notification> & { readonly unreadCount: number };

export interface Answer<T> {
  readonly data: T;
  readonly refusal?: Refusal;
}

export interface Inbox {
  page(by: By, page?: Body): Promise<Answer<Page>>;
  mark(by: By, which: Body): Promise<Answer<number>>;
}

const refused = ({ code, field }: Refusal): Answer<never> => ({
  data: undefined as never,
  refusal: { code, ...(field === undefined ? {} : { field }) },
});

export function restInbox(http: Http): Inbox {
  const call = async <T>(
    by: By,
    sent: request.Test,
    read: (body: never) => unknown = (body) => body,
  ): Promise<Answer<T>> => {
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { status, body } = await sent;
    return status < 400 ? { data: read(body as never) as T } : refused(body as Refusal);
  };
  const path = '/v1/notifications';
  return {
    page: (by, page = {}) => call(by, request(http).get(path).query(page)),
    mark: (by, which) =>
      call(by, request(http).post(`${path}/read`).send(which), ({ marked }: { marked: number }) => marked),
  };
}

const PAGE = `{
  edges { cursor node { id type gameId data createdAt readAt } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } unreadCount
}`;

export function graphqlInbox(http: Http): Inbox {
  const call = async <T>(by: By, query: string, variables: Body): Promise<Answer<T>> => {
    const sent = request(http).post('/graphql');
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { data, errors } = (await sent.send({ query, variables })).body as {
      data?: Record<string, T> | null;
      errors?: readonly { extensions: Refusal }[];
    };
    return errors ? refused(errors[0]!.extensions) : { data: Object.values(data!)[0]! };
  };
  return {
    page: (by, page = {}) =>
      call(
        by,
        `query ($unread: Boolean, $first: Int = 20, $after: String) {
          notifications(unread: $unread, first: $first, after: $after) ${PAGE}
        }`,
        page,
      ),
    mark: (by, which) =>
      call(
        by,
        `mutation ($ids: [ID!], $gameId: ID, $before: DateTime) {
          markNotificationsRead(ids: $ids, gameId: $gameId, before: $before)
        }`,
        which,
      ),
  };
}
