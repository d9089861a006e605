import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';

/** The results of one event as text, by subscription and viewer; a promise until it is known. */
type Texts = Map<string, string | Promise<string>>;

/** What a subscriber gets. */
export interface Subscriber {
  /** Equal for subscriptions that have the same results. */
  readonly alike: string;
  /** Sends a result; a promise if the subscriber is slow, fulfilled once it can take the next one. */
  readonly send: (text: string) => Promise<void> | null;
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
    const source = (events as AsyncIterable<object>)[Symbol.asyncIterator]();
    const results: AsyncIterableIterator<never> = {
      next: async () => {
        for (let event = await source.next(); !event.done; event = await source.next()) {
          const text = this.textOf(args, alike, event.value);
          // Awaiting what is already there would cost a thousand watchers more than sending it.
          const slow = send(typeof text === 'string' ? text : await text);
          if (slow !== null) await slow;
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

  private textOf(args: ExecutionArgs, alike: string, event: object): string | Promise<string> {
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

  private async result(args: ExecutionArgs, event: object): Promise<string> {
    return this.write(await execute({ ...args, rootValue: event }), args);
  }
}
