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
const SEEN_FIELD = 'seen';
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

/** The input types and routes that take what was seen. */
function actsOf(schema, { paths, components: { schemas } }) {
  const inputs = Object.values(schema.getTypeMap()).filter(
    (type) => type.astNode?.kind === 'InputObjectTypeDefinition' && SEEN_FIELD in type.getFields(),
  );
  const bodyOf = ({ requestBody }) => requestBody?.content['application/json'].schema.$ref?.split('/').at(-1);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => SEEN_FIELD in (schemas[bodyOf(operation)]?.properties ?? {}))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const names = [...inputs.map(({ name }) => name), ...routes];
  return `export const ACTS: ReadonlySet<string> = new Set(${JSON.stringify(names)});\n`;
}

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

const VERIFIER = 'src/fairness/library.ts';
/** The types of what the client uses of the verifier. */
const VERIFIER_TYPES = `export interface Finding {
  readonly check: string;
  /** Null if not checked; \`detail\` says why. */
  readonly ok: boolean | null;
  /** Only with null: set if it could be checked later, or with more input. */
  readonly isOpen?: true;
  /** What was found, in words for people. */
  readonly detail: string;
}
type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };
export interface VerifierKey {
  readonly name: string;
}
export interface Signed {
  readonly written: string;
  readonly verdict: object;
}
export function sha256(bytes: Uint8Array): Uint8Array;
export function isEd25519(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean;
export function parseStrict(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: { readonly message: string } };
export function parseVerifierKey(written: string): Reading<VerifierKey>;
export function verifyNote(written: string, keys: readonly VerifierKey[]): Promise<object>;
export function verify(
  record: unknown,
  shown: { readonly player?: string; readonly receipts?: readonly Signed[]; readonly proofs?: readonly Signed[] },
): readonly Finding[];
export function verifyReceipts(receipts: readonly Signed[], proofs: readonly Signed[]): readonly Finding[];
`;

/** The verifier as one file, for browsers as well. */
async function verifierOf() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [inRoot(VERIFIER)],
    ...{ bundle: true, format: 'esm', platform: 'browser', target: 'es2022', minify: true, write: false },
    logLevel: 'error',
  });
  return { 'verify.js': outputFiles[0].text, 'verify.d.ts': VERIFIER_TYPES };
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
    'acts.ts': actsOf(schema, openApi),
    ...(await verifierOf()),
  };
  mkdirSync(inRoot(folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(inRoot(folder, name), text);
}
