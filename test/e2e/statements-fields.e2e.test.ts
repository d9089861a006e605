import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql';
import { v7 as uuid } from 'uuid';
import type { PrismaClient } from '../../src/generated/prisma/client.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi } from '../support/api.js';
import { allToldOf } from '../support/changes.js';
import { people, population } from '../support/history-rows.js';
import { type Person, register } from '../support/people.js';
import { selectionsOf } from '../support/selections.js';
import { startServer, type TestServer } from '../support/server.js';
import { extraStatements, fewestStatements } from '../support/statements.js';
import { must, sendGraphql } from '../support/transport.js';

/** Every field of everything in every list costs as much for many entries as for few. */

const [FEW, MANY] = [2, 20];
/** One round of changes, with all kinds of things, and all of them. */
const ROUND = 8;
const ROUNDS = 5;
/** So many selections are asked for together: a query is only so large. */
const TOGETHER = 6;

let server: TestServer;
let ann: Person;
let other: string;
/** Behind it are her last changes. */
let since: string;

/** The lists by their fields: what they are asked with, and where what they have lies. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  games: ['games(first: $first)', 'games(first: $first, filter: { status: [FINISHED] }, orderBy: { by: ENDED_AT })'], // prettier-ignore
  myGames: ['ALL', 'RUNNING', 'ENDED'].map((list) => `myGames(first: $first, list: ${list})`),
  lobby: ['lobby(first: $first)'],
  challenges: ['INCOMING', 'OUTGOING'].map((box) => `challenges(first: $first, box: ${box})`),
  inbox: ['inbox(first: $first)'],
  notifications: ['notifications(first: $first)'],
  blockedUsers: ['blockedUsers(first: $first)'],
  changes: ['changes(first: $first, since: $since)'],
  ratingHistory: ['ratingHistory(first: $first, username: $ann, ruleset: "chess")'],
  leaderboard: ['leaderboard(first: $first, ruleset: "chess")'],
  opponents: ['opponents(first: $first, username: $ann)'],
  myImportedGames: ['myImportedGames(first: $first)'],
  headToHead: ['headToHead(a: $ann, b: $other)'],
};
/** How many entries are few, and how many are many, where it is not as usual. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  changes: [ROUND, ROUND * ROUNDS],
};
/** Queries that are no lists, or whose length is not asked for: what they have is listed by the others. */
const NO_LISTS = ['analyse', 'challenge', 'expectedScore', 'explorer', 'game', 'importedGame', 'me', 'myVacations', 'ratingDistribution', 'ruleset', 'rulesets', 'setup', 'statistics', 'user']; // prettier-ignore

const schema = () => server.app.get(GraphQLSchemaHost).schema;
const queries = () => schema().getQueryType()!.getFields();

beforeAll(async () => {
  // One connection: what another one does when it begins is no part of a list.
  server = await startServer({ SWEEP_SECONDS: '3600', DATABASE_POOL: '1' });
  ann = await register(server.http, 'ann');
  const { db } = server.app.get(PrismaService);
  const others = await people(
    db,
    Array.from({ length: 30 }, (_, i) => `user${i}`),
  );
  other = [...others.keys()][0]!;
  await population(db, new Map([[ann.username, ann.id], [other, others.get(other)!]]), 90, 3); // prettier-ignore
  for (const [i, [name, id]] of [...others].entries()) await population(db, new Map([[ann.username, ann.id], [name, id]]), 4, i); // prettier-ignore
  await population(db, others, 60, 5);
  await around(db, [...others.values()]);
});
afterAll(() => server.close());

/** More than a page of everything that she can be shown a list of. */
async function around(db: PrismaClient, others: readonly string[]): Promise<void> {
  const [now, later] = [new Date(), new Date(Date.now() + 1e9)];
  const pools = ['chess', 'xiangqi', 'half-chess', 'banqi-taiwan', 'banqi-hongkong'];
  await db.$executeRaw`
    INSERT INTO ratings SELECT id, p, 1500, 60, 0.06, 1, 1, 0, 0, now(), now() + interval '9 days'
    FROM users, unnest(${pools}::text[]) p`;
  await db.$executeRaw`
    INSERT INTO rating_changes
    SELECT id, player, CASE player WHEN 'first' THEN first_id ELSE second_id END, 'chess',
           row_number() OVER (ORDER BY id, player), 1500, 60, 0.06, 1501, 60, 0.06, now()
    FROM games, unnest(ARRAY['first', 'second']) player WHERE status = 'finished'`;
  await db.$executeRaw`
    UPDATE games SET offers = jsonb_set(offers, '{draw}', jsonb_build_object(
      'by', CASE first_id WHEN ${ann.id}::uuid THEN 'second' ELSE 'first' END, 'at', extract(epoch FROM now()) * 1000))
    WHERE ended_at IS NULL AND ${ann.id}::uuid IN (first_id, second_id)`;
  await db.$executeRaw`INSERT INTO messages SELECT gen_random_uuid(), id, 'first', 'Hello', now() FROM games, generate_series(1, 3)`;
  await db.$executeRaw`INSERT INTO game_seats SELECT id, p, 'A note', true FROM games, unnest(ARRAY['first', 'second']) p`;
  await db.block.createMany({ data: others.slice(2).map((blockedId) => ({ blockerId: ann.id, blockedId, createdAt: now })) }); // prettier-ignore
  await db.notification.createMany({
    data: others.map(() => ({ userId: ann.id, gameId: uuid(), type: 'gameOver', data: {}, createdAt: now })),
  });
  const terms = { options: {}, timeControl: { type: 'none' }, rated: false, side: 'any', commitment: '', format: 1, creatorClientSeed: '', status: 'open', createdAt: now, expiresAt: later }; // prettier-ignore
  const pool = (i: number) => ({ ...terms, id: uuid(), ruleset: pools[Math.floor(i / 2) % pools.length]! });
  await db.challenge.createMany({
    data: others.flatMap((id, i) => [
      { ...pool(i), kind: 'direct', creatorId: ann.id, opponentId: id },
      { ...pool(i), kind: 'direct', creatorId: id, opponentId: ann.id },
      { ...pool(i), kind: 'seek', creatorId: others[i % 2]!, termsKey: `${i}` },
    ]),
  });
  await db.$executeRaw`
    INSERT INTO challenges (id, kind, creator_id, opponent_id, status, ruleset, options, time_control, rated, side, commitment,
                            format, creator_client_seed, created_at, expires_at, rematch_of)
    SELECT gen_random_uuid(), 'direct', first_id, second_id, 'open', ruleset, options, time_control, false, 'any', '', 1, '',
           now(), now() + interval '9 days', id
    FROM games WHERE status = 'finished'`;
  await imported(MANY);
  await allToldOf(server.app);
  since = must(await restApi(server.http).changes(ann, { fromNow: true })).cursor;
  for (let i = 0; i < ROUNDS; i++) await touched(db, i, others[i + 2]!, pools[i]!);
  await allToldOf(server.app);
}

