import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request that is being answered: in its log lines, in its header and in a masked error. */
const storage = new AsyncLocalStorage<string>();

export const requestId = (): string | null => storage.getStore() ?? null;

/** Runs `work`, and whatever it starts, as part of a request. */
export const withRequestId = <T>(id: string, work: () => T): T => storage.run(id, work);
