import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Ajv, type AnySchemaObject } from 'ajv';
import { openApi } from '../../src/pages/openapi.js';

/** The OpenAPI document, changed so that no schema allows additional fields. */
export const strictOpenApi = (app: NestFastifyApplication): AnySchemaObject =>
  JSON.parse(JSON.stringify(openApi(app)), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
    return { additionalProperties: false, ...value };
  }) as AnySchemaObject;

/**
 * Validates every JSON answer of the REST API against openapi.json, with no additional fields, because one
 * could reveal hidden information. Adds each violation to the returned list.
 */
export function validateAnswers(app: NestFastifyApplication): string[] {
  const broken: string[] = [];
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onReady', (done) => {
    ajv.addSchema(strictOpenApi(app), 'openapi');
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { method, routeOptions } = request;
    const type = String(reply.getHeader('content-type'));
    if (
      routeOptions.url?.startsWith('/v1/') &&
      type.startsWith('application/json') &&
      typeof payload === 'string'
    ) {
      const path = routeOptions.url.replace(/:(\w+)/g, '%7B$1%7D').replaceAll('/', '~1');
      const place = `${path}/${method.toLowerCase()}/responses/${reply.statusCode}/content/application~1json/schema`;
      const validate = ajv.getSchema(`openapi#/paths/${place}`);
      if (validate === undefined)
        broken.push(`${method} ${routeOptions.url}: ${reply.statusCode} is not documented`);
      else if (!validate(JSON.parse(payload))) {
        broken.push(`${method} ${routeOptions.url}: ${ajv.errorsText(validate.errors)}`);
      }
    }
    done(null, payload);
  });
  return broken;
}
