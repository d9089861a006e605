import {
  createSourceEventStream,
  execute,
  GraphQLError,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLFormattedError,
} from 'graphql';
import type { Listening } from '../platform/events/pubsub.js';

/** The results of one event as UTF-8, by subscription and viewer; a promise until it is known. */
type Results = Map<string, Buffer | Promise<Buffer>>;

/** What a subscriber gets. */
export interface Subscriber {
  /** Equal for subscriptions that have the same results. */
  readonly alike: string;
  /** Sends a result; a promise if the subscriber is slow, fulfilled once it can take the next one. */
  readonly send: (text: Buffer) => Promise<void> | null;
}

/** How results and errors are shown. */
interface Manner {
  readonly write: (result: ExecutionResult, args: ExecutionArgs) => string;
  readonly format: (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[];
}

/** The errors with which a subscription ends, as its client sees them. */
export class SubscriptionEnd extends Error {
  constructor(readonly errors: readonly GraphQLFormattedError[]) {
    super('The subscription has ended with an error.');
  }
}

/**
 * GraphQL's subscribe, but equal subscriptions of one viewer are resolved and written once per event: a thousand watchers
 * of one game cost as much as one, apart from sending. A result without data ends a subscription: an event that could not
 * be sent is lost to who reads on.
 */
export class SharedResults {
  // Results are released together with their event.
  private readonly known = new WeakMap<object, Results>();

  constructor(private readonly manner: Manner) {}

  /**
   * Sends all results until the iterator is returned. The iterator yields nothing: it ends with the subscription, or
   * throws SubscriptionEnd.
   */
  async subscribe(args: ExecutionArgs, { alike, send }: Subscriber): Promise<AsyncIterableIterator<never>> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return failed(this.end(events.errors!));
    const source = events as AsyncIterableIterator<object>;
    const deliver = (event: object): Promise<unknown> | null => {
      const result = this.resultOf(args, alike, event);
      return result instanceof Promise ? result.then(send) : send(result);
    };
    const results: AsyncIterableIterator<never> = {
      next: async () => {
        try {
          if ('each' in source) await (source as Listening<object>).each(deliver);
          else for await (const event of source) await deliver(event);
        } catch (error) {
          throw error instanceof SubscriptionEnd ? error : this.end([asGraphqlError(error as Error)]);
        }
        return { done: true, value: undefined };
      },
      return: async () => {
        await source.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => results,
    };
    return results;
  }

  private resultOf(args: ExecutionArgs, alike: string, event: object): Buffer | Promise<Buffer> {
    const results = this.known.get(event) ?? (new Map() as Results);
    this.known.set(event, results);
    const known = results.get(alike);
    if (known !== undefined) return known;
    const result = this.result(args, event);
    results.set(alike, result);
    void result.then(
      (text) => results.set(alike, text),
      () => undefined,
    );
    return result;
  }

  private async result(args: ExecutionArgs, event: object): Promise<Buffer> {
    const result = await execute({ ...args, rootValue: event });
    if (result.data == null) throw this.end(result.errors!);
    return Buffer.from(this.manner.write(result, args));
  }

  private end(errors: readonly GraphQLError[]): SubscriptionEnd {
    return new SubscriptionEnd(this.manner.format(errors));
  }
}

/** A subscription that ends before its first event. */
function failed(end: SubscriptionEnd): AsyncIterableIterator<never> {
  const results: AsyncIterableIterator<never> = {
    next: () => Promise.reject(end),
    return: () => Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => results,
  };
  return results;
}

const asGraphqlError = (error: Error): GraphQLError =>
  new GraphQLError(error.message, { originalError: error });
