import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';

/** What a subscription is told of one event, by what it asks for and for whom. */
type Results = Map<string, Promise<ExecutionResult>>;

/**
 * GraphQL's subscribe, but what several ask for alike, for one viewer, is worked out once for each event: a thousand who
 * watch one game cost as much as one. `alike` is equal for those.
 */
export class SharedResults {
  // Of an event that nobody holds any more, nothing is kept.
  private readonly known = new WeakMap<object, Results>();

  async subscribe(
    args: ExecutionArgs,
    alike: string,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const source = (events as AsyncIterable<object>)[Symbol.asyncIterator]();
    const results: AsyncIterableIterator<ExecutionResult> = {
      next: async () => {
        const event = await source.next();
        return event.done ? event : { done: false, value: await this.result(args, alike, event.value) };
      },
      return: async () => {
        await source.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => results,
    };
    return results;
  }

  private result(args: ExecutionArgs, alike: string, event: object): Promise<ExecutionResult> {
    const results = this.known.get(event) ?? (new Map() as Results);
    this.known.set(event, results);
    const known = results.get(alike);
    if (known !== undefined) return known;
    const result = Promise.resolve(execute({ ...args, rootValue: event }));
    results.set(alike, result);
    return result;
  }
}
