import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Config } from '../config.js';
import { guardFields } from '../features/auth/guarded-fields.js';
import type { DomainError, ShownCost } from '../platform/errors/errors.js';
import { markSecrets } from './compression.js';
import { GRAPHQL_PATH } from './graphql-path.js';
import { admit } from './turn-taking.js';
import { formatError } from '../platform/graphql/format.js';
import { makeRootsNullable, SEMANTIC_NON_NULL } from '../platform/graphql/nullable-roots.js';
import { measure, tooCostly } from '../platform/graphql/limits.js';
import { DateTimeScalar } from '../platform/contract/scalars.js';

/** The requests of errors: Apollo formats an error without its context. */
const requestIds = new WeakMap<object, string>();

/** Refuses an operation that exceeds a limit before it is executed, and adds the cost to each answer. */
const limits = (config: Config): ApolloServerPlugin<{ readonly req: FastifyRequest }> => ({
  requestDidStart: () => {
    let cost: ShownCost | undefined;
    return Promise.resolve({
      didResolveOperation: async ({ schema, document, operation, request, contextValue: { req } }) => {
        // Apollo refuses an unknown operation name right after this.
        if (operation === undefined) return;
        const measured = measure(schema, document, operation, request.variables, config);
        cost = measured.cost;
        if (measured.fault !== null) throw withStatus(tooCostly(measured.fault, cost));
        await admit(req, measured).catch((error: DomainError) => {
          throw withStatus(error);
        });
      },
      didEncounterErrors: ({ errors, contextValue: { req } }) => {
        for (const error of errors) requestIds.set(error, req.id);
        return Promise.resolve();
      },
      willSendResponse: ({ response: { body } }) => {
        if (cost !== undefined && body.kind === 'single') {
          body.singleResult.extensions = { ...body.singleResult.extensions, cost };
        }
        return Promise.resolve();
      },
    });
  },
});

/** Apollo would answer an error thrown here with 500. */
const withStatus = (error: DomainError): GraphQLError =>
  new GraphQLError(error.message, {
    originalError: error,
    extensions: { http: { status: error.status } },
  });

/** Descriptions of the three roots, for which Nest has no option. */
const ROOTS: Readonly<Record<string, string>> = {
  Query: 'The operations that only read. A field that has an error is null, and the others are answered.',
  Mutation:
    'The operations that change something. Those of one document are carried out one after the other, and are ' +
    'independent: one that has an error is null, and neither undoes those before it nor stops those behind it.',
  Subscription:
    'The streams to subscribe to, over graphql-ws. A subscription ends with its first error. When the access token of a ' +
    'socket expires, the socket closes with 4403: refresh the token and subscribe again.',
};

function describeRoots(schema: GraphQLSchema): void {
  for (const [name, description] of Object.entries(ROOTS)) schema.getType(name)!.description = description;
}

function finished(schema: GraphQLSchema): GraphQLSchema {
  describeRoots(schema);
  makeRootsNullable(schema);
  guardFields(schema);
  markSecrets(schema);
  return schema;
}

/**
 * GraphQL over HTTP. The subscriptions of the module stay off, because a reset upgrade would end the process and they
 * bypass the limits; sockets.ts has ours.
 */
export const graphqlModule = (config: Config) =>
  GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    path: GRAPHQL_PATH,
    autoSchemaFile: true,
    sortSchema: true,
    transformSchema: finished,
    buildSchemaOptions: {
      scalarsMap: [{ type: Date, scalar: DateTimeScalar }],
      directives: [SEMANTIC_NON_NULL],
    },
    graphiql: false,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    autoTransformHttpErrors: false,
    // There are no cookies, so a page of another origin can only ask what everybody may know.
    csrfPrevention: false,
    parseOptions: { maxTokens: config.maxQueryTokens },
    // A new object for each request, so that requests share nothing.
    context: (req: FastifyRequest) => ({ req }),
    formatError: (formatted, thrown) =>
      formatError(formatted, thrown, requestIds.get(thrown as object) ?? null),
    // Every answer has `no-store`; Apollo's cache hints would intercept each field to find out.
    plugins: [limits(config), ApolloServerPluginCacheControlDisabled()],
  });
