import { HttpException, Logger } from '@nestjs/common';
import { isConnectionLoss, refusalOf } from '../database/violations.js';
import { ERRORS, type ErrorCode } from '../errors/error-codes.js';
import { DomainError } from '../errors/errors.js';
import { OfRequest } from '../process/logging.js';

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

/**
 * The error to show for anything that was thrown: ours as it is, the framework's by its status, a lost or full database
 * by its code. Everything else is masked and logged with the id of the request.
 */
export function publicError(thrown: unknown, requestId: string | null): DomainError {
  const refusal = thrown instanceof DomainError ? thrown : refusalOf(thrown);
  if (refusal !== null) return refusal;
  // The client has gone and will not read this; it is not a fault to log.
  if (isCutShort(thrown))
    return new DomainError('BAD_INPUT', 'The request ended before its body was complete. Send it again.');
  if (isConnectionLoss(thrown)) {
    log(thrown, requestId);
    return new DomainError('UNAVAILABLE', 'The database cannot be reached. Try again in 2 seconds.', {
      retryAfter: 2,
    });
  }
  const code = codesByStatus[statusOf(thrown)];
  if (code !== undefined && thrown instanceof Error) {
    return new DomainError(code, thrown.message.replace(/[^.]$/, '$&.'));
  }
  log(thrown instanceof Error ? thrown : new Error(String(thrown)), requestId);
  return new DomainError(
    'INTERNAL',
    `An unexpected error occurred on the server${requestId === null ? '' : ` (request ${requestId})`}. Report it to the operator.`,
  );
}

const log = (error: unknown, requestId: string | null): void =>
  logger.error(requestId === null ? error : new OfRequest(requestId, error));

/** The error of Node when a client disconnects in the middle of its request. */
const isCutShort = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  thrown.message === 'aborted' &&
  (thrown as NodeJS.ErrnoException).code === 'ECONNRESET';

/** Only errors of the framework carry a status meant for clients. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const { code, statusCode } = thrown as { code?: unknown; statusCode?: unknown };
  const isFastify = typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number';
  return isFastify ? statusCode : ERRORS.INTERNAL.status;
}
