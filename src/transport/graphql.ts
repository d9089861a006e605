import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Config } from '../config.js';
import { guardFields } from '../features/auth/guarded-fields.js';
import type { DomainError, ShownCost } from '../platform/errors.js';
import { formatError } from '../platform/graphql/format.js';
import { measure, tooCostly } from '../platform/graphql/limits.js';
import { DateTimeScalar } from '../platform/graphql/scalars.js';

export const GRAPHQL_PATH = '/graphql';

/** Refuses an operation that asks for too much, before any of it is resolved, and shows with each answer what it cost. */
const limits = (config: Config): ApolloServerPlugin => ({
  requestDidStart: () => {
    let cost: ShownCost | undefined;
    return Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request }) => {
        // A document with another name than the one asked for is refused right after this.
        if (operation === undefined) return Promise.resolve();
        const measured = measure(schema, document, operation, request.variables, config);
        cost = measured.cost;
        if (measured.fault !== null) throw withStatus(tooCostly(measured.fault, cost));
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

/** What stops an operation here is answered with 500 otherwise. */
const withStatus = (error: DomainError): GraphQLError =>
  new GraphQLError(error.message, {
    originalError: error,
    extensions: { http: { status: error.status } },
  });

/** What the three roots are; Nest makes them without a word. */
const ROOTS: Readonly<Record<string, string>> = {
  Query: 'Everything that can be read. Nothing here changes anything.',
  Mutation: 'Everything that can be done.',
  Subscription: 'Everything that can be watched, over graphql-ws.',
};

function describeRoots(schema: GraphQLSchema): void {
  for (const [name, description] of Object.entries(ROOTS)) schema.getType(name)!.description = description;
}

function finished(schema: GraphQLSchema): GraphQLSchema {
  describeRoots(schema);
  guardFields(schema);
  return schema;
}

/**
 * GraphQL over HTTP. The module's own subscriptions stay off: a reset upgrade ends the process, and they skip the
 * limits; ours are mounted in sockets.ts.
 */
export const graphqlModule = (config: Config) =>
  GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    path: GRAPHQL_PATH,
    autoSchemaFile: true,
    sortSchema: true,
    transformSchema: finished,
    buildSchemaOptions: { scalarsMap: [{ type: Date, scalar: DateTimeScalar }] },
    graphiql: false,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    autoTransformHttpErrors: false,
    parseOptions: { maxTokens: config.maxQueryTokens },
    // A fresh object for each request: nothing is shared between two of them.
    context: (req: FastifyRequest) => ({ req }),
    formatError,
    plugins: [limits(config)],
  });
