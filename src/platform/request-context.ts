import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from './errors.js';

interface Request {
  /** In its log lines, in its header and in a masked error. */
  readonly id: string;
  readonly isGone: () => boolean;
}

const storage = new AsyncLocalStorage<Request>();

/** The id of the request that is being answered. */
export const requestId = (): string | null => storage.getStore()?.id ?? null;

/** Runs `work`, and whatever it starts, as part of a request; `isGone` tells whether its client has left. */
export const withRequestId = <T>(id: string, work: () => T, isGone: () => boolean = () => false): T =>
  storage.run({ id, isGone }, work);

/** Ends a look that nobody waits for any more; for what reads alone, and for one request alone. */
export function stopIfGone(): void {
  if (storage.getStore()?.isGone()) throw new DomainError('UNAVAILABLE', 'The client has left.');
}
