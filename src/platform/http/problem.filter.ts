import { STATUS_CODES } from 'node:http';
import { applyDecorators, Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/errors.js';
import { explainedFrameworkError } from './framework-errors.js';
import { withoutSecrets } from '../process/secret-names.js';
import { publicError } from './masking.js';

/** An error as problem details (RFC 9457). */
export const problemOf = (
  { message, code, details, ...error }: DomainError,
  id: string,
  status = error.status,
) => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status,
  detail: withoutSecrets(message),
  code,
  ...details,
  requestId: id,
});

/** A version sent as If-Match is answered with 412, as HTTP asks for. */
const isUnmet = ({ code }: DomainError, { request }: FastifyReply): boolean =>
  code === 'STALE_VERSION' && request.headers['if-match'] !== undefined;

/** The WWW-Authenticate header that RFC 6750 asks for. */
function challengeOf({ status, code, details }: DomainError): string | null {
  if (code === 'INSUFFICIENT_SCOPE') return `Bearer error="insufficient_scope", scope="${details.scope}"`;
  return status === 401 ? 'Bearer' : null;
}

/** The game of an address is its `id`, where GraphQL has a `gameId`. */
function asInAddress(error: DomainError, params: unknown): DomainError {
  const isOfAddress = error.details.field === 'gameId' && 'id' in Object(params);
  return isOfAddress ? new DomainError(error.code, error.message, { ...error.details, field: 'id' }) : error;
}

/** How the problems of a route look whose standard has a form of its own. */
export interface ProblemForm {
  readonly type: string;
  /** What stands beside the members of the problem. */
  readonly members: (error: DomainError, detail: string, request: FastifyRequest) => object;
  /** The WWW-Authenticate header. */
  readonly challenge: (error: DomainError, request: FastifyRequest) => string | null;
}

const FORM = 'problemForm';

const USUAL: ProblemForm = { type: 'application/problem+json', members: () => ({}), challenge: challengeOf };

/** Where the description of a route names the media type of its problems. */
export const PROBLEM_TYPE = 'x-problem-type';

export const Problems = (form: ProblemForm): MethodDecorator =>
  applyDecorators(RouteConfig({ [FORM]: form }), ApiExtension(PROBLEM_TYPE, form.type));

/** Answers an error of the REST side. */
export function answerProblem(reply: FastifyReply, thrown: unknown): void {
  const { id, params } = reply.request;
  const error =
    explainedFrameworkError(thrown, reply.request) ?? asInAddress(publicError(thrown, id), params);
  const { details } = error;
  const status = isUnmet(error, reply) ? 412 : error.status;
  if (details.retryAfter !== undefined) void reply.header('retry-after', String(details.retryAfter));
  const { [FORM]: form = USUAL } = reply.request.routeOptions.config as { readonly [FORM]?: ProblemForm };
  const challenge = form.challenge(error, reply.request);
  if (challenge !== null) void reply.header('www-authenticate', challenge);
  const problem = problemOf(error, id, status);
  void reply
    .code(status)
    .type(form.type)
    .send({ ...problem, ...form.members(error, problem.detail, reply.request) });
}

/** Answers every error of a route; GraphQL formats its own. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType<string>() === 'graphql') throw thrown;
    answerProblem(host.switchToHttp().getResponse<FastifyReply>(), thrown);
  }
}
