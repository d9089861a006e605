import type { FastifyInstance } from 'fastify';
import { htmlOf } from './assets.js';
import { pagePolicy } from './graphiql.js';

/** The REST reference: Swagger UI with /openapi.json. */
export function mountDocs(fastify: FastifyInstance): void {
  const html = htmlOf('docs/page.html');
  fastify.get('/docs', (request, reply) =>
    reply
      .header('content-security-policy', pagePolicy(request.host))
      .type('text/html; charset=utf-8')
      .send(html),
  );
}
