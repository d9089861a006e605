import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

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
    .build();
  return SwaggerModule.createDocument(app, head);
}

export const mountDocs = (app: NestFastifyApplication): void =>
  SwaggerModule.setup('docs', app, () => openApi(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
    customSiteTitle: 'Halfmove REST',
  });
