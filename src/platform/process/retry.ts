import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../errors/errors.js';

/** How often to retry work that concurrent changes may disturb, and what to do in the end. */
export interface RetryPolicy<Result> {
  /** The largest number of tries. */
  readonly tries: number;
  /** Milliseconds between two tries, randomly up to twice as many, so that two processes do not stay in step. */
  readonly pauseMs?: number;
  /** The result, or the exception, after the last try. */
  readonly otherwise: () => Result;
}

/** Repeats work until its result is not null, which means that a concurrent change disturbed it. Rethrows errors. */
export async function retry<Result>(
  work: () => Promise<Result | null>,
  { tries: most, pauseMs = 0, otherwise }: RetryPolicy<Result>,
): Promise<Result> {
  for (let tries = 0; tries < most; tries++) {
    if (tries > 0 && pauseMs > 0) await pause(pauseMs * (1 + Math.random()));
    const result = await work();
    if (result !== null) return result;
  }
  return otherwise();
}

/** For reads of data that may change meanwhile; throws OVERLOADED if that goes on. */
export const UNTIL_STILL: RetryPolicy<never> = {
  tries: 20,
  otherwise: () => {
    const message = 'The requested data changed during every attempt to read it. Try again in 1 second.';
    throw new DomainError('OVERLOADED', message, { retryAfter: 1 });
  },
};
