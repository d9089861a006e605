import type { FastifyInstance } from 'fastify';
import { htmlOf } from './assets.js';

/** The page that verifies a game in the browser. */

/** Only the page of a game may connect, and to this server alone: what is entered elsewhere cannot leave the browser. */
const policyFor = (isOfGame: boolean): string =>
  [
    ...(isOfGame ? ["connect-src 'self'"] : []),
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export function mountVerify(fastify: FastifyInstance): void {
  const html = htmlOf('verify/page.html');
  fastify.get<{ Querystring: { readonly game?: unknown } }>('/verify', ({ query }, reply) =>
    reply
      .header('content-security-policy', policyFor(query.game !== undefined))
      .type('text/html; charset=utf-8')
      .send(html),
  );
}
