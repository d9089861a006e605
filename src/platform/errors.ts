import { ERRORS, type ErrorCode } from './error-codes.js';

/** What a GraphQL operation costs each time that it is answered, in fields, and what it may cost. */
export interface ShownCost {
  readonly requested: number;
  readonly limit: number;
}

export interface ErrorDetails {
  /** The part of the input that is wrong. */
  readonly field?: string;
  /** Why a move is illegal, for programs (see MOVE_FAULTS). */
  readonly fault?: string;
  /** AMBIGUOUS_MOVE, also in a text: the moves that it may be, as they are stored. */
  readonly candidates?: readonly string[];
  /** STALE_VERSION: the version that the game has. */
  readonly currentVersion?: number;
  /** The smallest and the largest value that the field may have, or its shortest and longest length. */
  readonly min?: number;
  readonly max?: number;
  /** How many of something there may be at once, or in a stretch of time. */
  readonly limit?: number;
  /** Where a text is wrong, counted from 1. */
  readonly line?: number;
  readonly column?: number;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** INSUFFICIENT_SCOPE: all that is needed, with spaces between. */
  readonly scope?: string;
  /** QUERY_TOO_COSTLY: what was asked for, and the limit. */
  readonly cost?: ShownCost;
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
    this.status = ERRORS[code].status;
    const details = code === 'LIMIT_REACHED' ? { retryAfter: QUOTA_SECONDS, ...given } : given;
    this.details = details;
    this.extensions = { code, ...details };
  }
}

/** The refusal of what came in as `field`. */
export const badInput = (field: string, message: string): DomainError =>
  new DomainError('BAD_INPUT', message, { field });
