import { type Client, createClient, type ExecutionResult } from 'graphql-ws';
import WebSocket from 'ws';
import { CHALLENGE } from './documents.js';
import type { By } from './transport.js';
import { toRestSpelling } from './enum-spelling.js';

/** Subscriptions, with the same client library that players use. */

export interface Watch {
  /** The next event; fails if none arrives within a minute. */
  next(): Promise<ExecutionResult<Readonly<Record<string, never>>, unknown>>;
  stop(): Promise<void>;
}

export interface Socket {
  watch(gameId: string, selection: string): Watch;
  watchLobby(): Watch;
  /** Sends any operation. */
  send(query: string, variables?: Record<string, unknown>): Watch;
  /** The close code of the socket. */
  readonly closed: Promise<number>;
  close(): Promise<void>;
}

const PATIENCE_MS = 60_000;

export async function openSocket(
  { url }: { readonly url: string },
  by: By,
  authorization = by?.authorization,
): Promise<Socket> {
  let report: (code: number) => void = () => undefined;
  const closed = new Promise<number>((resolve) => (report = resolve));
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    ...(authorization === undefined ? {} : { connectionParams: { authorization } }),
    on: { closed: (event) => report((event as { code: number }).code) },
  });
  await Promise.race([new Promise<void>((resolve) => client.on('connected', () => resolve())), closed]);
  const send = (query: string, variables: Record<string, unknown> = {}) =>
    listen(client, { query, variables });
  const watch = (query: string, variables: Record<string, unknown> = {}) =>
    inRestWords(query, send(query, variables));
  return {
    send,
    watch: (id, selection) =>
      watch(`subscription ($id: ID!) { gameChanged(gameId: $id) ${selection} }`, { id }),
    watchLobby: () => watch(`subscription { lobbyChanged { id seek ${CHALLENGE} } }`),
    closed,
    close: async () => {
      await client.dispose();
      await closed;
    },
  };
}

function listen(client: Client, operation: { query: string; variables: Record<string, unknown> }): Watch {
  const iterator = client.iterate(operation);
  return {
    next: async () => {
      const late = new Promise<never>((_, reject) =>
        setTimeout(() => reject(new Error('No event arrived')), PATIENCE_MS).unref(),
      );
      const { value, done } = await Promise.race([iterator.next(), late]);
      if (done) throw new Error('The subscription has ended');
      return value as never;
    },
    stop: async () => {
      await iterator.return?.();
    },
  };
}

const inRestWords = (query: string, { next, stop }: Watch): Watch => ({
  next: async () => {
    const event = await next();
    return { ...event, data: toRestSpelling(query, event.data) as never };
  },
  stop,
});
