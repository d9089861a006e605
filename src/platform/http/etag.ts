import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

/** Cacheable answers, each with an ETag that is computed before the answer is. */

/** For data of one viewer or of live games: caches must revalidate it each time. */
export const PRIVATE = 'private, no-cache';
const KEPT_SECONDS = 60;
/** For data that is the same for everybody and rarely changes, such as when an account closes. */
export const PUBLIC = `public, max-age=${KEPT_SECONDS}, must-revalidate`;
/** The same for everybody, and changes at any time. */
export const CURRENT = 'public, no-cache';
/** The same for everybody, until another build shows it otherwise. */
export const LASTING = 'public, max-age=86400';

export type Caching = typeof PRIVATE | typeof PUBLIC | typeof CURRENT | typeof LASTING;

/** An answer that is made only if the client does not have it yet; the route must be @Revalidated. */
export class Tagged<T> {
  /** @param tag changes whenever the answer changes */
  constructor(
    readonly tag: string,
    readonly caching: Caching,
    readonly answer: () => Promise<T> | T,
  ) {}
}

/** The digest that scripts/build.mjs writes; it is missing where nothing was built. */
const STAMP = new URL('../../.stamp', import.meta.url);

/** Part of every tag, because another build may show the data differently. */
const BUILD = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';

/** The weak tag of an answer that depends only on these values. A mark before it is readable, for `If-Match`. */
export function tagOf(parts: readonly unknown[], mark = ''): string {
  const digest = hash('sha256', JSON.stringify([BUILD, ...parts]), 'base64url');
  return `W/"${mark}${digest.slice(0, 22)}"`;
}

/** An answer that is tagged by its own content. */
export const taggedBody = <T>(body: T, caching: Caching = PRIVATE): Tagged<T> =>
  new Tagged(tagOf([body]), caching, () => body);

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** Whether this tag is in an `If-None-Match` header. */
export function isAmong(tag: string, known = ''): boolean {
  const tags: readonly string[] = known.match(/"[^"]*"/g) ?? [];
  return known.trim() === '*' || tags.includes(opaque(tag));
}

/** What to send of a tagged answer: its body, or 304 without one if the client has it. Sets the headers. */
export async function revalidated<T>(
  reply: FastifyReply,
  { tag, caching, answer }: Tagged<T>,
): Promise<{ readonly body?: T; readonly status?: 304 }> {
  const isKnown = isAmong(tag, reply.request.headers['if-none-match']);
  const sent = isKnown ? { status: 304 as const } : { body: await answer() };
  // Only now, because errors must not be cached.
  void reply.headers({ etag: tag, 'cache-control': caching, vary: varyOf(reply, caching) });
  return sent;
}

/**
 * The same Vary for a 304 as for its full answer, since the compression plugin does not see a 304. Existing values
 * stay, such as Origin.
 */
const varyOf = (reply: FastifyReply, caching: Caching): string =>
  [reply.getHeader('vary'), ...(caching === PRIVATE ? ['Authorization'] : []), 'accept-encoding']
    .filter((name) => name !== undefined)
    .join(', ');

/** The OpenAPI description of the ETag header. */
export const TAG = {
  ETag: {
    description: 'The weak tag of this answer; it changes whenever the answer changes.',
    schema: { type: 'string' as const },
  },
};

/** A route with tagged answers: 304 if the client already has the current one. */
export const Revalidated = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of the answer that you hold; the status is 304 if it is still current.',
    }),
    ApiResponse({ status: 304, description: 'The answer that you hold is still current.' }),
  );
