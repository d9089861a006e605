import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { isAmong, PUBLIC, tagOf } from '../platform/http/etag.js';
import { openApi } from './openapi.js';

/** Serves the machine-readable descriptions of the API. */

export const OPENAPI_PATH = '/openapi.json';
export const SCHEMA_PATH = '/schema.graphql';

/** The links to them, as in RFC 8631. */
export const LINKS = [
  `<${OPENAPI_PATH}>; rel="service-desc"; type="application/json"`,
  `<${SCHEMA_PATH}>; rel="service-desc"; type="application/graphql"`,
  '</docs>; rel="service-doc"; type="text/html"',
].join(', ');

/** The GraphQL schema, sorted by name. */
export const schemaText = (app: NestFastifyApplication): string =>
  `${printSchema(lexicographicSortSchema(app.get(GraphQLSchemaHost).schema))}\n`;

export function mountContracts(app: NestFastifyApplication): void {
  mount(app, OPENAPI_PATH, 'application/json; charset=utf-8', () => JSON.stringify(openApi(app)));
  mount(app, SCHEMA_PATH, 'application/graphql; charset=utf-8', () => schemaText(app));
}

/** Serves a text that is made on the first request. */
function mount(app: NestFastifyApplication, path: string, type: string, make: () => string): void {
  let made: { readonly text: string; readonly tag: string } | undefined;
  app
    .getHttpAdapter()
    .getInstance()
    .get(path, ({ headers }, reply) => {
      const text = made?.text ?? make();
      made ??= { text, tag: tagOf([text]) };
      void reply.headers({ etag: made.tag, 'cache-control': PUBLIC });
      if (isAmong(made.tag, headers['if-none-match'])) return reply.code(304).send();
      return reply.type(type).send(text);
    });
}