/** One after the other, so that each page of changes has all kinds. */
async function touched(db: PrismaClient, i: number, otherId: string, pool: string): Promise<void> {
  const id = ann.id;
  const now = new Date();
  const own = { OR: [{ firstId: id }, { secondId: id }] };
  const [game] = await db.game.findMany({ where: { ...own, status: 'finished', unrated: null }, orderBy: { id: 'asc' }, skip: i, take: 1 }); // prettier-ignore
  const [running] = await db.game.findMany({ where: { ...own, endedAt: null }, orderBy: { id: 'asc' }, skip: i, take: 1 }); // prettier-ignore
  await db.game.update({ where: { id: game!.id }, data: { version: { increment: 1 } } });
  await db.message.create({ data: { id: uuid(), gameId: running!.id, player: 'first', text: 'Hello', createdAt: now } }); // prettier-ignore
  await db.$executeRaw`UPDATE challenges SET expires_at = expires_at + interval '1 day'
    WHERE kind = 'direct' AND rematch_of IS NULL AND creator_id = ${otherId}::uuid AND opponent_id = ${id}::uuid`;
  await db.notification.create({ data: { userId: id, gameId: game!.id, type: 'gameOver', data: {}, createdAt: now } }); // prettier-ignore
  await db.block.upsert({ where: { blockerId_blockedId: { blockerId: id, blockedId: otherId } }, create: { blockerId: id, blockedId: otherId, createdAt: now }, update: { createdAt: now } }); // prettier-ignore
  await db.vacation.create({ data: { id: uuid(), userId: id, startsAt: now, endsAt: now, days: 1, settled: true, createdAt: now } }); // prettier-ignore
  await db.rating.update({
    where: { userId_ruleset: { userId: id, ruleset: pool } },
    data: { rating: 1501 },
  });
  await imported(1);
}

async function imported(many: number): Promise<void> {
  const text = '[White "Ada"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'.repeat(many);
  must(await restApi(server.http).importGames(ann, { text }));
}

async function graphql(query: string, first: number) {
  const variables = { first, ann: ann.username, other, since };
  const { body } = await sendGraphql(server.http, query, variables, ann);
  if (body.errors !== undefined) throw new Error(`${query}\n${JSON.stringify(body.errors)}`);
  return body.data;
}

/** How many entries a list has, asked for with these selections. */
async function lengthOf(list: string, selections: readonly string[], first: number): Promise<number> {
  const wrapped = selections.map((selection) => WRAP[shapeOf(list)](selection)).join(' ');
  const named = ['ann', 'other', 'since'].filter((name) => list.includes(`$${name}`));
  const declared = ['$first: Int', ...named.map((name) => `$${name}: String!`)].join(', ');
  const { found } = await graphql(`query (${declared}) { found: ${list} { ${wrapped} } }`, first);
  return (found.edges ?? found.items ?? found.lastGames?.edges ?? found).length;
}

/** How what a list has is selected. */
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

/** The type of what a list has. */
function entryOf(list: string): GraphQLObjectType {
  const path = { connection: ['edges', 'node'], items: ['items'], array: [], lastGames: ['lastGames', 'edges', 'node'] }; // prettier-ignore
  let type = getNamedType(queries()[list.split('(')[0]!]!.type);
  for (const name of path[shapeOf(list)]) type = getNamedType((type as GraphQLObjectType).getFields()[name]!.type); // prettier-ignore
  if (!isObjectType(type)) throw new Error(`${list} has no objects`);
  return type;
}

test('every query is one of the lists, or none', () => {
  expect([...Object.keys(LISTS), ...NO_LISTS].sort()).toEqual(Object.keys(queries()).sort());
});

test.each(Object.values(LISTS).flat())('%s', async (list) => {
  const selections = selectionsOf(entryOf(list));
  const [few, many] = SIZES[list.split('(')[0]!] ?? [FEW, MANY];
  const found: unknown[] = [];
  for (let i = 0; i < selections.length; i += TOGETHER) {
    const some = selections.slice(i, i + TOGETHER);
    const lengths: number[] = [];
    const cost = (first: number) =>
      fewestStatements(async () => lengths.push(await lengthOf(list, some, first)));
    const extra = extraStatements(await cost(few), await cost(many));
    expect([...new Set(lengths)]).toEqual([few, many]);
    if (extra.length > 0) found.push([some, extra]);
  }
  expect(found).toEqual([]);
});
