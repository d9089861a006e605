import type { ErrorCode as ServerCode } from '../generated/client/graphql.js';
import type { components } from '../generated/client/rest.js';

/** NO_ANSWER: the network failed, or the server took too long. BAD_ANSWER: what came is not an answer of Halfmove. */
export type ErrorCode = ServerCode | 'NO_ANSWER' | 'BAD_ANSWER';

type Problem = components['schemas']['Problem'];

/** What an error may have beside its code and its message, as the server gives it. */
export type ErrorDetails = Partial<Omit<Problem, 'type' | 'title' | 'detail' | 'code'>> & {
  /** In GraphQL: the field of the answer that failed. */
  readonly path?: readonly (string | number)[];
};

/** Why a request failed, on either transport. */
export class HalfmoveError extends Error {
  override readonly name = 'HalfmoveError';
  /** Of the HTTP answer; 0 when there was none. */
  readonly status: number;
  /** The part of the input that is wrong. */
  readonly field: ErrorDetails['field'];
  /** Seconds until the same request may succeed. */
  readonly retryAfter: ErrorDetails['retryAfter'];
  /** AMBIGUOUS_MOVE: the moves that the text may mean. */
  readonly candidates: ErrorDetails['candidates'];
  /** STALE_VERSION: the version that the game has. */
  readonly currentVersion: ErrorDetails['currentVersion'];

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** All that the server said about it. */
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = details.status ?? 0;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
    this.candidates = details.candidates;
    this.currentVersion = details.currentVersion;
  }
}

export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is HalfmoveError =>
  error instanceof HalfmoveError && codes.includes(error.code);

export const noAnswer = (cause: unknown): HalfmoveError =>
  new HalfmoveError('NO_ANSWER', `The server did not answer: ${(cause as Error).message}.`, {}, { cause });

/** The session of a request has ended before the request went out. */
export const sessionOver = (): HalfmoveError =>
  new HalfmoveError('UNAUTHENTICATED', 'The session that this belongs to has ended. Log in and begin again.');

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: ServerCode } & ErrorDetails;
}

/** The body of an answer, read as far as an error needs it. */
type Body = Partial<Problem> & { readonly errors?: readonly (GraphqlError | null)[] };

/** The first error in the body of an answer, or null. */
export function errorIn(response: Response, body: Body | null): HalfmoveError | null {
  const first = body?.errors?.[0];
  if (first !== undefined) return graphqlError(response, first);
  if (response.ok) return null;
  if (body?.code === undefined || body.detail === undefined) return badAnswer(response);
  const { type: _type, title: _title, detail, code, ...details } = body;
  return new HalfmoveError(code, detail, details);
}

function graphqlError(response: Response, error: GraphqlError | null): HalfmoveError {
  const { code, ...details } = error?.extensions ?? {};
  if (error === null || code === undefined) return badAnswer(response);
  const path = error.path === undefined ? {} : { path: error.path };
  return new HalfmoveError(code, error.message, { status: response.status, ...details, ...path });
}

export function badAnswer(response: Response): HalfmoveError {
  const type = response.headers.get('content-type') ?? 'no content type';
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const message = `Expected an answer of Halfmove, got status ${response.status} (${type}).`;
  return new HalfmoveError('BAD_ANSWER', message, {
    status: response.status,
    ...(Number.isFinite(seconds) ? { retryAfter: seconds } : {}),
  });
}
