import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from './errors.js';

interface Request {
  /** Shown in log lines, in the response header and in masked errors. */
  readonly id: string;
  readonly isGone: () => boolean;
}

const storage = new AsyncLocalStorage<Request>();

/** The id of the request that is being answered. */
export const requestId = (): string | null => storage.getStore()?.id ?? null;

/** Runs `work`, and everything it starts, as part of a request; `isGone` tells whether its client has disconnected. */
export const withRequestId = <T>(id: string, work: () => T, isGone: () => boolean = () => false): T =>
  storage.run({ id, isGone }, work);

/** Stops work whose client has disconnected. Only for reads, and only for those of one request. */
export function stopIfGone(): void {
  if (storage.getStore()?.isGone()) throw new DomainError('UNAVAILABLE', 'The client has disconnected.');
}
