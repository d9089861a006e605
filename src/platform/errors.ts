/** The one table of error codes, for GraphQL (`extensions.code`) and REST (problem details, `code`). */

export const ERRORS = {
  BAD_INPUT: 400,
  INVALID_RULESET: 400,
  INVALID_OPTIONS: 400,
  INVALID_POSITION: 400,
  INVALID_DEAL: 400,
  INVALID_SETUP: 400,
  INVALID_REVEAL: 400,
  INVALID_SEED: 400,
  INVALID_TIME_CONTROL: 400,
  INVALID_CURSOR: 400,
  INVALID_CONDITIONAL_MOVES: 400,
  INVALID_VACATION: 400,
  INVALID_GAME_TEXT: 400,
  QUERY_TOO_COSTLY: 400,
  PASSWORD_TOO_COMMON: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_REFRESH_TOKEN: 401,
  FORBIDDEN: 403,
  NOT_YOUR_GAME: 403,
  BLOCKED: 403,
  MUTED: 403,
  CHALLENGES_REFUSED: 403,
  RATING_OUT_OF_RANGE: 403,
  NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  USERNAME_TAKEN: 409,
  NAME_TAKEN: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  CHALLENGE_CLOSED: 409,
  OWN_CHALLENGE: 409,
  ACCOUNT_CLOSED: 409,
  STALE_PLY: 409,
  STALE_VERSION: 409,
  NOT_YOUR_TURN: 409,
  GAME_OVER: 409,
  GAME_PENDING: 409,
  TOO_LATE_TO_ABORT: 409,
  DEADLINE_PASSED: 409,
  GAME_RUNNING: 409,
  GAME_PAUSED: 409,
  GAME_NOT_PAUSED: 409,
  YOUR_TURN: 409,
  NO_OFFER: 409,
  TOO_EARLY_TO_OFFER: 409,
  OFFER_TOO_SOON: 409,
  RATED_GAME: 409,
  NOTHING_TO_TAKE_BACK: 409,
  PIECE_TURNED_UP: 409,
  NO_CLOCK: 409,
  TIME_CEILING: 409,
  NOT_ABANDONED: 409,
  REMATCH_DECLINED: 409,
  VACATION_OVERLAPS: 409,
  VACATION_USED_UP: 409,
  VACATION_OVER: 409,
  PAYLOAD_TOO_LARGE: 413,
  ADDRESS_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  ILLEGAL_MOVE: 422,
  AMBIGUOUS_MOVE: 422,
  CLAIM_NOT_MET: 422,
  LIMIT_REACHED: 429,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  OVERLOADED: 503,
  STORAGE_FULL: 503,
  UNAVAILABLE: 503,
} as const satisfies Readonly<Record<string, number>>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetails {
  /** The part of the input that is wrong. */
  readonly field?: string;
  /** Why a move is illegal, for programs (see MOVE_FAULTS). */
  readonly fault?: string;
  /** AMBIGUOUS_MOVE: the moves that it may be, as they are stored. */
  readonly candidates?: readonly string[];
  /** Where a text is wrong, counted from 1. */
  readonly line?: number;
  readonly column?: number;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
}

/** When there is room again in a quota, nobody knows: so long a program waits before it looks. */
const QUOTA_SECONDS = 60;

/** The value, where there is one. Throws what `refusal` says. */
export function demand<T>(value: T, refusal: () => DomainError): NonNullable<T> {
  if (value == null) throw refusal();
  return value;
}

/** What the server refuses and why, in words that say what to do. Whatever else is thrown is masked. */
export class DomainError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;
  /** GraphQL reads the code from here. */
  readonly extensions: { readonly code: ErrorCode } & ErrorDetails;

  constructor(
    readonly code: ErrorCode,
    message: string,
    given: ErrorDetails = {},
  ) {
    super(message);
    this.name = 'DomainError';
    this.status = ERRORS[code];
    const details = code === 'LIMIT_REACHED' ? { retryAfter: QUOTA_SECONDS, ...given } : given;
    this.details = details;
    this.extensions = { code, ...details };
  }
}

/** The refusal of what came in as `field`. */
export const badInput = (field: string, message: string): DomainError =>
  new DomainError('BAD_INPUT', message, { field });
