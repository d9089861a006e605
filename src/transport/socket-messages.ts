import { randomUUID } from 'node:crypto';
import { GraphQLError, type ExecutionResult, type GraphQLFormattedError } from 'graphql';
import { WebSocket } from 'ws';
import type { DomainError, ShownCost } from '../platform/errors/errors.js';
import { formatError } from '../platform/graphql/format.js';
import { SubscriptionEnd, type Subscriber } from './shared-results.js';

/** The messages that subscribers get. */

const CLOSING_BRACE = 0x7d;
const AS_TEXT = { binary: false };

/** Sends results of one subscription, as graphql-ws would, but from text that subscriptions share. */
export function sender(socket: WebSocket, id: string): Subscriber['send'] {
  const start = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  let leaving = 0;
  let allLeft: () => void = () => undefined;
  const left = (): void => {
    leaving -= 1;
    if (leaving === 0) allLeft();
  };
  return (text) => {
    if (socket.readyState !== socket.OPEN) return null;
    const message = Buffer.allocUnsafe(start.length + text.length + 1);
    message.set(start);
    message.set(text, start.length);
    message[message.length - 1] = CLOSING_BRACE;
    leaving += 1;
    // Not the method of this socket, which is made for the errors of graphql-ws.
    WebSocket.prototype.send.call(socket, message, AS_TEXT, left);
    // Nothing waits in this process: the system has taken it all.
    return socket.bufferedAmount === 0 ? null : new Promise((resolve) => (allLeft = resolve));
  };
}

/** What a subscriber gets of a result. */
export const shown = ({ data, errors }: ExecutionResult, { cost }: { readonly cost: ShownCost }) => ({
  data,
  ...(errors ? { errors: formatted(errors) } : {}),
  extensions: { cost },
});

/** The errors with which a subscription ends or is refused. */
export const told = (errors: readonly GraphQLError[]): readonly GraphQLFormattedError[] =>
  errors[0]?.originalError instanceof SubscriptionEnd ? errors[0].originalError.errors : formatted(errors);

/** Each message with errors gets a request id, by which a masked error is found in the log. */
export function formatted(
  errors: readonly (GraphQLError | GraphQLFormattedError)[],
): GraphQLFormattedError[] {
  const id = randomUUID();
  return errors.map((error) =>
    formatError(error instanceof GraphQLError ? error.toJSON() : error, error, id),
  );
}

export const refusal = (error: DomainError): GraphQLError =>
  new GraphQLError(error.message, { originalError: error });

/** Adds the code that the same error has over HTTP. */
export const coded = ({ message, nodes, source, positions }: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code },
  });
