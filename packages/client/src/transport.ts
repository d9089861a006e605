import { HalfmoveError, badAnswer, errorIn, hasCode, noAnswer } from './errors.js';
import { withRetries, type RetryPolicy } from './retry.js';
import type { Session } from './session.js';

/** Sends requests with the token of the session, within a time limit, and with retries where that is safe. */

type Fetch = (request: Request) => Promise<Response>;

export interface TransportSettings extends RetryPolicy {
  readonly fetch: Fetch;
  /** The time limit of a response, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with the text of each event. */
  readonly heard?: (text: string) => void;
}

export interface SendOptions<T> {
  /** True if the request may be sent twice. */
  readonly isRepeatable: boolean;
  /** Reads the response. Its errors are retried, too. */
  readonly read: (response: Response) => Promise<T>;
}

/** The first may find the token of another tab, which may have expired as well. */
const MOST_RENEWALS = 2;

export class Transport {
  constructor(private readonly settings: TransportSettings) {}

  /**
   * Sends the request as the user of the session. If the token is refused, renews the session and sends the request again.
   * Sends nothing after the end of the session.
   */
  async send<T>(
    request: Request,
    { isRepeatable, read }: SendOptions<T>,
    session: Session | null,
  ): Promise<T> {
    session?.assertCurrent();
    const { retries, backoffMs } = this.settings;
    const mayRetry = () => session?.isOver !== true;
    const policy = { retries: isRepeatable ? retries : 0, backoffMs, mayRetry };
    return withRetries(policy, request.signal, async () => {
      for (let renewals = 0; ; renewals += 1) {
        const token = session?.tokens?.accessToken;
        try {
          return await this.once(request, token, read);
        } catch (error) {
          if (!hasCode(error, 'UNAUTHENTICATED') || renewals === MOST_RENEWALS) throw error;
          // A refused request had no effect, but another field of the same document may have had one.
          if (!isRepeatable && hasSucceeded(error)) throw error;
          if (!(await session?.renewed(token))) throw error;
        }
      }
    });
  }

  private async once<T>(
    request: Request,
    token: string | undefined,
    read: SendOptions<T>['read'],
  ): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`it took more than ${this.settings.timeoutMs} ms`)),
      this.settings.timeoutMs,
    );
    const headers = new Headers(request.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const signal = AbortSignal.any([request.signal, late.signal]);
    try {
      return await read(await this.settings.fetch(new Request(request.clone(), { headers, signal })));
    } catch (error) {
      request.signal.throwIfAborted();
      throw error instanceof HalfmoveError ? error : noAnswer(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

const hasSucceeded = ({ data }: HalfmoveError): boolean =>
  Object.values(data ?? {}).some((result) => result !== null);

const EMPTY: ReadonlySet<number> = new Set([204, 304]);

/** The response, unless it is an error or not JSON. It is read completely, so that a broken connection is noticed here. */
export async function checkedJson(response: Response): Promise<Response> {
  if (EMPTY.has(response.status)) return response;
  const { text } = await readJson(response);
  return new Response(text, response);
}

/** The response in any format, unless it is an error. */
export async function checked(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return response.ok && isJson !== true ? response : checkedJson(response);
}

/** The JSON body of a response. Throws the error in it, if there is one. */
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
