import { HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../errors/errors.js';
import { shown } from '../../rules/shown.js';

/** What Fastify refuses before a route sees it, in our words. */

interface FastifyError extends Error {
  readonly code: string;
}

type Explain = (request: FastifyRequest) => DomainError;

const badBody = (message: string): DomainError => new DomainError('BAD_INPUT', message, { field: 'body' });

/** A body in a form that its route does not read. */
export function notJson({ headers }: FastifyRequest): DomainError {
  const got = headers['content-type'] === undefined ? '' : `; got ${shown(headers['content-type'])}`;
  return new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body must be JSON, with the header Content-Type: application/json${got}.`,
  );
}

const EXPLANATIONS: Readonly<Record<string, Explain>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions, headers }) => {
    const limit = routeOptions.bodyLimit;
    const length = headers['content-length'];
    const got = length === undefined ? '' : `; got ${length}`;
    return new DomainError(
      'PAYLOAD_TOO_LARGE',
      `The body must not be larger than ${limit} bytes${got}. Send less in one request.`,
      { max: limit },
    );
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: () =>
    badBody(
      'The body must not be empty when Content-Type is application/json. Send a JSON object, or no Content-Type.',
    ),
  // The parser's own words would quote the body, which may hold a password.
  FST_ERR_CTP_INVALID_JSON_BODY: () =>
    badBody('The body is not valid JSON. Check its quotes, commas and brackets.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ({ headers }) =>
    badBody(`The body must be as long as its Content-Length says (${headers['content-length']} bytes).`),
  FST_ERR_BAD_URL: ({ url }) =>
    new DomainError(
      'BAD_INPUT',
      `The address ${shown(pathOf(url))} is malformed: percent signs must be followed by two hex digits of UTF-8.`,
    ),
  FST_ERR_MAX_PARAM_LENGTH: ({ url }) => {
    const longest = pathOf(url)
      .split('/')
      .reduce((a, b) => (b.length > a.length ? b : a));
    return new DomainError(
      'ADDRESS_TOO_LONG',
      `Each part of an address must have at most ${MAX_PARAM_LENGTH} characters; ${shown(longest)} has ${longest.length}.`,
      { max: MAX_PARAM_LENGTH },
    );
  },
};

/** Fastify's default. */
const MAX_PARAM_LENGTH = 100;

/** Without the query, which may hold the secret of a link. */
export const pathOf = (url: string): string => url.split('?', 1)[0]!;

/** The refusal for an error of Fastify; undefined for any other error. */
export function explainedFrameworkError(thrown: unknown, request: FastifyRequest): DomainError | undefined {
  // Nest wraps the error in an HttpException.
  const error = thrown instanceof HttpException ? thrown.cause : thrown;
  return EXPLANATIONS[String((error as Partial<FastifyError> | undefined)?.code)]?.(request);
}
