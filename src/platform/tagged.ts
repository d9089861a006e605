import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { concatMap, type Observable } from 'rxjs';

/** Answers that a client may keep: each is known by a tag, which is made before the answer is. */

/** Of one viewer, or of what is alive: whoever keeps it asks each time whether it is still so. */
export const PRIVATE = 'private, no-cache';
const KEPT_SECONDS = 60;
/** The same for everybody, and changes hardly ever; but an account that closes changes names. */
export const PUBLIC = `public, max-age=${KEPT_SECONDS}, must-revalidate`;

export interface Tagged<T> {
  /** Another one whenever the answer would be another one. */
  readonly tag: string;
  readonly caching: typeof PRIVATE | typeof PUBLIC;
  readonly answer: () => Promise<T> | T;
}

/** The digest that scripts/build.mjs leaves beside what it built; there is none where nothing was built. */
const STAMP = new URL('../.stamp', import.meta.url);

/** What each answer depends on: another build may show it in another form. */
const BUILD = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';

/** The weak tag of an answer that depends on these values alone. A version stands in it in clear, for `If-Match`. */
export function tagOf(parts: readonly unknown[], version?: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([BUILD, ...parts]))
    .digest('base64url');
  const head = version === undefined ? '' : `v${version}-`;
  return `W/"${head}${hash.slice(0, 22)}"`;
}

/** An answer that is read at once, and is all that it depends on. */
export const taggedBody = <T>(body: T, caching: Tagged<T>['caching'] = PRIVATE): Tagged<T> => ({
  tag: tagOf([body]),
  caching,
  answer: () => body,
});

const opaque = (tag: string): string => tag.replace(/^W\//, '');

/** Is this tag among those of an `If-None-Match`? */
export function isAmong(tag: string, known = ''): boolean {
  const tags: readonly string[] = known.match(/"[^"]*"/g) ?? [];
  return known.trim() === '*' || tags.includes(opaque(tag));
}

@Injectable()
class Revalidation implements NestInterceptor<Tagged<unknown>> {
  intercept(context: ExecutionContext, next: CallHandler<Tagged<unknown>>): Observable<unknown> {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      concatMap(async ({ tag, caching, answer }) => {
        const isKnown = isAmong(tag, headers['if-none-match']);
        // A refusal is not to be kept: it has none of these headers.
        const body = isKnown ? undefined : await answer();
        void reply.headers({ etag: tag, 'cache-control': caching });
        void reply.header('vary', varyOf(reply, caching));
        if (isKnown) void reply.code(304);
        return body;
      }),
    );
  }
}

/**
 * The same for a 304 as for the answer that it stands for: what compresses that answer sees no 304. What stands there
 * already stays, as where the answer depends on the page that asks.
 */
const varyOf = (reply: FastifyReply, caching: Tagged<unknown>['caching']): string =>
  [reply.getHeader('vary'), ...(caching === PRIVATE ? ['Authorization'] : []), 'accept-encoding']
    .filter((name) => name !== undefined)
    .join(', ');

/** What OpenAPI says of an answer that is tagged. */
export const TAG = {
  ETag: {
    description: 'The weak tag of this answer; it changes whenever the answer changes.',
    schema: { type: 'string' as const },
  },
};

/** A route that answers with what is tagged: 304 to whoever has it already. */
export const Revalidated = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(Revalidation),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of the answer that you hold; the status is 304 if it is still current.',
    }),
    ApiResponse({ status: 304, description: 'The answer that you hold is still current.' }),
  );
