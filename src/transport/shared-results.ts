import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';

/** The results of one event, by subscription and viewer. */
type Results = Map<string, Promise<ExecutionResult>>;

/**
 * GraphQL's subscribe, but equal subscriptions of one viewer are resolved once per event: a thousand watchers of one
 * game cost as much as one. `alike` is equal for those.
 */
export class SharedResults {
  // Results are released together with their event.
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
