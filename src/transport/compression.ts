import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { defaultFieldResolver, isObjectType, type GraphQLFieldMap, type GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../features/auth/principal.js';
import { EventStream } from '../platform/http/event-stream.js';
import { holdsSecret, isSecretInAnswers } from '../platform/process/secret-names.js';

/** Compresses answers with br or gzip if the client accepts it. Random data stay uncompressed. */
const TYPES = /^(?:text\/|application\/(?:json|problem\+json|graphql|x-ndjson|vnd\.chess-pgn)\b)/;
/** Below this size the headers cost more than compression saves. */
const LEAST_BYTES = 1024;

/** A stream cannot be searched for secrets, and this one has those of links. */
const SECRET_STREAMS = ['/v1/me/export'];

/** Requests for which a field with a secret was resolved, under whatever alias. */
const told = new WeakSet<object>();

/** Marks the requests whose answers have a secret. */
export function markSecrets(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields() as GraphQLFieldMap<unknown, GraphqlContext>)) {
      if (!isSecretInAnswers(field.name)) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (source, args, context, info) => {
        if (context.req !== undefined) told.add(context.req);
        return resolve(source, args, context, info);
      };
    }
  }
}

/** Shorter ones are not compressed. */
const isLong = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && Buffer.byteLength(payload) >= LEAST_BYTES;

/** Whether an answer contains a token or a secret. */
const isSecret = (request: FastifyRequest, payload: unknown): boolean =>
  told.has(request) ||
  (isLong(payload) && holdsSecret(payload)) ||
  SECRET_STREAMS.includes(request.routeOptions.url ?? '');

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
    // An event must not wait until a block of the compression is full.
    if (
      'accept-encoding' in request.headers &&
      (payload instanceof EventStream || isSecret(request, payload))
    )
      request.headers['x-no-compression'] = 'yes';
    done(null, payload);
  });
}
