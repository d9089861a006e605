import {
  createSourceEventStream,
  execute,
  GraphQLError,
  type ExecutionArgs,
  type ExecutionResult,
} from 'graphql';
import type { Listening } from '../platform/events/pubsub.js';

/** A result as UTF-8, and whether it is the last one: an event that could not be read is lost to who reads on. */
interface Written {
  readonly text: Buffer;
  readonly isLast: boolean;
}

/** The results of one event, by subscription and viewer; a promise until it is known. */
type Results = Map<string, Written | Promise<Written>>;

/** What a subscriber gets. */
export interface Subscriber {
  /** Equal for subscriptions that have the same results. */
  readonly alike: string;
  /** Sends a result; a promise if the subscriber is slow, fulfilled once it can take the next one. */
  readonly send: (text: Buffer) => Promise<void> | null;
}

/**
 * GraphQL's subscribe, but equal subscriptions of one viewer are resolved and written once per event: a thousand watchers
 * of one game cost as much as one, apart from sending. A subscription ends with the first result that has no data.
 */
export class SharedResults {
  // Results are released together with their event.
  private readonly known = new WeakMap<object, Results>();

  constructor(private readonly write: (result: ExecutionResult, args: ExecutionArgs) => string) {}

  /** Sends all results until the iterator is returned. The iterator yields nothing: it ends with the subscription. */
  async subscribe(
    args: ExecutionArgs,
    { alike, send }: Subscriber,
  ): Promise<AsyncIterableIterator<never> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const source = events as AsyncIterableIterator<object>;
    const tell = ({ text, isLast }: Written): Promise<unknown> | null => {
      const sent = send(text);
      return isLast ? Promise.all([sent, source.return?.()]) : sent;
    };
    const deliver = (event: object): Promise<unknown> | null => {
      const result = this.resultOf(args, alike, event);
      return result instanceof Promise ? result.then(tell) : tell(result);
    };
    const results: AsyncIterableIterator<never> = {
      next: async () => {
        try {
          if ('each' in source) await (source as Listening<object>).each(deliver);
          else for await (const event of source) await deliver(event);
        } catch (error) {
          await tell(this.written({ errors: [asGraphqlError(error as Error)] }, args));
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

  private resultOf(args: ExecutionArgs, alike: string, event: object): Written | Promise<Written> {
    const results = this.known.get(event) ?? (new Map() as Results);
    this.known.set(event, results);
    const known = results.get(alike);
    if (known !== undefined) return known;
    const result = this.result(args, event);
    results.set(alike, result);
    void result.then(
      (written) => results.set(alike, written),
      () => undefined,
    );
    return result;
  }

  private async result(args: ExecutionArgs, event: object): Promise<Written> {
    return this.written(await execute({ ...args, rootValue: event }), args);
  }

  private written(result: ExecutionResult, args: ExecutionArgs): Written {
    return { text: Buffer.from(this.write(result, args)), isLast: result.data == null };
  }
}

const asGraphqlError = (error: Error): GraphQLError =>
  new GraphQLError(error.message, { originalError: error });
