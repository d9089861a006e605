import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../platform/errors/errors.js';
import { pathOf } from '../platform/http/framework-errors.js';
import { shown } from '../rules/shown.js';

/** Answers to addresses that do not exist, and to methods that an address does not have. */

interface Route {
  readonly pattern: RegExp;
  readonly methods: readonly string[];
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.+^$()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`);

/** Call it before there are routes. */
export function refuseUnknownRoutes(fastify: FastifyInstance): void {
  const routes: Route[] = [];
  fastify.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) routes.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  // After the hooks of CORS, whose headers this answer needs as well, and before the body is read.
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (!request.is404) return done(null, payload);
    const path = pathOf(request.url);
    const found = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    const methods = [...new Set(found)].sort();
    if (methods.length > 0) void reply.header('allow', methods.join(', '));
    done(methods.length > 0 ? methodNotAllowed(request, path, methods) : unknownAddress(request, path));
  });
}

const methodNotAllowed = ({ method }: FastifyRequest, path: string, methods: readonly string[]) =>
  new DomainError(
    'METHOD_NOT_ALLOWED',
    `${method} is not allowed at ${shown(path)}; the address accepts ${methods.join(', ')}.`,
  );

const unknownAddress = ({ method }: FastifyRequest, path: string) =>
  new DomainError(
    'NOT_FOUND',
    `The address ${shown(path)} does not exist (${method}). All routes are listed in /openapi.json.`,
  );
