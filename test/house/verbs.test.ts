import { capitalized } from '../../src/rules/capitalized.js';
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNullableType,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  isNonNullType,
} from 'graphql';
import { COMMON_CODES } from '../../src/platform/errors/common-codes.js';
import { codesIn, demandNamedInGraphql, demandNamedInRest, namedInGraphql } from '../support/named-codes.js';

/** Every mutation has one input and one payload, named after it, with the same payload over GraphQL and REST. */

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const openapi = JSON.parse(readFileSync('openapi.json', 'utf8'));
const mutations = Object.values(schema.getMutationType()!.getFields());

/** Routes whose form a standard gives, for REST alone. */
const OF_OAUTH = ['clientToken'];
/** GraphQL has no empty input. */
const TAKE_NOTHING = ['createStreamTicket', 'logout'];

test.each(mutations.map((field) => [field.name, field] as const))('%s', (name, { args, type }) => {
  const input = TAKE_NOTHING.includes(name) ? [] : [`input: ${capitalized(name)}Input!`];
  expect(args.map((arg) => `${arg.name}: ${String(arg.type)}`)).toEqual(input);
  expect(String(type)).toBe(`${capitalized(name)}Payload`);
});

/** The root fields that are also null without an error. */
const NULL_IF_UNKNOWN = ['challenge', 'game', 'importedGame', 'node', 'ruleset', 'user'];

test('each field of queries and mutations can be null, and says whether only with an error', () => {
  const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((root) =>
    Object.values(root.getFields()),
  );
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  const isMarked = ({ astNode }: (typeof fields)[number]) =>
    astNode!.directives!.some(({ name }) => name.value === 'semanticNonNull');
  expect(fields.filter((field) => !isMarked(field)).map(({ name }) => name)).toEqual(NULL_IF_UNKNOWN);
  for (const { name, type } of Object.values(schema.getSubscriptionType()!.getFields())) {
    expect([name, isNonNullType(type)]).toEqual([name, true]);
  }
});

interface Route {
  readonly status: string;
  readonly payload: string;
  readonly headers: readonly string[];
  readonly codes: readonly string[];
}

/** By the name of the corresponding mutation. */
const routes = new Map<string, Route>(
  Object.values<Record<string, never>>(openapi.paths)
    .flatMap((methods) => Object.entries<any>(methods)) // eslint-disable-line @typescript-eslint/no-explicit-any
    .filter(([method]) => method !== 'get')
    .map(([, { operationId, parameters = [], responses }]) => {
      const [status, answer] = Object.entries<any>(responses)[0]!; // eslint-disable-line @typescript-eslint/no-explicit-any
      return [
        operationId,
        {
          status,
          payload: answer.content['application/json'].schema.$ref.split('/').at(-1),
          headers: parameters.flatMap((each: any) => (each.in === 'header' ? [each.name] : [])), // eslint-disable-line @typescript-eslint/no-explicit-any
          codes: Object.values<any>(responses).flatMap(codesIn), // eslint-disable-line @typescript-eslint/no-explicit-any
        },
      ];
    }),
);

test('each mutation has its route, and each modifying route its mutation', () => {
  const queries = schema.getQueryType()!.getFields();
  const readings = [...routes.keys()].filter((name) => name in queries);
  expect(readings).toEqual(['analyse']);
  const changing = [...routes.keys()].filter((name) => ![...readings, ...OF_OAUTH].includes(name));
  expect(changing.sort()).toEqual(mutations.map(({ name }) => name).sort());
});

test.each(mutations.map(({ name }) => [name]))('%s has the same payload over both', (name) => {
  const { payload, status } = routes.get(name)!;
  expect(payload).toBe(`${capitalized(name)}Payload`);
  expect(['200', '201', '202']).toContain(status);
  const parts = Object.keys((schema.getType(payload) as GraphQLObjectType).getFields());
  expect(Object.keys(openapi.components.schemas[payload].properties).sort()).toEqual(parts.sort());
});

const isCommon = (code: string): boolean => COMMON_CODES.graphql.some((each) => each === code);

test.each(mutations.map((field) => [field.name, field] as const))(
  '%s lists the same errors over both, including those of its input',
  (name, { args }) => {
    const named = namedInGraphql(name);
    const { codes, headers } = routes.get(name)!;
    expect([...new Set(codes)].filter((code) => !isCommon(code)).sort()).toEqual([...named].sort());
    const takes = args.flatMap(({ type }) =>
      Object.keys((getNullableType(type) as GraphQLInputObjectType).getFields()),
    );
    const takesKey = takes.includes('idempotencyKey');
    expect([named.includes('IDEMPOTENCY_KEY_REUSED'), headers.includes('Idempotency-Key')]).toEqual([
      takesKey,
      takesKey,
    ]);
    if (takes.includes('version')) expect(named).toContain('STALE_VERSION');
  },
);

test('common errors are listed once', () => {
  const { description } = schema.getType('ErrorCode')!;
  for (const code of COMMON_CODES.graphql) expect(description).toContain(code);
  expect(mutations.flatMap(({ name }) => namedInGraphql(name)).filter(isCommon)).toEqual([]);
});

test('notices what is not listed', () => {
  const document = 'mutation ($input: ResignInput!) { resign(input: $input) { game { id } } }';
  const inGraphql = (code: string) => () => demandNamedInGraphql(document, ['resign'], code);
  const inRest = (status: number, code: string) => () =>
    demandNamedInRest('post', '/v1/games/an-id/resign', status, code);
  for (const named of [
    inGraphql('GAME_OVER'),
    inGraphql('INTERNAL'),
    inRest(409, 'GAME_OVER'),
    inRest(500, 'INTERNAL'),
  ])
    expect(named).not.toThrow();
  for (const unnamed of [inGraphql('MUTED'), inRest(403, 'MUTED'), inRest(404, 'GAME_OVER')])
    expect(unnamed).toThrow(/names no/);
});

test('a thing has one name in both, and no schema is called a document', () => {
  const names = Object.keys(openapi.components.schemas);
  expect(names.filter((name) => name.endsWith('Document'))).toEqual([]);
  for (const name of ['Game', 'ImportedGame', 'HeadToHead', 'Change', 'ExplainedErrorCode']) {
    expect([name, names.includes(name), schema.getType(name) !== undefined]).toEqual([name, true, true]);
  }
});
