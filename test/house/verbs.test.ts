import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { capitalized } from '../../src/platform/verb.js';

/** Every verb has one input and one payload, named after it, and the payload is the same over GraphQL and REST. */

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const openapi = JSON.parse(readFileSync('openapi.json', 'utf8'));
const mutations = Object.values(schema.getMutationType()!.getFields());

/** GraphQL has no empty input. */
const TAKE_NOTHING = ['logout', 'logoutEverywhere'];

test.each(mutations.map((field) => [field.name, field] as const))('%s', (name, { args, type }) => {
  const input = TAKE_NOTHING.includes(name) ? [] : [`input: ${capitalized(name)}Input!`];
  expect(args.map((arg) => `${arg.name}: ${String(arg.type)}`)).toEqual(input);
  expect(String(type)).toBe(`${capitalized(name)}Payload!`);
});

/** By the name of the mutation that does the same. */
const routes = new Map<string, { readonly status: string; readonly payload: string }>(
  Object.values<Record<string, never>>(openapi.paths)
    .flatMap((methods) => Object.entries<any>(methods)) // eslint-disable-line @typescript-eslint/no-explicit-any
    .filter(([method]) => method !== 'get')
    .map(([, { operationId, responses }]) => {
      const [status, answer] = Object.entries<any>(responses)[0]!; // eslint-disable-line @typescript-eslint/no-explicit-any
      return [
        operationId,
        { status, payload: answer.content['application/json'].schema.$ref.split('/').at(-1) },
      ];
    }),
);

test('each mutation has its route, and each route that changes something its mutation', () => {
  const readings = [...routes.keys()].filter((name) => name.includes('_'));
  expect(readings).toEqual(['AnalysisController_analyse']);
  const changing = [...routes.keys()].filter((name) => !readings.includes(name));
  expect(changing.sort()).toEqual(mutations.map(({ name }) => name).sort());
});

test.each(mutations.map(({ name }) => [name]))('%s has the same payload over both', (name) => {
  const { payload, status } = routes.get(name)!;
  expect(payload).toBe(`${capitalized(name)}Payload`);
  expect(['200', '201']).toContain(status);
  const parts = Object.keys((schema.getType(payload) as GraphQLObjectType).getFields());
  expect(Object.keys(openapi.components.schemas[payload].properties).sort()).toEqual(parts.sort());
});
