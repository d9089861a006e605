import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql';
import { createBusyUser, ROUND, ROUNDS } from '../support/busy-user.js';
import type { Person } from '../support/people.js';
import { selectionsOf } from '../support/selections.js';
import { startServer, type TestServer } from '../support/server.js';
import { extraStatements, fewestStatements } from '../support/statements.js';
import { sendGraphql } from '../support/transport.js';

/** Every field of every list needs as many statements for many entries as for few. */
// Long: it asks for every field of every list.

const [FEW, MANY] = [2, 20];
/** Selections per query, because of the size limit of a query. */
const TOGETHER = 6;

let server: TestServer;
let ann: Person;
let other: string;
/** The position before her last changes. */
let since: string;

/** The lists by field: their arguments, and the path to their entries. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  games: ['games(first: $first)', 'games(first: $first, filter: { status: [FINISHED] }, orderBy: { by: ENDED_AT })'], // prettier-ignore
  myGames: ['ALL', 'RUNNING', 'ENDED'].map((list) => `myGames(first: $first, list: ${list})`),
  lobby: ['lobby(first: $first)'],
  challenges: ['INCOMING', 'OUTGOING'].map((box) => `challenges(first: $first, box: ${box})`),
  inbox: ['inbox(first: $first)'],
  notifications: ['notifications(first: $first)'],
  blockedUsers: ['blockedUsers(first: $first)'],
  changes: ['changes(first: $first, since: $since)'],
  myEvents: ['myEvents(first: $first)'],
  ratingHistory: ['ratingHistory(first: $first, username: $ann, pool: "chess")'],
  leaderboard: ['leaderboard(first: $first, pool: "chess")'],
  opponents: ['opponents(first: $first, username: $ann)'],
  myImportedGames: ['myImportedGames(first: $first)'],
  headToHead: ['headToHead(a: $ann, b: $other)'],
};
/** How many entries count as few and as many, where it differs from the default. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  changes: [ROUND, ROUND * ROUNDS],
};
/** Queries that are not lists or have no page size: other lists cover their entries. */
const NO_LISTS = ['analyse', 'application', 'challenge', 'errorCodes', 'expectedScore', 'explorer', 'game', 'gameEvents', 'gamesByIds', 'importedGame', 'me', 'myAccount', 'myApplications', 'mySessions', 'myTokens', 'myVacations', 'myWebhooks', 'newsSettings', 'node', 'ownEvents', 'ownGames', 'ownMessages', 'ownPlayer', 'ownPlayers', 'publicEvents', 'ratingDistribution', 'ratingPools', 'ruleset', 'rulesets', 'server', 'setup', 'statistics', 'user', 'users', 'webhookDeliveries']; // prettier-ignore

const schema = () => server.app.get(GraphQLSchemaHost).schema;
const queries = () => schema().getQueryType()!.getFields();

beforeAll(async () => {
  // One connection: the setup statements of a new one do not belong to a list.
  server = await startServer({ SWEEP_SECONDS: '3600', DATABASE_POOL: '1', MAX_QUERY_COST: '1000000' });
  ({ ann, other, since } = await createBusyUser(server));
});
afterAll(() => server.close());

async function graphql(query: string, first: number) {
  const variables = { first, ann: ann.username, other, since };
  const { body } = await sendGraphql(server.http, query, variables, ann);
  if (body.errors !== undefined) throw new Error(`${query}\n${JSON.stringify(body.errors)}`);
  return body.data;
}

/** How many entries a list returns with these selections. */
async function lengthOf(list: string, selections: readonly string[], first: number): Promise<number> {
  const wrapped = selections.map((selection) => WRAP[shapeOf(list)](selection)).join(' ');
  const named = ['ann', 'other', 'since'].filter((name) => list.includes(`$${name}`));
  const declared = ['$first: Int', ...named.map((name) => `$${name}: String!`)].join(', ');
  const { found } = await graphql(`query (${declared}) { found: ${list} { ${wrapped} } }`, first);
  return (found.edges ?? found.items ?? found.lastGames?.edges ?? found).length;
}

/** How the entries of a list are selected. */
const WRAP = {
  connection: (selection: string) => `edges { node { ${selection} } }`,
  items: (selection: string) => `items { ${selection} }`,
  array: (selection: string) => selection,
  lastGames: (selection: string) => `lastGames(first: $first) { edges { node { ${selection} } } }`,
} as const;

function shapeOf(list: string): keyof typeof WRAP {
  const [name] = list.split('(');
  return name === 'changes' ? 'items' : name === 'opponents' ? 'array' : name === 'headToHead' ? 'lastGames' : 'connection'; // prettier-ignore
}

/** The type of a list's entries. */
function entryOf(list: string): GraphQLObjectType {
  const path = { connection: ['edges', 'node'], items: ['items'], array: [], lastGames: ['lastGames', 'edges', 'node'] }; // prettier-ignore
  let type = getNamedType(queries()[list.split('(')[0]!]!.type);
  for (const name of path[shapeOf(list)]) type = getNamedType((type as GraphQLObjectType).getFields()[name]!.type); // prettier-ignore
  if (!isObjectType(type)) throw new Error(`${list} has no objects`);
  return type;
}

test('every query is classified as a list or not', () => {
  expect([...Object.keys(LISTS), ...NO_LISTS].sort()).toEqual(Object.keys(queries()).sort());
});

test.each(Object.values(LISTS).flat())('%s', async (list) => {
  const selections = selectionsOf(schema(), entryOf(list));
  const [few, many] = SIZES[list.split('(')[0]!] ?? [FEW, MANY];
  const found: unknown[] = [];
  for (let i = 0; i < selections.length; i += TOGETHER) {
    const some = selections.slice(i, i + TOGETHER);
    const lengths: number[] = [];
    const cost = (first: number) =>
      fewestStatements(async () => lengths.push(await lengthOf(list, some, first)));
    const extra = extraStatements(await cost(few), await cost(many), TOGETHER);
    expect([...new Set(lengths)]).toEqual([few, many]);
    if (extra.length > 0) found.push([some, extra]);
  }
  expect(found).toEqual([]);
});
