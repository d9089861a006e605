import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** Answers go out as br or gzip, to those who take it. Streams of events and what is random anyhow go out as they are. */
const TYPES =
  /^(?:text\/(?!event-stream)|application\/(?:json|problem\+json|graphql|x-ndjson|vnd\.chess-pgn)\b)/;
/** Below that a head says more than is saved. */
const LEAST_BYTES = 1024;

const SECRET = 'accessToken|refreshToken|linkToken';
const SECRET_VALUE = new RegExp(`"(?:${SECRET})":"|[?]linkToken=`);
const SECRET_FIELD = new RegExp(SECRET);
/** A stream is not looked through: it has the secrets of links, too. */
const SECRET_STREAMS = ['/v1/me/export'];

/** Does an answer carry a token or a secret? An alias hides the name of a field in an answer, not in what was asked. */
function isSecret({ body, query, routeOptions }: FastifyRequest, payload: unknown): boolean {
  const asked = [body, query].map((part) => (part as { readonly query?: unknown } | null | undefined)?.query);
  return (
    asked.some((text) => typeof text === 'string' && SECRET_FIELD.test(text)) ||
    (typeof payload === 'string' && SECRET_VALUE.test(payload)) ||
    SECRET_STREAMS.includes(routeOptions.url ?? '')
  );
}

/**
 * Before any route is there, for it is the routes that compress. What carries a secret never is compressed: by the length
 * of such an answer somebody who can put a text beside the secret could guess it (BREACH).
 */
export async function compressAnswers(app: NestFastifyApplication): Promise<void> {
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: LEAST_BYTES,
    customTypes: TYPES,
    // Requests are taken as they are: a small one could become a huge one.
    globalDecompression: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    // By this header the package leaves an answer alone.
    if (isSecret(request, payload)) request.headers['x-no-compression'] = 'secret';
    done(null, payload);
  });
}
