import type { ErrorCode as ServerCode } from './generated/graphql.js';
import type { components } from './generated/rest.js';

/**
 * NO_ANSWER: the network failed, or the server took too long. BAD_ANSWER: the response is not from Halfmove. CONTRADICTION:
 * the server has signed two stories of the game, and nothing was sent.
 */
export type ErrorCode = ServerCode | Problem['code'] | 'NO_ANSWER' | 'BAD_ANSWER' | 'CONTRADICTION';

export type Problem = components['schemas']['Problem'];

/** The further details of an error, as sent by the server. */
export type ErrorDetails = Partial<Omit<Problem, 'type' | 'title' | 'detail' | 'code'>> & {
  /** In GraphQL: the path of the field that failed. */
  readonly path?: readonly (string | number)[];
};

/** What a GraphQL answer has beside the error that is thrown. */
export interface Answered {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly others: readonly HalfmoveError[];
}

/** A failed request, on either transport. */
export class HalfmoveError extends Error {
  override readonly name = 'HalfmoveError';
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The part of the input that is wrong. */
  readonly field: ErrorDetails['field'];
  /** Seconds until the same request may succeed. */
  readonly retryAfter: ErrorDetails['retryAfter'];
  /** AMBIGUOUS_MOVE: the moves that the text can be read as. */
  readonly candidates: ErrorDetails['candidates'];
  /** STALE_VERSION: the current version of the game. */
  readonly currentVersion: ErrorDetails['currentVersion'];
  /** In GraphQL: the data of the answer, as an operation of several fields may succeed in part; null for none. */
  readonly data: Answered['data'];
  /** In GraphQL: the further errors of the answer. */
  readonly others: Answered['others'];

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** All details sent by the server. */
    readonly details: ErrorDetails = {},
    { data = null, others = [], ...options }: ErrorOptions & Partial<Answered> = {},
  ) {
    super(message, options);
    this.data = data;
    this.others = others;
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
  new HalfmoveError('NO_ANSWER', `The server did not respond: ${(cause as Error).message}.`, {}, { cause });

/** The session of a request ended before the request was sent. */
export const sessionOver = (): HalfmoveError =>
  new HalfmoveError('UNAUTHENTICATED', 'The session of this request has ended. Log in, then send the request again.'); // prettier-ignore

interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: ServerCode } & ErrorDetails;
}

/** The parts of a response body that an error needs. */
type Body = Partial<Problem> & {
  readonly data?: Answered['data'];
  readonly errors?: readonly (GraphqlError | null)[];
};

/** The first error of a response, or null. */
export function errorIn(response: Response, body: Body | null): HalfmoveError | null {
  const { data = null, errors: [first, ...rest] = [] } = body ?? {};
  if (first !== undefined) {
    return graphqlError(response, first, {
      data,
      others: rest.map((error) => graphqlError(response, error)),
    });
  }
  if (response.ok) return null;
  if (body?.code === undefined || body.detail === undefined) return badAnswer(response);
  return errorOf(body as Problem);
}

/** The error that a problem document describes. */
export function errorOf({ type: _type, title: _title, detail, code, ...details }: Problem): HalfmoveError {
  return new HalfmoveError(code, detail, details);
}

function graphqlError(
  response: Response,
  error: GraphqlError | null,
  beside: Partial<Answered> = {},
): HalfmoveError {
  const { code, ...details } = error?.extensions ?? {};
  if (error === null || code === undefined) return badAnswer(response);
  const path = error.path === undefined ? {} : { path: error.path };
  return new HalfmoveError(code, error.message, { status: response.status, ...details, ...path }, beside);
}

export function badAnswer(response: Response): HalfmoveError {
  const type = response.headers.get('content-type') ?? 'no content type';
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const message = `The response is not from Halfmove: status ${response.status}, ${type}. Check the url of the client.`;
  return new HalfmoveError('BAD_ANSWER', message, {
    status: response.status,
    ...(Number.isFinite(seconds) ? { retryAfter: seconds } : {}),
  });
}
