import { HalfmoveError, type ErrorCode } from './errors.js';

/** Decides when a request is retried, and after which pause. */

export interface RetryPolicy {
  /** The most retries. */
  readonly retries: number;
  /** Milliseconds before the first retry; doubled for each further one. */
  readonly backoffMs: number;
  /** Checked after the pause. */
  readonly mayRetry?: () => boolean;
}

const LONGEST_BACKOFF_MS = 15_000;
/** If the server asks for a longer pause, the error is thrown instead. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

const TEMPORARY: ReadonlySet<ErrorCode> = new Set([
  'NO_ANSWER',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'OVERLOADED',
  'UNAVAILABLE',
  'INTERNAL',
]);

/** Whether the same request may succeed later. */
export const isTemporary = (error: unknown): error is HalfmoveError =>
  error instanceof HalfmoveError &&
  (TEMPORARY.has(error.code) || error.status >= 500) &&
  (error.retryAfter ?? 0) <= LONGEST_RETRY_AFTER_SECONDS;

/** Half of the backoff is random, so that clients disconnected together do not reconnect together. */
export function waitBefore(retry: number, policy: RetryPolicy, error?: HalfmoveError): number {
  const backoff = Math.min(policy.backoffMs * 2 ** (retry - 1), LONGEST_BACKOFF_MS);
  return (error?.retryAfter ?? 0) * 1000 + (backoff * (1 + Math.random())) / 2;
}

/** Resolves after this time; rejects with the reason of the signal if that is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

export async function withRetries<T>(
  policy: RetryPolicy,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (retry > policy.retries || !isTemporary(error)) throw error;
      await pause(waitBefore(retry, policy, error), signal);
      if (policy.mayRetry?.() === false) throw error;
    }
  }
}
