import { Inject, Injectable } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { execute, getOperationAST, Kind, parse, type DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import { CONFIG } from '../platform/process/config.module.js';
import { cacheBytes } from '../platform/process/cache-sizes.js';
import { formatError } from '../platform/graphql/format.js';
import { DomainError } from '../platform/errors/errors.js';
import { assertQuickToValidate, measure } from '../platform/graphql/limits.js';
import { GRAPHQL_PATH } from './graphql-path.js';
import { isAboutSchema, LEAST_KEPT, SchemaAnswers } from './schema-answers.js';
import { admit } from './turn-taking.js';

/** What a parsed document takes in memory for each character. */
const BYTES_OF_A_CHARACTER = 100;

/** A body that Apollo Server would execute without further checks. */
interface Sent {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
}

/** A document that Apollo Server has executed, and the media type that it chose for the answer. */
interface Known {
  readonly document: DocumentNode;
  readonly mediaType: string;
  /** Whether its answers never change. */
  readonly isAboutSchema: boolean;
}

/**
 * Apollo Server judges a document and the headers of its request once. The same text with the same headers is then
 * executed directly, and answered in the same words. Whatever else a request holds, and whatever is refused before it
 * is executed, goes to Apollo Server.
 */
@Injectable()
export class RepeatedDocuments {
  /** By the Accept header and the text. */
  private readonly known: LRUCache<string, Known>;

  private readonly schemaAnswers: SchemaAnswers;

  constructor(
    private readonly host: GraphQLSchemaHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.known = new LRUCache({
      maxSize: cacheBytes(config, 'documents'),
      sizeCalculation: (_, key) => key.length * BYTES_OF_A_CHARACTER,
    });
    this.schemaAnswers = new SchemaAnswers(config);
  }

  /** Call it before there are routes. */
  mount(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      if (route.url === GRAPHQL_PATH) route.handler = this.before(route.handler);
    });
  }

  private before(apollo: RouteHandlerMethod): RouteHandlerMethod {
    const { known, config, schemaAnswers } = this;
    const answer = this.answer.bind(this);
    return async function (request, reply): Promise<unknown> {
      const sent = plainly(request);
      if (sent === null) return refusalOf(request, reply, config) ?? apollo.call(this, request, reply);
      const key = `${request.headers.accept ?? ''}\n${sent.query}`;
      const found = known.get(key);
      const answerKey = `${sent.operationName ?? ''}\n${key}`;
      const kept = found?.isAboutSchema === true ? schemaAnswers.send(answerKey, reply) : null;
      if (kept !== null) return kept;
      const direct =
        found === undefined || found.isAboutSchema ? null : await answer(found, sent, request, reply);
      if (direct !== null) return direct;
      const refused = found === undefined ? refusalOf(request, reply, config) : null;
      if (refused !== null) return refused;
      const given: unknown = await apollo.call(this, request, reply);
      if (reply.statusCode !== 200) return given;
      const now =
        found ?? knownOf(parse(sent.query, { maxTokens: config.maxQueryTokens }), reply, given as string);
      known.set(key, now);
      if (now.isAboutSchema) await schemaAnswers.keep(answerKey, now.mediaType, given as string);
      return given;
    };
  }

  /** The answer; null if the request is to be refused, or reads much of the schema. */
  private async answer(
    { document, mediaType }: Known,
    { operationName, variables }: Sent,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | null> {
    const { schema } = this.host;
    const operation = getOperationAST(document, operationName);
    if (operation == null) return null;
    const measured = measure(schema, document, operation, variables, this.config);
    if (measured.fault !== null || measured.readsSchema) return null;
    await admit(request, measured);
    const contextValue = { req: request };
    const { data, errors } = await execute({ schema, document, operationName, variableValues: variables, contextValue }); // prettier-ignore
    // The variables were wrong, and nothing was executed.
    if (data === undefined) return null;
    void reply.header('content-type', mediaType);
    const told = errors?.map((error) => formatError(error.toJSON(), error, request.id));
    return `${JSON.stringify({ errors: told, data, extensions: { cost: measured.cost } })}\n`;
  }
}

/** The answer to a document that would take long to validate; null for any other. Apollo Server refuses what cannot be parsed. */
function refusalOf(request: FastifyRequest, reply: FastifyReply, config: Config): string | null {
  const { query } = (request.method === 'GET' ? request.query : (request.body ?? {})) as { query?: unknown };
  if (typeof query !== 'string') return null;
  try {
    assertQuickToValidate(parse(query, { maxTokens: config.maxQueryTokens }));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) return null;
    void reply.code(error.status).type('application/json; charset=utf-8');
    const { message } = error;
    return `${JSON.stringify({ errors: [formatError({ message }, error, request.id)] })}\n`;
  }
}

const knownOf = (document: DocumentNode, reply: FastifyReply, answer: string): Known => ({
  document,
  mediaType: String(reply.getHeader('content-type')),
  isAboutSchema:
    answer.length >= LEAST_KEPT &&
    document.definitions.every((each) => each.kind !== Kind.OPERATION_DEFINITION || isAboutSchema(each)),
});

const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** The body of a request to which no rule of HTTP applies but that of its Accept header; otherwise null. */
function plainly({ method, headers, body }: FastifyRequest): Sent | null {
  if (method !== 'POST' || !JSON_TYPE.test(headers['content-type'] ?? '')) return null;
  const { query, operationName, variables, extensions } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const isPlain =
    typeof query === 'string' &&
    query !== '' &&
    extensions == null &&
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || (typeof variables === 'object' && !Array.isArray(variables)));
  return isPlain ? (body as Sent) : null;
}
