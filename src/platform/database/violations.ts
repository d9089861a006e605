import { DomainError } from '../errors.js';
import { storageFull } from './space.js';

/**
 * What a failed statement failed of. The two adapters, and Prisma's own and raw queries, report the same thing
 * under different codes and in different places; this is the only file that knows them.
 */

/** The part of an adapter's error that both have; `originalCode` is PostgreSQL's SQLSTATE. */
interface Cause {
  readonly kind?: string;
  readonly originalCode?: string;
  readonly originalMessage?: string;
}

const DISK_FULL = '53100';

/** Of a server that only reads, as one that has lost its first place. */
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
 * Whether the database went away or could not be reached. Nobody knows then whether the statement was carried
 * out: look for its effect before sending it again.
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

/** OVERLOADED when the database gave a statement up, undone: it took too long, or another was in its way.
 * STORAGE_FULL when a statement was not sent for want of space, or the database itself had none. UNAVAILABLE when the
 * database takes no changes. Otherwise null. */
export function refusalOf(error: unknown): DomainError | null {
  const { cause } = shapeOf(error);
  if (cause instanceof DomainError) return cause;
  const state = causeOf(error)?.originalCode ?? '';
  if (state === DISK_FULL) return storageFull();
  if (state === READ_ONLY) return readOnly();
  return BUSY_STATES.has(state) ? busy() : null;
}

const busy = () =>
  new DomainError('OVERLOADED', 'The database has too much to do. Send the same again in a moment.', {
    retryAfter: 2,
  });

const readOnly = () =>
  new DomainError(
    'UNAVAILABLE',
    'The database takes no changes at present: games can be read. Send the same again in a moment.',
    { retryAfter: 5 },
  );

/** What may be found on a thrown value; Prisma puts what its adapter said into `meta`. */
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
