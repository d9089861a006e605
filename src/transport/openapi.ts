import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { referencedModels } from '../platform/model.js';
import { Problem } from '../platform/problem.js';

/** The reference of the REST side. */
export function openApi(app: NestFastifyApplication): OpenAPIObject {
  const description = [
    'Correspondence play of chess-like games: a move at a time, every ply kept, fairness proven afterwards.',
    'Errors are problem details (RFC 9457) with a stable `code`.',
  ].join(' ');
  const head = new DocumentBuilder()
    .setTitle('Halfmove')
    .setDescription(description)
    .setVersion('1')
    .addBearerAuth()
    .addGlobalResponse({
      status: 'default',
      description: 'Why it was refused.',
      content: { 'application/problem+json': { schema: { $ref: getSchemaPath(Problem) } } },
    })
    .build();
  return SwaggerModule.createDocument(app, head, {
    extraModels: [Problem, ...(referencedModels() as (new () => unknown)[])],
  });
}

export const mountDocs = (app: NestFastifyApplication): void =>
  SwaggerModule.setup('docs', app, () => openApi(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
    customSiteTitle: 'Halfmove REST',
  });
