import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { isAmong, PUBLIC, tagOf } from '../platform/tagged.js';
import { openApi } from './openapi.js';

/** What programs read to learn the API, at addresses that each server has. */

export const OPENAPI_PATH = '/openapi.json';
export const SCHEMA_PATH = '/schema.graphql';

/** As RFC 8631 links to them. */
export const LINKS = [
  `<${OPENAPI_PATH}>; rel="service-desc"; type="application/json"`,
  `<${SCHEMA_PATH}>; rel="service-desc"; type="application/graphql"`,
  '</docs>; rel="service-doc"; type="text/html"',
].join(', ');

/** The schema of GraphQL, by name. */
export const schemaText = (app: NestFastifyApplication): string =>
  `${printSchema(lexicographicSortSchema(app.get(GraphQLSchemaHost).schema))}\n`;

export function mountContracts(app: NestFastifyApplication): void {
  mount(app, OPENAPI_PATH, 'application/json; charset=utf-8', () => JSON.stringify(openApi(app)));
  mount(app, SCHEMA_PATH, 'application/graphql; charset=utf-8', () => schemaText(app));
}

/** A text that is made when somebody asks for it first. */
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
