import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config.js';
import { takeRawTexts } from '../features/imports/raw-texts.js';
import { ProblemFilter } from '../platform/problem.filter.js';
import { withRequestId } from '../platform/request-context.js';
import { InputPipe } from '../platform/input.pipe.js';
import { boundConnections } from './connections.js';
import { Departure } from './departure.js';
import { LINKS } from '../pages/contracts.js';
import { GRAPHIQL_PATH, mountGraphiql, pagePolicy } from '../pages/graphiql.js';
import { mountVerify } from '../pages/verify.js';
import { GRAPHQL_PATH } from './graphql.js';
import { Sockets } from './sockets.js';

const DOCS_PATH = '/docs';

/** What a page of another origin may read of an answer beside its body. */
export const EXPOSED = ['content-disposition', 'etag', 'link', 'location', 'retry-after', 'x-request-id'];
/** In every answer, whatever it is. */
export const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const PREFLIGHT_SECONDS = 86_400;

/** What every request passes: its id, the log line, headers, checks and the form of errors. */
export function dressHttp(app: NestFastifyApplication, config: Config): void {
  const logger = new Logger('Http');
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(ALWAYS);
    if (request.routeOptions.url?.startsWith(DOCS_PATH)) {
      void reply.header('content-security-policy', pagePolicy(request.host));
    }
    withRequestId(request.id, done, () => reply.raw.destroyed && !reply.raw.writableFinished);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    // The route, not the address: an address may carry the secret of a link.
    const route = request.routeOptions.url ?? 'unknown';
    logger.log(`${request.method} ${route} ${reply.statusCode} ${Math.round(reply.elapsedTime)}ms`);
    done();
  });
  takeRawTexts(fastify);
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalPipes(new InputPipe());
  if (config.corsOrigins !== 'none') {
    app.enableCors({
      // Without cookies there is nothing that a page could do in the name of its visitor.
      origin: config.corsOrigins === '*' ? '*' : [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED,
      maxAge: PREFLIGHT_SECONDS,
    });
  }
  boundConnections(app.getHttpServer(), config);
  app.get(Departure).mount(fastify);
  app.get(Sockets).mount(app.getHttpServer());
  mountGraphiql(fastify);
  mountVerify(fastify);
  // A person who opens the address in a browser wants the page, and not a word about missing headers.
  fastify.addHook('onRequest', (request, reply, done) => {
    const { method, url, headers } = request;
    const [path, search] = url.split('?', 2);
    const isInBrowser = method === 'GET' && path === GRAPHQL_PATH && headers.accept?.includes('text/html');
    if (isInBrowser && !new URLSearchParams(search).get('query')) {
      void reply.redirect(GRAPHIQL_PATH, 303);
    } else done();
  });
  fastify.get('/', (_request, reply) => reply.header('link', LINKS).redirect(GRAPHIQL_PATH));
  logger.debug(`GraphQL at ${GRAPHQL_PATH}`);
}
