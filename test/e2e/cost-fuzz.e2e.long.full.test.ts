import { setTimeout as pause } from 'node:timers/promises';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { defaultFieldResolver, isObjectType, type GraphQLSchema } from 'graphql';
import { createBusyUser, type BusyUser } from '../support/busy-user.js';
import { valuesIn } from '../support/busy-values.js';
import { random } from '../support/random-games.js';
import { randomQuery, type RandomQuery, type Values } from '../support/random-queries.js';
import { rounds, SEED, printCounts } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { rowsReadBy } from '../support/statements.js';
import { sendGraphql, type Response } from '../support/transport.js';

/** No accepted query resolves more fields, or reads more rows, than twice its calculated cost. */
// Long: it plays many random cases.

/** Rows that every request reads: the viewer and the subject. */
const ROWS_OF_ALL = 8;

let server: TestServer;
let some: BusyUser;
let values: Values;
let resolved = 0;

beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600' });
  some = await createBusyUser(server);
  values = await valuesIn(server, some);
  countResolved(server.app.get(GraphQLSchemaHost).schema);
});
afterAll(() => server.close());

/** Counts the fields of the server's own schema as they are resolved. */
function countResolved(schema: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const type of types.filter(({ name }) => !name.startsWith('__'))) {
    for (const field of Object.values(type.getFields())) {
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (...given) => {
        resolved += 1;
        return resolve(...given);
      };
    }
  }
}

interface Found {
  readonly requested: number;
  readonly resolved: number;
  readonly rows: number;
}

const isOver = ({ requested, resolved, rows }: Found): boolean =>
  Math.max(resolved, rows - ROWS_OF_ALL) > 2 * requested;

/**
 * The measured cost, or null if the query was refused. One that is over its cost is measured once more: fields of the
 * query before, which go on after an answer that an error has ended, may have been counted.
 */
async function measured(query: RandomQuery): Promise<Found | null> {
  const found = await measuredOnce(query);
  if (found === null || !isOver(found)) return found;
  await pause(200);
  return measuredOnce(query);
}

async function measuredOnce({ query, variables }: RandomQuery): Promise<Found | null> {
  let answer: Response | undefined;
  resolved = 0;
  const rows = await rowsReadBy(async () => {
    answer = await sendGraphql(server.http, query, variables, some.ann);
  });
  const { errors = [], extensions } = answer!.body;
  const codes = errors.map(({ extensions: { code } }: { extensions: { code: string } }) => code);
  if (codes.includes('QUERY_TOO_COSTLY')) return null;
  // The data exists, except where arguments exclude each other.
  expect([query, JSON.stringify(errors)]).toEqual([query, expect.not.stringMatching(/GRAPHQL_|INTERNAL/)]);
  return { requested: extensions.cost.requested, resolved, rows };
}

test('a random query resolves at most twice the fields and rows of its calculated cost', async () => {
  const schema = server.app.get(GraphQLSchemaHost).schema;
  const pick = random(SEED);
  const told = { accepted: 0, refused: 0, requested: 0, resolved: 0, rows: 0 };
  const over: unknown[] = [];
  while (told.accepted < rounds(3000, 300)) {
    const asked = randomQuery(schema, values, pick);
    const found = await measured(asked);
    if (found === null) {
      told.refused += 1;
      continue;
    }
    told.accepted += 1;
    for (const key of ['requested', 'resolved', 'rows'] as const) told[key] += found[key];
    if (isOver(found)) over.push({ ...asked, ...found });
  }
  printCounts('cost', told);
  expect(over).toEqual([]);
});
