import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from './errors.js';
import { stopIfGone } from './request-context.js';

/** How often work is done that others may thwart, and what it comes to when they always do. */
export interface RetryPolicy<Result> {
  /** How often it is done at most. */
  readonly tries: number;
  /** Milliseconds between two tries, and by chance up to twice as many, so that two do not meet again. */
  readonly pauseMs?: number;
  /** Nobody but the client of this request waits for it: without him there is no further try. */
  readonly forOneRequest?: boolean;
  /** What is answered, or thrown, behind the last try. */
  readonly otherwise: () => Result;
}

/** Does work that answers null where something came in between, until it answers. Throws what the work throws. */
export async function retry<Result>(
  work: () => Promise<Result | null>,
  policy: RetryPolicy<Result>,
): Promise<Result> {
  for (let tries = 0; tries < policy.tries; tries++) {
    if (tries > 0) await betweenTries(policy);
    const result = await work();
    if (result !== null) return result;
  }
  return policy.otherwise();
}

async function betweenTries({ pauseMs = 0, forOneRequest = false }: RetryPolicy<unknown>): Promise<void> {
  if (forOneRequest) stopIfGone();
  if (pauseMs > 0) await pause(pauseMs * (1 + Math.random()));
}

/** For looks at what may change meanwhile; throws OVERLOADED when that goes on. */
export const UNTIL_STILL: RetryPolicy<never> = {
  tries: 20,
  otherwise: () => {
    const message = 'What you ask for keeps changing. Send the same again in a moment.';
    throw new DomainError('OVERLOADED', message, { retryAfter: 1 });
  },
};

/** The same for looks that only one request waits for. */
export const UNTIL_STILL_OR_GONE: RetryPolicy<never> = { ...UNTIL_STILL, forOneRequest: true };
