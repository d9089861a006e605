import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config.js';
import { acceptForms } from '../features/applications/credentials.form.js';
import { acceptRawTexts } from '../features/imports/raw-texts.js';
import { writeJson } from '../platform/http/json-text.js';
import { quotaHeaders } from '../platform/limits/quotas.js';
import { OfRequest } from '../platform/process/logging.js';
import { ProblemFilter } from '../platform/http/problem.filter.js';
import { InputPipe } from '../platform/contract/input.pipe.js';
import { boundConnections } from './connections.js';
import { holdPipelined } from './pipelined.js';
import { Shutdown } from './shutdown.js';
import { mountDocs } from '../pages/docs.js';
import { mountEmbed } from '../pages/embed.js';
import { GRAPHIQL_PATH, mountGraphiql } from '../pages/graphiql.js';
import { mountOembed } from '../pages/oembed.js';
import { mountUnsubscribe } from '../pages/unsubscribe.js';
import { mountVerify } from '../pages/verify.js';
import { mountWeb } from '../pages/web.js';
import { GRAPHQL_PATH } from './graphql-path.js';
import { RepeatedDocuments } from './repeated-documents.js';
import { Sockets } from './sockets.js';
import { TurnTaking } from './turn-taking.js';
import { refuseUnknownRoutes } from './unknown-routes.js';

/** The response headers that pages of other origins may read. */
export const EXPOSED = [
  'content-disposition',
  'etag',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
];
/** Headers of every answer. */
export const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};
const PREFLIGHT_SECONDS = 86_400;

/** Adds what every request needs: its id, the log line, headers, checks and the form of errors. */
export function configureHttp(app: NestFastifyApplication, config: Config): void {
  const logger = new Logger('Http');
  const fastify = app.getHttpAdapter().getInstance();
  holdPipelined(fastify);
  app.get(TurnTaking).mount(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(ALWAYS);
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const counted = quotaHeaders(request);
    if (counted !== undefined) void reply.headers(counted);
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    // Log the route, because the address may contain the secret of a link.
    const route = request.routeOptions.url ?? 'unknown';
    const line = `${request.method} ${route} ${reply.statusCode} ${Math.round(reply.elapsedTime)}ms`;
    logger.log(new OfRequest(request.id, line));
    done();
  });
  // Fastify sends a Buffer as well; its types do not say so.
  fastify.setReplySerializer(writeJson as (answer: unknown) => string);
  acceptRawTexts(fastify);
  acceptForms(fastify);
  refuseUnknownRoutes(fastify);
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalPipes(new InputPipe());
  if (config.corsOrigins !== 'none') {
    app.enableCors({
      // Safe with any origin: without cookies a page cannot act in the name of its visitor.
      origin: config.corsOrigins === '*' ? '*' : [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED,
      maxAge: PREFLIGHT_SECONDS,
    });
  }
  boundConnections(app.getHttpServer(), config);
  app.get(Shutdown).mount(fastify);
  app.get(RepeatedDocuments).mount(fastify);
  app.get(Sockets).mount(app.getHttpServer());
  mountGraphiql(fastify);
  mountDocs(fastify);
  mountUnsubscribe(app);
  mountVerify(fastify);
  mountWeb(app);
  mountEmbed(fastify, config.frameAncestors);
  mountOembed(app);
  // Redirect a browser to GraphiQL rather than answering with an error about missing headers.
  fastify.addHook('onRequest', (request, reply, done) => {
    const { method, url, headers } = request;
    const [path, search] = url.split('?', 2);
    const isGraphql = path === GRAPHQL_PATH || path === `${GRAPHQL_PATH}/`;
    const isInBrowser = method === 'GET' && isGraphql && headers.accept?.includes('text/html');
    if (isInBrowser && !new URLSearchParams(search).get('query')) {
      void reply.redirect(GRAPHIQL_PATH, 303);
    } else done();
  });
  logger.debug(`GraphQL at ${GRAPHQL_PATH}`);
}
