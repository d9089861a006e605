import { readFileSync } from 'node:fs';
import { buildSchema, getOperationAST, Kind, OperationTypeNode, parse } from 'graphql';
import { COMMON_CODES } from '../../src/platform/errors/common-codes.js';

/** Every refusal is one that the published contract names for what was asked: any test that meets another one fails. */

interface Problem {
  readonly allOf: readonly [
    unknown,
    { readonly properties: { readonly code: { readonly enum: readonly string[] } } },
  ];
}
interface Refusals {
  readonly content: {
    readonly 'application/problem+json'?: { readonly schema: Problem };
    /** Of a route whose standard names this type for errors too. */
    readonly 'application/json'?: { readonly schema: Partial<Problem> };
  };
}
type Responses = Readonly<Record<string, Refusals | undefined>>;

const openapi = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: { readonly responses: Responses };
};

/** Those of a response; none where it is no refusal, or that of any operation. */
export const codesIn = ({ content }: Partial<Refusals>): readonly string[] =>
  (content?.['application/problem+json'] ?? content?.['application/json'])?.schema.allOf?.[1].properties.code
    .enum ?? [];

const ANY_IN_REST = codesIn(openapi.components.responses['Refused']!);

/** Those without placeholders first. */
const ROUTES = Object.entries(openapi.paths)
  .map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    path,
    methods,
  }))
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

/** What a method of an address may be refused with in an answer of this status; null where there is no such route. */
function namedInRest(method: string, address: string, status: number): readonly string[] | null {
  const path = address.replace(/\?.*/, '');
  const operation = ROUTES.find(({ pattern, methods }) => pattern.test(path) && method in methods)?.methods[
    method
  ];
  if (operation === undefined) return null;
  return [...ANY_IN_REST, ...codesIn(operation.responses[status] ?? {})];
}

/** Throws where the OpenAPI document does not name the code of a refusal. */
export function demandNamedInRest(method: string, address: string, status: number, code: string): void {
  const named = namedInRest(method, address, status);
  if (named === null || named.includes(code)) return;
  throw new Error(`openapi.json names no ${code} with ${status} for ${method} ${address}`);
}

const mutations = buildSchema(readFileSync('schema.graphql', 'utf8')).getMutationType()!.getFields();

/** The codes that the description of a mutation names. */
export const namedInGraphql = (mutation: string): readonly string[] =>
  /^Errors: (.+)\.$/m.exec(mutations[mutation]!.description ?? '')?.[1]?.split(', ') ?? [];

/** Throws where the schema names a refusal of a mutation nowhere. What is read of its payload is a matter of its own. */
export function demandNamedInGraphql(document: string, path: readonly unknown[], code: string): void {
  if (path.length > 1 || COMMON_CODES.graphql.some((each) => each === code)) return;
  const mutation = mutationIn(document);
  if (mutation === null || namedInGraphql(mutation).includes(code)) return;
  throw new Error(`schema.graphql names no ${code} for ${mutation}`);
}

function mutationIn(document: string): string | null {
  const operation = getOperationAST(parse(document, { noLocation: true }));
  const [field] =
    operation?.operation === OperationTypeNode.MUTATION ? operation.selectionSet.selections : [];
  return field?.kind === Kind.FIELD ? field.name.value : null;
}
