import { HalfmoveError, badAnswer, errorIn, hasCode, noAnswer } from './errors.js';
import { withRetries, type RetryPolicy } from './retry.js';
import type { Session } from './session.js';

/** Sends requests: with the token of the session, within a time limit, and again where that is safe. */

type Fetch = (request: Request) => Promise<Response>;

export interface Manner extends RetryPolicy {
  readonly fetch: Fetch;
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number;
}

export interface Asking<T> {
  /** Whether it may be sent twice. */
  readonly isRepeatable: boolean;
  /** Reads an answer. The request is sent again for an error that this throws, too. */
  readonly read: (response: Response) => Promise<T>;
}

export class Transport {
  constructor(private readonly manner: Manner) {}

  /**
   * Sends the request as the user of the session. When the token is refused, refreshes it and sends the request again. After
   * the end of the session nothing is sent.
   */
  async ask<T>(request: Request, asking: Asking<T>, session: Session | null): Promise<T> {
    session?.assertCurrent();
    const { retries, backoffMs } = this.manner;
    const mayRetry = () => session?.isOver !== true;
    const policy = { retries: asking.isRepeatable ? retries : 0, backoffMs, mayRetry };
    return withRetries(policy, request.signal, async () => {
      const token = session?.tokens?.accessToken;
      try {
        return await this.once(request, token, asking.read);
      } catch (error) {
        // Nothing was done for a refused token, so this is safe for all requests.
        if (!hasCode(error, 'UNAUTHENTICATED') || !(await session?.renewed(token))) throw error;
        return this.once(request, session?.tokens?.accessToken, asking.read);
      }
    });
  }

  private async once<T>(request: Request, token: string | undefined, read: Asking<T>['read']): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`it took more than ${this.manner.timeoutMs} ms`)),
      this.manner.timeoutMs,
    );
    const headers = new Headers(request.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const signal = AbortSignal.any([request.signal, late.signal]);
    try {
      return await read(await this.manner.fetch(new Request(request.clone(), { headers, signal })));
    } catch (error) {
      request.signal.throwIfAborted();
      throw error instanceof HalfmoveError ? error : noAnswer(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

const EMPTY: ReadonlySet<number> = new Set([204, 304]);

/** The answer, unless it is an error or not JSON. It is read to its end, so that a broken connection shows here. */
export async function checkedJson(response: Response): Promise<Response> {
  if (EMPTY.has(response.status)) return response;
  const { text } = await readJson(response);
  return new Response(text, response);
}

/** The answer in any form, unless it is an error. */
export async function checked(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return response.ok && isJson !== true ? response : checkedJson(response);
}

/** The body of an answer in JSON, read to its end. Throws its error, when it has one. */
export async function readJson(
  response: Response,
): Promise<{ readonly text: string; readonly body: object }> {
  const text = await response.text();
  const body = parsed(text);
  const error = errorIn(response, body);
  if (error !== null) throw error;
  if (body === null) throw badAnswer(response);
  return { text, body };
}

function parsed(text: string): object | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
