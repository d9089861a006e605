import { STATUS_CODES } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { DomainError } from './errors.js';
import { publicError } from './masking.js';
import { requestId } from './request-context.js';

/** An error as problem details (RFC 9457). */
export const problemOf = ({ status, message, code, details }: DomainError, id: string | null) => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status,
  detail: message,
  code,
  ...details,
  requestId: id,
});

/** Answers an error of the REST side. */
export function answerProblem(reply: FastifyReply, thrown: unknown): void {
  const error = publicError(thrown);
  const { status, details } = error;
  if (details.retryAfter !== undefined) void reply.header('retry-after', String(details.retryAfter));
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  void reply.code(status).type('application/problem+json').send(problemOf(error, requestId()));
}

/** Every error of a route; GraphQL formats its own. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<string>() === 'graphql') throw thrown;
    answerProblem(host.switchToHttp().getResponse<FastifyReply>(), thrown);
  }
}
