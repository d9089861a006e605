import type { ErrorCode } from '../../platform/errors/error-codes.js';
import type { DomainError } from '../../platform/errors/errors.js';
import type { ProblemForm } from '../../platform/http/problem.filter.js';

/** The errors of OAuth (RFC 6749, 5.2), which its clients read beside our own. */

const OAUTH_ERRORS: Partial<Record<ErrorCode, string>> = {
  INVALID_CLIENT: 'invalid_client',
  INTERNAL: 'server_error',
  RATE_LIMITED: 'temporarily_unavailable',
  OVERLOADED: 'temporarily_unavailable',
  STORAGE_FULL: 'temporarily_unavailable',
  UNAVAILABLE: 'temporarily_unavailable',
};

function errorOf({ code, details: { field } }: DomainError, body: unknown): string {
  if (code === 'BAD_INPUT' && field === 'scope') return 'invalid_scope';
  // Left out, it is a fault of the request.
  const isOtherGrant =
    field === 'grant_type' && typeof (body as { grant_type?: unknown } | null)?.grant_type === 'string';
  if (code === 'BAD_INPUT' && isOtherGrant) return 'unsupported_grant_type';
  return OAUTH_ERRORS[code] ?? 'invalid_request';
}

/** OAuth allows printable ASCII without quotes and backslashes. */
const described = (detail: string): string => detail.replaceAll('"', "'").replace(/[^ !#-[\]-~]/gu, '?');

export const OAUTH_FORM: ProblemForm = {
  type: 'application/json',
  members: (error, detail, { body }) => ({
    error: errorOf(error, body),
    error_description: described(detail),
  }),
  // Only who came with Basic is asked for it: a browser would ask its user, and clients then read no further.
  challenge: ({ code }, { headers }) =>
    code === 'INVALID_CLIENT' && /^basic /i.test(headers.authorization ?? '')
      ? 'Basic realm="Halfmove", charset="UTF-8"'
      : null,
};
