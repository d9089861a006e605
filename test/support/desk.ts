import request from 'supertest';
import type { Player } from '../../src/rules/ruleset.js';
import type { Http } from './accounts.js';
import type { Answer, Body, By, Refusal } from './play.js';
import type { Edges, User } from './shown.js';

/** What people write and whom they do not hear, over both transports, with the same answers. */

export interface Message {
  readonly id: string;
  readonly player: Player;
  readonly text: string;
  readonly createdAt: string;
}

/** An answer, and the seconds after which a refused one may be asked for again. */
export type Told<T> = Answer<T> & { readonly retryAfter?: number };

export interface Desk {
  blockUser(by: By, username: string): Promise<Told<User>>;
  unblockUser(by: By, username: string): Promise<Told<User>>;
  blockedUsers(by: By, page?: Body): Promise<Told<Edges<User>>>;
  sendMessage(by: By, id: string, text: unknown, key?: string): Promise<Told<Message>>;
  /** Null in GraphQL where REST refuses, and so for the note and the mute. */
  messages(by: By, id: string, page?: Body): Promise<Told<Edges<Message> | null>>;
  setNote(by: By, id: string, note: unknown): Promise<Told<string | null>>;
  note(by: By, id: string): Promise<Told<string | null>>;
  mute(by: By, id: string, muted: unknown): Promise<Told<boolean>>;
  muted(by: By, id: string): Promise<Told<boolean | null>>;
}

interface Fault extends Refusal {
  readonly retryAfter?: number;
}

interface Call {
  readonly body?: Body;
  readonly query?: Body;
  readonly key?: string | undefined;
}

export function restDesk(http: Http): Desk {
  const call = async <T>(
    by: By,
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    { body, query = {}, key }: Call = {},
    read = (answer: never): unknown => answer,
  ): Promise<Told<T>> => {
    const sent = request(http)[method](`/v1/${path}`).query(query);
    if (by !== null) void sent.set('Authorization', by.authorization);
    if (key !== undefined) void sent.set('Idempotency-Key', key);
    const { status, body: answer, text } = await sent.send(body);
    if (status < 400) return { data: read(answer as never) as T, text };
    return refused(answer as Fault, (answer as { detail: string }).detail, text);
  };
  const note = ({ note: kept }: { note: string | null }) => kept;
  const muted = ({ muted: kept }: { muted: boolean }) => kept;
  return {
    blockUser: (by, username) => call(by, 'put', `me/blocks/${encodeURIComponent(username)}`),
    unblockUser: (by, username) => call(by, 'delete', `me/blocks/${encodeURIComponent(username)}`),
    blockedUsers: (by, query = {}) => call(by, 'get', 'me/blocks', { query }),
    sendMessage: (by, id, text, key) => call(by, 'post', `games/${id}/messages`, { body: { text }, key }),
    messages: (by, id, query = {}) => call(by, 'get', `games/${id}/messages`, { query }),
    setNote: (by, id, text) => call(by, 'put', `games/${id}/note`, { body: { note: text } }, note),
    note: (by, id) => call(by, 'get', `games/${id}/note`, {}, note),
    mute: (by, id, value) => call(by, 'put', `games/${id}/mute`, { body: { muted: value } }, muted),
    muted: (by, id) => call(by, 'get', `games/${id}/mute`, {}, muted),
  };
}

const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const USER = '{ id username displayName closed createdAt }';
const MESSAGE = '{ id player text createdAt }';

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Fault }[];
}

export function graphqlDesk(http: Http): Desk {
  const call = async <T>(
    by: By,
    query: string,
    variables: Body,
    read = (answer: never): unknown => answer,
  ): Promise<Told<T>> => {
    const sent = request(http).post('/graphql');
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { body, text } = await sent.send({ query, variables });
    const { data, errors } = body as GraphqlAnswer;
    if (errors !== undefined) return refused(errors[0]!.extensions, errors[0]!.message, text);
    return { data: read(Object.values(data ?? {})[0] as never) as T, text };
  };
  const ofGame = <T>(by: By, id: string, field: string, variables: Body = {}, declared = '') =>
    call<T>(
      by,
      `query ($id: ID!${declared}) { game(id: $id) { ${field} } }`,
      { id, ...variables },
      (game) => Object.values(game)[0],
    );
  const onUser = (by: By, verb: string, username: string) =>
    call<User>(by, `mutation ($username: String!) { ${verb}(username: $username) ${USER} }`, { username });
  const messages = `messages(first: $first, after: $after, last: $last, before: $before) { edges { cursor node ${MESSAGE} } ${PAGE} }`;
  return {
    blockUser: (by, username) => onUser(by, 'blockUser', username),
    unblockUser: (by, username) => onUser(by, 'unblockUser', username),
    blockedUsers: (by, page = {}) =>
      call(
        by,
        `query ($first: Int, $after: String) { blockedUsers(first: $first, after: $after) { edges { cursor node ${USER} } ${PAGE} } }`,
        page,
      ),
    sendMessage: (by, gameId, text, key) =>
      call(by, `mutation ($input: SendMessageInput!) { sendMessage(input: $input) ${MESSAGE} }`, {
        input: { gameId, text, ...(key === undefined ? {} : { idempotencyKey: key }) },
      }),
    messages: (by, id, page = {}) =>
      ofGame(by, id, messages, page, ', $first: Int, $after: String, $last: Int, $before: String'),
    setNote: (by, id, note) =>
      call(
        by,
        'mutation ($id: ID!, $note: String!) { setNote(gameId: $id, note: $note) { note } }',
        { id, note },
        ({ note: kept }: { note: string | null }) => kept,
      ),
    note: (by, id) => ofGame(by, id, 'note'),
    mute: (by, id, muted) =>
      call(
        by,
        'mutation ($id: ID!, $muted: Boolean!) { muteOpponent(gameId: $id, muted: $muted) { opponentMuted } }',
        { id, muted },
        ({ opponentMuted }: { opponentMuted: boolean }) => opponentMuted,
      ),
    muted: (by, id) => ofGame(by, id, 'opponentMuted'),
  };
}

function refused({ code, field, retryAfter }: Fault, message: string, text: string): Told<never> {
  const refusal = { code, ...(field === undefined ? {} : { field }) };
  const told = { data: undefined as never, refusal, message, text };
  return retryAfter === undefined ? told : { ...told, retryAfter };
}

export const DESKS: readonly (readonly [string, (http: Http) => Desk])[] = [
  ['GraphQL', graphqlDesk],
  ['REST', restDesk],
];
