import { shown } from '../../rules/shown.js';
import { ERRORS, type ErrorCode } from './error-codes.js';

/** The cost of a GraphQL operation, in fields, and its limit. */
export interface ShownCost {
  readonly requested: number;
  readonly limit: number;
}

export interface ErrorDetails {
  /** The part of the request that is wrong. */
  readonly field?: string;
  /** Why a move is illegal, for programs (see MOVE_FAULTS). */
  readonly fault?: string;
  /** AMBIGUOUS_MOVE: the moves that it may stand for, as they are stored. */
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
  /** INSUFFICIENT_SCOPE: all required scopes, separated by spaces. */
  readonly scope?: string;
  /** QUERY_TOO_COSTLY: the cost of the operation, and the limit. */
  readonly cost?: ShownCost;
}

/** The `retryAfter` to suggest where a limit has room again in time, of itself or by others, and nobody knows when. */
export const ROOM_SECONDS = 60;

/** The value, or the refusal thrown if it is missing. */
export function orThrow<T>(value: T, refusal: () => DomainError): NonNullable<T> {
  if (value == null) throw refusal();
  return value;
}

/** A refusal that clients see. Any other error is masked. */
export class DomainError extends Error {
  readonly status: number;
  /** GraphQL reads the code from here. */
  readonly extensions: { readonly code: ErrorCode } & ErrorDetails;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = 'DomainError';
    this.status = ERRORS[code].status;
    this.extensions = { code, ...details };
  }
}

/** The refusal of one field of the request. */
export const badInput = (field: string, message: string): DomainError =>
  new DomainError('BAD_INPUT', message, { field });

/** The result of the work, whose refusals call their fields by what this request calls them. */
export async function renamingFields<T>(nameOf: (field: string) => string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw renamed(error, nameOf);
  }
}

/** A refusal that calls its field by what this request calls it; anything else as it is. */
export function renamed(error: unknown, nameOf: (field: string) => string): unknown {
  if (!(error instanceof DomainError) || error.details.field === undefined) return error;
  const field = nameOf(error.details.field);
  return new DomainError(error.code, error.message, { ...error.details, field });
}

/** A refusal of one row of a list, such as `games.3`, which says what the request calls that row; anything else as it is. */
export function ofRow(error: unknown, row: string, name: string): unknown {
  if (!(error instanceof DomainError)) return error;
  const field = error.details.field === undefined ? row : `${row}.${error.details.field}`;
  return new DomainError(error.code, `${row} (${shown(name)}): ${error.message}`, {
    ...error.details,
    field,
  });
}
