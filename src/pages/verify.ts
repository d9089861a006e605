import type { FastifyInstance } from 'fastify';
import { htmlOf } from './assets.js';

/** The page that verifies a game in the browser. */

/** The page may not connect to anything, so that what is entered cannot leave the browser. */
const POLICY = [
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
  fastify.get('/verify', (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(html),
  );
}
