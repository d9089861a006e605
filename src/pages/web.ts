import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { LINKS } from './contracts.js';

/** The pages for people, which are one document: its script shows the page of the address. */

/** The addresses of web/src/app.tsx. */
const PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/recover',
  '/verify-email',
  '/account',
  '/games',
  '/games/:id',
  '/challenges/:id',
  '/players/:id',
  '/rules',
  '/rules/:id',
];

/** Everything is a file of this server: nothing inline, nothing of others, and no text ever becomes HTML or script. */
export const policyOf = (frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

export function mountWeb(fastify: FastifyInstance): void {
  const html = readFileSync(new URL('../../dist/web/index.html', import.meta.url), 'utf8');
  const policy = policyOf("'none'");
  for (const path of PATHS) {
    fastify.get(path, (_request, reply) =>
      reply
        .headers({ 'content-security-policy': policy, link: LINKS })
        .type('text/html; charset=utf-8')
        .send(html),
    );
  }
}
