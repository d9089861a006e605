import { STATUS_CODES } from 'node:http';
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { publicError } from './masking.js';
import { requestId } from './request-context.js';

/** Answers an error of the REST side as problem details (RFC 9457). */
export function answerProblem(reply: FastifyReply, thrown: unknown): void {
  const { status, message, code, details } = publicError(thrown);
  if (details.retryAfter !== undefined) void reply.header('retry-after', String(details.retryAfter));
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  void reply
    .code(status)
    .type('application/problem+json')
    .send({
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      detail: message,
      code,
      ...details,
      requestId: requestId(),
    });
}

/** Every error of a route; GraphQL formats its own. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<string>() === 'graphql') throw thrown;
    answerProblem(host.switchToHttp().getResponse<FastifyReply>(), thrown);
  }
}
