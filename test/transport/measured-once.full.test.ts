import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getOperationAST, parse } from 'graphql';
import { measure, type Measured } from '../../src/platform/graphql/limits.js';
import { random } from '../support/random-games.js';
import { randomQuery, type Values } from '../support/random-queries.js';
import { rounds, SEED, printCounts } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Body } from '../support/transport.js';

/** A document is measured once, unless its variables matter: then with each request. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const schema = () => server.app.get(GraphQLSchemaHost).schema;

/** Measures one parsed document with each of these variables. */
function measuring(query: string): (variables: Body) => Measured {
  const document = parse(query);
  const operation = getOperationAST(document)!;
  return (variables) => measure(schema(), document, operation, variables, server.config);
}

const ID = '01890000-0000-7000-8000-000000000000';
const COUNTS = [1, 2, 5, 20, 99, 100];

const VALUES: Values = {
  first: COUNTS,
  last: COUNTS,
  ids: [[], [ID], Array.from({ length: 20 }, () => ID)],
  id: [ID],
  nodeId: [`Game:${ID}`],
  gameId: [ID],
  username: ['ann'],
  externalId: ['member-17'],
  prefix: ['an'],
  a: ['ann'],
  b: ['ben'],
  ruleset: ['chess', 'banqi-taiwan'],
  pool: ['chess'],
  moves: [[], ['e2e4', 'e7e5']],
  number: [7],
  input: [{ ruleset: 'chess' }, { ruleset: 'chess', text: '1. e4 e5' }, { ruleset: 'chess', moves: [{ move: 'e2e4' }] }], // prettier-ignore
  filter: [{ ruleset: 'chess' }],
};

/** The same variables with other values, some left out. */
const varied = (variables: Body, pick: (most: number) => number): Body =>
  Object.fromEntries(
    Object.entries(variables)
      .filter(() => pick(4) > 0)
      .map(([name, value]) => [name, typeof value === 'number' ? COUNTS[pick(COUNTS.length)] : value]),
  );

test('random documents cost the same the first time and later, with any variables', () => {
  const pick = random(SEED);
  const costs = { same: 0, different: 0 };
  for (let i = 0; i < rounds(5000, 500); i += 1) {
    const { query, variables } = randomQuery(schema(), VALUES, pick);
    const all = [variables, ...Array.from({ length: 3 }, () => varied(variables, pick)), variables];
    const again = measuring(query);
    const found = all.map(again);
    expect([query, found]).toEqual([query, all.map((one) => measuring(query)(one))]);
    costs[new Set(found.map(({ cost }) => cost.requested)).size === 1 ? 'same' : 'different'] += 1;
  }
  expect(costs.different).toBeGreaterThan(10);
  printCounts('documents', costs);
});

const asksForTypes = (levels: number): string =>
  levels === 0 ? 'name' : `fields(includeDeprecated: $all) { type { ${asksForTypes(levels - 1)} } }`;

test.each([
  ['the type', 'query ($name: String!) { __type(name: $name) { kind } }', { name: 'Game' }],
  ['a list', `query ($all: Boolean) { __schema { types { ${asksForTypes(2)} } } }`, { all: true }],
])('what is asked of the schema is measured with each request if variables choose %s', (_, query, sent) => {
  const measured = measuring(query);
  expect(measured(sent)).not.toBe(measured(sent));
});

test.each([
  'query ($id: ID!) { game(id: $id) { id moves(first: 3) { edges { cursor } } } }',
  'mutation ($input: MakeMoveInput!) { makeMove(input: $input) { game { id } } }',
  '{ __schema { types { name fields(includeDeprecated: true) { name } } } }',
])('once only: %s', (query) => {
  const measured = measuring(query);
  expect(measured({ id: ID })).toBe(measured({ id: 'another' }));
});
