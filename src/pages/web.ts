import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { publicError } from '../platform/http/masking.js';
import { LINKS } from './contracts.js';
import { gamePages } from './game.js';

/** The pages for people, which are one document: its script shows the page of the address. */

/** The addresses of web/src/app.tsx. */
const PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/recover',
  '/verify-email',
  '/claim',
  '/account',
  '/account/applications',
  '/games',
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

export function mountWeb(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const html = readFileSync(new URL('../../dist/web/index.html', import.meta.url), 'utf8');
  const gamePage = gamePages(app, html);
  const headers = { 'content-security-policy': policyOf("'none'"), link: LINKS };
  const send = (reply: FastifyReply, page: string) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(page);
  for (const path of PATHS) fastify.get(path, (_request, reply) => send(reply, html));
  fastify.get<{ Params: { readonly id: string } }>('/games/:id', async ({ id, params }, reply) => {
    // Logged only: the script asks again, and tells.
    const page = await gamePage(params.id).catch((error: unknown) => void publicError(error, id));
    return send(reply, page ?? html);
  });
}
