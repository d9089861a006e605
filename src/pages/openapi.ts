import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { IMPORTS_PATH, RAW_TYPES } from '../features/imports/raw-texts.js';
import {
  placeholderOf,
  withDescription,
  withDescriptionOf,
  type Response,
  type Schema,
} from './descriptions.js';
import { CHOICE, referencedModels } from '../platform/contract/model.js';
import { COMMON_REFUSALS, withRefusals } from './refusals.js';
import { modern } from './schemas.js';
import { Problem } from '../platform/http/problem.js';
import { SCOPES } from '../platform/contract/scopes.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Marked = Schema & { readonly [CHOICE]?: true };

/** The scopes as text, as OpenAPI has a field for scopes only with OAuth. */
const SCOPES_TEXT = [
  'An access token. The token of a session has all scopes; each operation names those that it needs.',
  '',
  ...Object.entries(SCOPES).map(([scope, description]) => `- \`${scope}\`: ${description}`),
].join('\n');

const TICKET_TEXT = 'A ticket of `createStreamTicket`, for one event stream.';

/** The OpenAPI document of the REST API. */
export function openApi(app: NestFastifyApplication): OpenAPIObject {
  const description = [
    'Correspondence play of games like chess: every ply is kept, and the fairness of each game can be verified.',
    'Errors are problem details (RFC 9457) with a stable `code`. Each operation lists its own codes by status; the response',
    '`Refused` lists those of all operations.',
  ].join(' ');
  const head = new DocumentBuilder()
    .setTitle('Halfmove')
    .setDescription(description)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addBearerAuth({ type: 'http', description: SCOPES_TEXT })
    .addApiKey({ type: 'apiKey', in: 'query', name: 'ticket', description: TICKET_TEXT }, 'ticket')
    .build();
  const document = SwaggerModule.createDocument(app, head, {
    extraModels: [Problem, ...(referencedModels() as (new () => unknown)[])],
  });
  const described = withDescriptionOf(app.get(GraphQLSchemaHost).schema);
  const schemas = mapOf(document.components?.schemas ?? {}, (schema, name) =>
    withChoice(described(schema, name)),
  );
  const paths = mapOf(document.paths, (item, path) =>
    mapOperations(
      withSecurity(withRawTexts(withPlaceholders(withAnswers(item, schemas), path), path)),
      withRefusals,
    ),
  );
  const components = { ...document.components, schemas, responses: COMMON_REFUSALS };
  return asInGraphql(withoutOrphans(modern({ ...document, components, paths })));
}

/** Removes schemas that only GraphQL uses. */
function withoutOrphans(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {}, ...components } = document.components ?? {};
  const text = JSON.stringify(document);
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"${getSchemaPath(name)}"`));
  return { ...document, components: { ...components, schemas: Object.fromEntries(used) } };
}

/** Gives what REST shows whole the name of the GraphQL type, whose own class is an orphan here. */
const asInGraphql = (document: OpenAPIObject): OpenAPIObject =>
  JSON.parse(
    JSON.stringify(document).replace(/"((?:#\/components\/schemas\/)?[A-Z]\w*)Document"/g, '"$1"'),
  ) as OpenAPIObject;

/** Replaces an input with exactly one field by its alternatives. */
function withChoice(schema: Schema): Schema {
  if ('$ref' in schema) return schema;
  const { properties = {}, ...more } = schema;
  const forms = Object.entries(properties).filter(([, property]) => CHOICE in property);
  if (forms.length === 0) return schema;
  const oneOf = forms.map(([name, { [CHOICE]: _, ...property }]: [string, Marked]) => ({
    ...{ type: 'object', title: name, properties: { [name]: property } },
    ...{ required: [name], additionalProperties: false },
  }));
  const { description } = more;
  return { ...(description === undefined ? {} : { description }), oneOf };
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Marks operations that need no token. */
const withSecurity = (operations: PathItem): PathItem =>
  mapOperations(operations, (operation) => ({ security: [], ...operation }));

/** Adds the raw media types of imports: decorators declare only one type of body. */
function withRawTexts(operations: PathItem, path: string): PathItem {
  const { post } = operations;
  if (path !== IMPORTS_PATH || post?.requestBody === undefined || !('content' in post.requestBody))
    return operations;
  const raw = Object.fromEntries(RAW_TYPES.map((type) => [type, { schema: { type: 'string' as const } }]));
  const requestBody = { ...post.requestBody, content: { ...post.requestBody.content, ...raw } };
  return { ...operations, post: { ...post, requestBody } };
}

const withAnswers = (operations: PathItem, schemas: Readonly<Record<string, Schema>>): PathItem =>
  mapOperations(operations, ({ responses, ...operation }) => ({
    ...operation,
    responses: mapOf(responses as Readonly<Record<string, Response>>, (answer) =>
      withDescription(answer, schemas),
    ),
  }));

/** Declares path parameters that no decorator has declared: the classes of paths are not models. */
function withPlaceholders(operations: PathItem, path: string): PathItem {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return mapOperations(operations, (operation) => {
    const known = operation.parameters ?? [];
    const missing = names.filter((name) => !known.some((other) => 'in' in other && other.name === name));
    const parameters = [...missing.map(placeholder), ...known].map((parameter) =>
      'in' in parameter && parameter.in === 'path'
        ? { ...placeholderOf(path, parameter.name), ...parameter }
        : parameter,
    );
    return { ...operation, parameters };
  });
}

function mapOperations(operations: PathItem, change: (operation: Operation) => Operation): PathItem {
  const changed = METHODS.flatMap((method) => {
    const operation = operations[method];
    return operation === undefined ? [] : [[method, change(operation)] as const];
  });
  return { ...operations, ...Object.fromEntries(changed) };
}

const placeholder = (name: string) => ({
  name,
  in: 'path' as const,
  required: true,
  schema: name === 'id' ? { type: 'string' as const, format: 'uuid' } : { type: 'string' as const },
});

const mapOf = <T>(map: Readonly<Record<string, T>>, change: (value: T, key: string) => T) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
