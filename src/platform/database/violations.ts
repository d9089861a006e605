import { DomainError } from '../errors/errors.js';
import { storageFull } from './space.js';

/**
 * Classifies database errors. The two adapters, and Prisma's own and raw queries, report the same fault with different
 * codes in different places; only this file knows them.
 */

/** The part that the errors of both adapters share; `originalCode` is PostgreSQL's SQLSTATE. */
interface Cause {
  readonly kind?: string;
  readonly originalCode?: string;
  readonly originalMessage?: string;
}

const DISK_FULL = '53100';

/** A read-only server, such as a former primary. */
const READ_ONLY = '25006';

// Serialisation failure, deadlock, lock not available, statement timeout.
const BUSY_STATES = new Set(['40001', '40P01', '55P03', '57014']);

const LOST_KINDS = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
]);

// Connection exceptions (08) and shutdowns: by the administrator, after a crash, not yet up again.
const LOST_STATES = /^(?:08...|57P0[123])$/;

// Prisma: cannot reach, timed out, closed, no connection within maxWait.
const LOST_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);

// What `pg` throws without any code.
const LOST_MESSAGE =
  /connection terminated|query read timeout|client has encountered a connection error|timeout exceeded when trying to connect|connection timeout/i;

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);

/**
 * Whether the database was lost or could not be reached. The statement may or may not have been carried out: look for
 * its effect before sending it again.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = shapeOf(error);
  const cause = causeOf(error);
  return (
    LOST_CODES.has(String(code)) ||
    SOCKET_CODES.has(String(code)) ||
    LOST_KINDS.has(cause?.kind ?? '') ||
    LOST_STATES.test(cause?.originalCode ?? '') ||
    LOST_MESSAGE.test(cause?.originalMessage ?? String(message))
  );
}

/** Whether an answer did not come in time. */
export const isTimeout = (error: unknown): boolean =>
  /query read timeout/i.test(causeOf(error)?.originalMessage ?? String(shapeOf(error).message));

/** Whether the database has found its own data damaged. */
export const isDamage = (error: unknown): boolean => /^XX00[12]$/.test(causeOf(error)?.originalCode ?? '');

/**
 * OVERLOADED if the database rolled a statement back because of a timeout or a conflict, STORAGE_FULL if there is no space
 * left, UNAVAILABLE if the database is read-only; otherwise null.
 */
export function refusalOf(error: unknown): DomainError | null {
  const { cause } = shapeOf(error);
  if (cause instanceof DomainError) return cause;
  const state = causeOf(error)?.originalCode ?? '';
  if (state === DISK_FULL) return storageFull();
  if (state === READ_ONLY) return readOnly();
  return BUSY_STATES.has(state) ? busy() : null;
}

const busy = () =>
  new DomainError('OVERLOADED', 'The database is too busy. Try again in 2 seconds.', {
    retryAfter: 2,
  });

const readOnly = () =>
  new DomainError(
    'UNAVAILABLE',
    'The database is read-only at present: games can be read but not changed. Try again in 5 seconds.',
    { retryAfter: 5 },
  );

/** What a thrown value may have; Prisma puts the error of its adapter into `meta`. */
interface Shape {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: unknown } };
}

const shapeOf = (error: unknown): Shape => (typeof error === 'object' && error !== null ? error : {});

function causeOf(error: unknown): Cause | null {
  const { meta, cause } = shapeOf(error);
  const said = meta?.driverAdapterError?.cause ?? cause;
  return typeof said === 'object' && said !== null ? said : null;
}
