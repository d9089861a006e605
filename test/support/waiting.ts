import request from 'supertest';
import type { Http } from './accounts.js';
import { CHALLENGE } from './documents.js';
import type { Answer, Body, By, Refusal } from './play.js';
import type { Challenge, Edges, User } from './shown.js';

/** Rematches, and the inbox of all that waits for an answer, over both transports, with the same answers. */

export interface InboxItem {
  readonly kind: string;
  readonly at: string;
  readonly gameId: string | null;
  readonly challengeId: string | null;
  readonly from: User;
  readonly expiresAt: string | null;
  readonly ply: number | null;
}

export type InboxPage = Edges<InboxItem> & { readonly totalCount: number };

export interface Waiting {
  offerRematch(by: By, gameId: string, seed?: Body): Promise<Answer<Challenge>>;
  /** Null in GraphQL where REST refuses. */
  rematch(by: By, gameId: string): Promise<Answer<Challenge | null>>;
  inbox(by: By, page?: Body): Promise<Answer<InboxPage>>;
}

export function restWaiting(http: Http): Waiting {
  const call = async <T>(by: By, sent: request.Test): Promise<Answer<T>> => {
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { status, body, text } = await sent;
    return status < 400 ? { data: body as T, text } : refused(body as Refusal & { detail: string }, text);
  };
  return {
    offerRematch: (by, id, seed) => call(by, request(http).post(`/v1/games/${id}/rematch`).send(seed)),
    rematch: (by, id) => call(by, request(http).get(`/v1/games/${id}/rematch`)),
    inbox: (by, page = {}) => call(by, request(http).get('/v1/inbox').query(page)),
  };
}

const USER = '{ id username displayName closed createdAt }';
const INBOX = `{
  edges { cursor node { kind at gameId challengeId from ${USER} expiresAt ply } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount
}`;

export function graphqlWaiting(http: Http): Waiting {
  const call = async <T>(
    by: By,
    query: string,
    variables: Body,
    read = (answer: never): unknown => answer,
  ): Promise<Answer<T>> => {
    const sent = request(http).post('/graphql');
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { body, text } = await sent.send({ query, variables });
    const { data, errors } = body as {
      data?: Record<string, unknown> | null;
      errors?: readonly { message: string; extensions: Refusal }[];
    };
    if (errors === undefined) return { data: read(Object.values(data ?? {})[0] as never) as T, text };
    return refused({ ...errors[0]!.extensions, detail: errors[0]!.message }, text);
  };
  return {
    offerRematch: (by, gameId, seed = {}) =>
      call(
        by,
        `mutation ($gameId: ID!, $clientSeed: String, $clientSeedHash: String) {
          offerRematch(gameId: $gameId, clientSeed: $clientSeed, clientSeedHash: $clientSeedHash) ${CHALLENGE}
        }`,
        { gameId, ...seed },
      ),
    rematch: (by, id) =>
      call(
        by,
        `query ($id: ID!) { game(id: $id) { rematch ${CHALLENGE} } }`,
        { id },
        ({ rematch }: { rematch: unknown }) => rematch,
      ),
    inbox: (by, page = {}) =>
      call(
        by,
        `query ($first: Int = 20, $after: String) { inbox(first: $first, after: $after) ${INBOX} }`,
        page,
      ),
  };
}

function refused({ code, field, detail }: Refusal & { detail: string }, text: string): Answer<never> {
  const refusal = field === undefined ? { code } : { code, field };
  return { data: undefined as never, refusal, message: detail, text };
}
