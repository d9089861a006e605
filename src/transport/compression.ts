import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** Compresses answers with br or gzip if the client accepts it. Event streams and random data stay uncompressed. */
const TYPES =
  /^(?:text\/(?!event-stream)|application\/(?:json|problem\+json|graphql|x-ndjson|vnd\.chess-pgn)\b)/;
/** Below this size the headers cost more than compression saves. */
const LEAST_BYTES = 1024;

const SECRETS = ['accessToken', 'refreshToken', 'linkToken'];
const SECRET_VALUES = [...SECRETS.map((name) => `"${name}":"`), '?linkToken='];
const SECRET_FIELD = new RegExp(SECRETS.join('|'));
/** A stream cannot be searched for secrets, and this one has those of links. */
const SECRET_STREAMS = ['/v1/me/export'];

/**
 * Whether an answer contains a token or a secret. An alias hides the name of a field in the answer, but not in the
 * query.
 */
function isSecret({ body, query, routeOptions }: FastifyRequest, payload: unknown): boolean {
  const asked = [body, query].map((part) => (part as { readonly query?: unknown } | null | undefined)?.query);
  return (
    asked.some((text) => typeof text === 'string' && SECRET_FIELD.test(text)) ||
    ((typeof payload === 'string' || Buffer.isBuffer(payload)) &&
      SECRET_VALUES.some((value) => payload.includes(value))) ||
    SECRET_STREAMS.includes(routeOptions.url ?? '')
  );
}

/**
 * Call it before there are routes, because the plugin hooks into them. Answers with a secret are never compressed:
 * their length would help to guess it (BREACH).
 */
export async function compressAnswers(app: NestFastifyApplication): Promise<void> {
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: LEAST_BYTES,
    customTypes: TYPES,
    // A small compressed request could expand to a huge one.
    globalDecompression: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    // This header makes the plugin skip the answer.
    if ('accept-encoding' in request.headers && isSecret(request, payload))
      request.headers['x-no-compression'] = 'secret';
    done(null, payload);
  });
}
