import { HttpException, Logger } from '@nestjs/common';
import { isConnectionLoss, refusalOf } from './database/violations.js';
import { ERRORS, type ErrorCode } from './error-codes.js';
import { DomainError } from './errors.js';
import { requestId } from './request-context.js';

const logger = new Logger('Unexpected');

const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'ADDRESS_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** What to do where the framework says only what is wrong. */
const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNSUPPORTED_MEDIA_TYPE: '. Send JSON, with the header Content-Type: application/json.',
};

/**
 * The error that may leave the server for whatever was thrown: ours as it is, the framework's by its status, a lost
 * or full database by its code; everything else is masked, and the log has it under the request's id.
 */
export function publicError(thrown: unknown): DomainError {
  const refusal = thrown instanceof DomainError ? thrown : refusalOf(thrown);
  if (refusal !== null) return refusal;
  // Nobody reads this answer, and nothing is wrong here.
  if (isCutShort(thrown)) return new DomainError('BAD_INPUT', 'The request ended before its body did.');
  if (isConnectionLoss(thrown)) {
    logger.error(thrown);
    return new DomainError(
      'UNAVAILABLE',
      'The database cannot be reached. Send the same again in a moment.',
      {
        retryAfter: 2,
      },
    );
  }
  const code = codesByStatus[statusOf(thrown)];
  if (code !== undefined && thrown instanceof Error) {
    return new DomainError(code, `${thrown.message}${ADVICE[code] ?? ''}`);
  }
  logger.error(thrown instanceof Error ? thrown : new Error(String(thrown)));
  const id = requestId();
  return new DomainError(
    'INTERNAL',
    `Something went wrong on our side${id === null ? '' : ` (request ${id})`}.`,
  );
}

/** What Node says of a request whose client has left before it was sent. */
const isCutShort = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  thrown.message === 'aborted' &&
  (thrown as NodeJS.ErrnoException).code === 'ECONNRESET';

/** Only errors of the framework carry a status that was meant for clients. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const { code, statusCode } = thrown as { code?: unknown; statusCode?: unknown };
  const isFastify = typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number';
  return isFastify ? statusCode : ERRORS.INTERNAL.status;
}
