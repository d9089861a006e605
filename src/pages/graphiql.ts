import type { FastifyInstance } from 'fastify';
import { htmlOf } from './assets.js';
import { readExamples } from './examples.js';

/** Serves GraphiQL. Nothing is loaded from other hosts, so the page works offline. */

export const GRAPHIQL_PATH = '/graphiql';

/**
 * The content security policy of a page: it may load and connect to this server only. GraphiQL and Swagger UI need inline
 * styles. Not every browser applies 'self' to WebSockets, so these are listed.
 */
export function pagePolicy(host: string): string {
  // A host that a policy cannot express, such as an IPv6 address, gets 'self' only.
  const sockets = /^[\w.-]+(:\d+)?$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    `connect-src 'self'${sockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function mountGraphiql(fastify: FastifyInstance): void {
  // A "<" in a text could close the element.
  const examples = JSON.stringify(readExamples()).replaceAll('<', '\\u003c');
  const html = htmlOf('graphiql/page.html', { examples });
  fastify.get(GRAPHIQL_PATH, (request, reply) =>
    reply
      .header('content-security-policy', pagePolicy(request.host))
      .type('text/html; charset=utf-8')
      .send(html),
  );
}
