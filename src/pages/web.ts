import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { CatalogueService } from '../features/rulesets/catalogue.service.js';
import { UsersService } from '../features/users/users.service.js';
import { publicError } from '../platform/http/masking.js';
import { LINKS } from './contracts.js';
import { gamePages } from './game.js';

/** The pages for people, which are one document: its script shows the page of the address. */

/** The addresses of web/src/app.tsx whose pages are always there; who may see an invitation, its link says to the script alone. */
const PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/recover',
  '/verify-email',
  '/claim',
  '/account',
  '/account/applications',
  '/news',
  '/games',
  '/challenges/:id',
  '/rules',
];

/** A page that says less is better than one that comes late. */
const PATIENCE_MS = 500;

interface OfOne {
  Params: { readonly id: string };
}

const NO_WORKER = ["trusted-types 'none'"];
/** The policy `halfmove` of web/src/push.ts makes nothing but the address of the service worker. */
const PUSH_WORKER = ["worker-src 'self'", 'trusted-types halfmove'];

/** Everything is a file of this server: nothing inline, nothing of others, and no text ever becomes HTML or script. */
export const policyOf = (frameAncestors: string, workers: readonly string[] = NO_WORKER): string =>
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
    ...workers,
  ].join('; ');

export function mountWeb(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  const html = readFileSync(new URL('../../dist/web/index.html', import.meta.url), 'utf8');
  const gamePage = gamePages(app, html);
  const [users, catalogue] = [app.get(UsersService), app.get(CatalogueService)];
  const headers = { 'content-security-policy': policyOf("'none'", PUSH_WORKER), link: LINKS };
  const send = (reply: FastifyReply, page: string) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(page);
  /** What is missing is told by the script, and by the status to those who run none. */
  const sendOf = (reply: FastifyReply, isMissing: boolean, page = html) =>
    send(reply.code(isMissing ? 404 : 200), page);
  for (const path of PATHS) fastify.get(path, (_request, reply) => send(reply, html));
  fastify.get<OfOne>('/rules/:id', ({ params }, reply) => sendOf(reply, catalogue.found(params.id) === null));
  fastify.get<OfOne>('/players/:id', async ({ id, params }, reply) => {
    const player = await soon(users.byUsername(params.id), id);
    return sendOf(reply, player === null);
  });
  fastify.get<OfOne>('/games/:id', async ({ id, params }, reply) => {
    const page = await soon(gamePage(params.id), id);
    return sendOf(reply, page === null, page ?? html);
  });
}

/** What was read; undefined if that comes late or fails, which is logged only: the script asks again, and tells. */
const soon = <T>(reading: Promise<T>, requestId: string): Promise<T | undefined> =>
  Promise.race([
    reading.catch((error: unknown) => void publicError(error, requestId)),
    pause(PATIENCE_MS, undefined, { ref: false }),
  ]);
