import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { codegen } from '@graphql-codegen/core';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import {
  buildSchema,
  isAbstractType,
  isObjectType,
  Kind,
  parse,
  print,
  separateOperations,
  Source,
  stripIgnoredCharacters,
  validate,
  visit,
} from 'graphql';
import openapiTS, { astToString } from 'openapi-typescript';
import { UserError, inRoot } from './support.mjs';

/**
 * Generates packages/client/src/generated from schema.graphql, openapi.json and operations.graphql: the types of both
 * transports, a typed document for each operation, the inputs and routes that take an idempotency key, and what the
 * settings for other clients say of the schema.
 */

const OPERATIONS = 'packages/client/src/operations.graphql';
const KEY_FIELD = 'idempotencyKey';
const KEY_HEADER = 'Idempotency-Key';
/** The scalars of the schema in TypeScript, besides those of GraphQL. */
const SCALARS = { DateTime: 'string', JSON: 'unknown', URL: 'string' };
/** Types that only hold others, by their names. */
const HOLDERS = /(Connection|Edge|PageInfo|Payload)$/;

const read = (path) => readFileSync(inRoot(path), 'utf8');
const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);

function operationsFor(schema) {
  const operations = parse(new Source(read(OPERATIONS), OPERATIONS));
  const faults = validate(schema, operations);
  if (faults.length > 0) throw new UserError(faults.map(String).join('\n\n'));
  return operations;
}

/** The schema as the client has it, which throws errors: what is null only with an error is never null. */
const thrown = (schemaText) =>
  visit(parse(schemaText), {
    FieldDefinition: ({ directives, type, ...field }) =>
      directives.some(({ name }) => name.value === 'semanticNonNull')
        ? { ...field, type: { kind: Kind.NON_NULL_TYPE, type } }
        : false,
  });

const typesOf = (schemaText, operations) =>
  codegen({
    schema: thrown(schemaText),
    documents: [{ location: OPERATIONS, document: operations }],
    filename: 'graphql.ts',
    config: {},
    pluginMap: { operationTypes },
    plugins: [
      {
        operationTypes: {
          enumType: 'string-literal',
          immutableTypes: true,
          skipTypename: true,
          scalars: SCALARS,
          strictScalars: true,
        },
      },
    ],
  });

/** Each operation with its fragments as a string, typed by its data and its variables. */
function documentsOf(operations) {
  const lines = Object.entries(separateOperations(operations)).map(([name, document]) => {
    const kind = document.definitions.find(({ operation }) => operation !== undefined).operation;
    const type = `types.${capital(name)}${capital(kind)}`;
    const text = JSON.stringify(stripIgnoredCharacters(print(document)));
    return `export const ${name} = ${text} as unknown as TypedDocument<${type}, ${type}Variables>;`;
  });
  return `import type * as types from './graphql.js';
import type { TypedDocument } from '../graphql.js';

${lines.join('\n')}
`;
}

const restTypesOf = async (openApi) => astToString(await openapiTS(openApi));

function keyedOf(schema, { paths }) {
  const inputs = Object.values(schema.getTypeMap())
    .filter((type) => type.astNode?.kind === 'InputObjectTypeDefinition' && KEY_FIELD in type.getFields())
    .map(({ name }) => name);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === KEY_HEADER))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  return `export const KEYED_INPUTS: ReadonlySet<string> = new Set(${JSON.stringify(inputs)});
export const KEYED_ROUTES: ReadonlySet<string> = new Set(${JSON.stringify(routes)});
`;
}

function schemaFactsOf(schema) {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const holders = types.filter((type) => isObjectType(type) && HOLDERS.test(type.name));
  const possible = types
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]);
  return `export const HOLDERS: readonly string[] = ${JSON.stringify(holders.map(({ name }) => name))};
export const POSSIBLE_TYPES = ${JSON.stringify(Object.fromEntries(possible))};
export const SCALARS = ${JSON.stringify(SCALARS)};
`;
}

export async function makeClientTypes(folder) {
  const schemaText = read('schema.graphql');
  const schema = buildSchema(schemaText);
  const openApi = JSON.parse(read('openapi.json'));
  const operations = operationsFor(schema);
  const files = {
    'graphql.ts': await typesOf(schemaText, operations),
    'operations.ts': documentsOf(operations),
    'rest.ts': await restTypesOf(openApi),
    'schema.ts': schemaFactsOf(schema),
    'keyed.ts': keyedOf(schema, openApi),
  };
  mkdirSync(inRoot(folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(inRoot(folder, name), text);
}
