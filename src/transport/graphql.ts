import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import type { Config } from '../config.js';
import { DomainError } from '../platform/errors.js';
import { formatError } from '../platform/graphql/format.js';
import { tooMuch } from '../platform/graphql/limits.js';
import { DateTimeScalar } from '../platform/graphql/scalars.js';

export const GRAPHQL_PATH = '/graphql';

/** Refuses an operation that asks for too much, before any of it is resolved. */
const limits = (config: Config): ApolloServerPlugin => ({
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ schema, document, operationName, request }) => {
        const fault = tooMuch(schema, document, operationName, request.variables, config);
        if (fault !== null) throw tooCostly(fault);
        return Promise.resolve();
      },
    }),
});

/** With its status: what stops an operation here is answered with 500 otherwise. */
function tooCostly(fault: string): GraphQLError {
  const error = new DomainError('QUERY_TOO_COSTLY', `This operation is too large: ${fault}.`);
  return new GraphQLError(error.message, {
    originalError: error,
    extensions: { http: { status: error.status } },
  });
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
