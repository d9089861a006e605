import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { IMPORTS_PATH, RAW_TYPES } from '../features/imports/raw-texts.js';
import { referencedModels } from '../platform/model.js';
import { Problem } from '../platform/problem.js';

type PathItem = OpenAPIObject['paths'][string];

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
  const document = SwaggerModule.createDocument(app, head, {
    extraModels: [Problem, ...(referencedModels() as (new () => unknown)[])],
  });
  return {
    ...document,
    paths: mapOf(document.paths, (item, path) => withRawTexts(withPlaceholders(item, path), path)),
  };
}

/** Decorators know one type of a body alone. */
function withRawTexts(operations: PathItem, path: string): PathItem {
  const { post } = operations;
  if (path !== IMPORTS_PATH || post?.requestBody === undefined || !('content' in post.requestBody))
    return operations;
  const raw = Object.fromEntries(RAW_TYPES.map((type) => [type, { schema: { type: 'string' as const } }]));
  const requestBody = { ...post.requestBody, content: { ...post.requestBody.content, ...raw } };
  return { ...operations, post: { ...post, requestBody } };
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Declares each placeholder of an address that no decorator has declared: the classes of paths are none of the models. */
function withPlaceholders(operations: PathItem, path: string): PathItem {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const declared = METHODS.flatMap((method) => {
    const operation = operations[method];
    if (operation === undefined) return [];
    const known = operation.parameters ?? [];
    const missing = names.filter((name) => !known.some((other) => 'in' in other && other.name === name));
    return [[method, { ...operation, parameters: [...missing.map(placeholder), ...known] }] as const];
  });
  return { ...operations, ...Object.fromEntries(declared) };
}

const placeholder = (name: string) => ({
  name,
  in: 'path' as const,
  required: true,
  schema: name === 'id' ? { type: 'string' as const, format: 'uuid' } : { type: 'string' as const },
});

const mapOf = <T>(map: Readonly<Record<string, T>>, change: (value: T, key: string) => T) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));

export const mountDocs = (app: NestFastifyApplication): void =>
  SwaggerModule.setup('docs', app, () => openApi(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
    customSiteTitle: 'Halfmove REST',
  });
