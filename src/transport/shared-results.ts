import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Listening } from '../platform/events/pubsub.js';

/** The results of one event as UTF-8, by subscription and viewer; a promise until it is known. */
type Texts = Map<string, Buffer | Promise<Buffer>>;

/** What a subscriber gets. */
export interface Subscriber {
  /** Equal for subscriptions that have the same results. */
  readonly alike: string;
  /** Sends a result; a promise if the subscriber is slow, fulfilled once it can take the next one. */
  readonly send: (text: Buffer) => Promise<void> | null;
}

/**
 * GraphQL's subscribe, but equal subscriptions of one viewer are resolved and written once per event: a thousand watchers
 * of one game cost as much as one, apart from sending.
 */
export class SharedResults {
  // Results are released together with their event.
  private readonly known = new WeakMap<object, Texts>();

  constructor(private readonly write: (result: ExecutionResult, args: ExecutionArgs) => string) {}

  /** Sends all results until the iterator is returned. The iterator yields nothing: it ends with the subscription. */
  async subscribe(
    args: ExecutionArgs,
    { alike, send }: Subscriber,
  ): Promise<AsyncIterableIterator<never> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const source = events as AsyncIterableIterator<object>;
    const deliver = (event: object): Promise<unknown> | null => {
      const text = this.textOf(args, alike, event);
      return text instanceof Promise ? text.then(send) : send(text);
    };
    const results: AsyncIterableIterator<never> = {
      next: async () => {
        if ('each' in source) await (source as Listening<object>).each(deliver);
        else for await (const event of source) await deliver(event);
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

  private textOf(args: ExecutionArgs, alike: string, event: object): Buffer | Promise<Buffer> {
    const texts = this.known.get(event) ?? (new Map() as Texts);
    this.known.set(event, texts);
    const known = texts.get(alike);
    if (known !== undefined) return known;
    const text = this.result(args, event);
    texts.set(alike, text);
    void text.then(
      (written) => texts.set(alike, written),
      () => undefined,
    );
    return text;
  }

  private async result(args: ExecutionArgs, event: object): Promise<Buffer> {
    return Buffer.from(this.write(await execute({ ...args, rootValue: event }), args));
  }
}
