import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { withDirectives } from '../platform/graphql/nullable-roots.js';

/** The links to the machine-readable descriptions of the API, as in RFC 8631. */
export const LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</schema.graphql>; rel="service-desc"; type="application/graphql"',
  '</docs>; rel="service-doc"; type="text/html"',
].join(', ');

/** The GraphQL schema, sorted by name. */
export function schemaText(app: NestFastifyApplication): string {
  const { schema } = app.get(GraphQLSchemaHost);
  return `${withDirectives(printSchema(lexicographicSortSchema(schema)), schema)}\n`;
}
