import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from './errors.js';
import { stopIfGone } from './request-context.js';

/** How often to retry work that concurrent changes may disturb, and what to do in the end. */
export interface RetryPolicy<Result> {
  /** The largest number of tries. */
  readonly tries: number;
  /** Milliseconds between two tries, randomly up to twice as many, so that two processes do not stay in step. */
  readonly pauseMs?: number;
  /** Stop if the client of this request has disconnected. */
  readonly forOneRequest?: boolean;
  /** The result, or the exception, after the last try. */
  readonly otherwise: () => Result;
}

/** Repeats work until its result is not null, which means that a concurrent change disturbed it. Rethrows errors. */
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

/** For reads of data that may change meanwhile; throws OVERLOADED if that goes on. */
export const UNTIL_STILL: RetryPolicy<never> = {
  tries: 20,
  otherwise: () => {
    const message = 'The requested data changed during every attempt to read it. Try again in 1 second.';
    throw new DomainError('OVERLOADED', message, { retryAfter: 1 });
  },
};

/** The same for reads that only one request waits for. */
export const UNTIL_STILL_OR_GONE: RetryPolicy<never> = { ...UNTIL_STILL, forOneRequest: true };
