import { type Client, createClient, type ExecutionResult } from 'graphql-ws';
import WebSocket from 'ws';
import { CHALLENGE } from './documents.js';
import type { By } from './transport.js';
import { toRestSpelling } from './enum-spelling.js';

/** Subscriptions, with the same client library that players use. */

export interface Watch {
  /** The next event, or the errors with which the subscription ends; fails if none arrives within a minute. */
  next(): Promise<Told>;
  stop(): void;
}

export interface Socket {
  watch(gameId: string, selection: string): Watch;
  watchLobby(): Watch;
  /** Sends any operation. */
  send(query: string, variables?: Record<string, unknown>): Watch;
  /** The close code of the socket, and its reason. */
  readonly closed: Promise<number>;
  readonly reason: Promise<string>;
  close(): Promise<void>;
}

interface Closing {
  readonly code: number;
  readonly reason: string;
}

const PATIENCE_MS = 60_000;

export async function openSocket(
  { url }: { readonly url: string },
  by: By,
  authorization = by?.authorization,
): Promise<Socket> {
  let report: (event: Closing) => void = () => undefined;
  const closing = new Promise<Closing>((resolve) => (report = resolve));
  const closed = closing.then(({ code }) => code);
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    ...(authorization === undefined ? {} : { connectionParams: { authorization } }),
    on: { closed: (event) => report(event as Closing) },
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
    reason: closing.then(({ reason }) => reason),
    close: async () => {
      await client.dispose();
      await closed;
    },
  };
}

type Told = ExecutionResult<Readonly<Record<string, never>>, unknown>;

/** Not the iterator of the client, which waits for ever if the subscription ends before it is asked. */
function listen(client: Client, operation: { query: string; variables: Record<string, unknown> }): Watch {
  const come: (() => Told)[] = [];
  let wake = (): void => undefined;
  const add = (take: () => Told): void => {
    come.push(take);
    wake();
  };
  const thrown = (fault: unknown) => () => {
    throw fault;
  };
  const stop = client.subscribe<never>(operation, {
    next: (result) => add(() => result as Told),
    error: (fault) => {
      // An `error` message as a result, which is how HTTP has it.
      if (Array.isArray(fault)) add(() => ({ data: null, errors: fault }));
      add(thrown(Array.isArray(fault) ? over() : fault));
    },
    complete: () => add(thrown(over())),
  });
  const next = async (): Promise<Told> => {
    const timer = setTimeout(() => add(thrown(new Error('No event arrived'))), PATIENCE_MS);
    while (come.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    clearTimeout(timer);
    return come.shift()!();
  };
  return { next, stop };
}

const over = () => new Error('The subscription has ended');

const inRestWords = (query: string, { next, stop }: Watch): Watch => ({
  next: async () => {
    const event = await next();
    return { ...event, data: toRestSpelling(query, event.data) as never };
  },
  stop,
});
