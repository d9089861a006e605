import { randomUUID } from 'node:crypto';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { type GraphQLInterfaceType } from 'graphql';
import { ALL_SCOPES, type Scope } from '../../src/platform/contract/scopes.js';
import { restApi } from '../support/api.js';
import { type Person, PASSWORD, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { withScopes } from '../support/scopes.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { fewestStatements } from '../support/statements.js';
import { type By, type Json, must, send, sendGraphql } from '../support/transport.js';

/** Things of any type by their node ids: what the query of their own type answers, and no more. */

const TERMS = { ruleset: 'chess', timeControl: NO_CLOCK };

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
/** A query for each type, and the id of something of it. */
let own: Readonly<Record<string, readonly [query: string, id: string]>>;

beforeAll(async () => {
  server = await sharedServer();
  [ann, ben, cid] = [await register(server.http, 'ann'), await register(server.http, 'ben'), await register(server.http, 'cid')]; // prettier-ignore
  const api = restApi(server.http);
  const game = await begin(api, ann, ben);
  const challenge = must(await api.createChallenge(ann, { ...TERMS, opponent: ben.username }));
  const [imported] = must(await api.importGames(ann, { text: '1. f3 e5 2. g4 Qh4# 0-1\n' }));
  own = {
    Challenge: [`challenge(id: "${challenge.id}")`, challenge.id],
    Game: [`game(id: "${game.id}")`, game.id],
    ImportedGame: [`importedGame(id: "${imported!.id}")`, imported!.id],
    RatingPool: ['ratingPools', 'chess'],
    Ruleset: ['ruleset(id: "xiangqi")', 'xiangqi'],
    User: [`user(username: "${ann.username}")`, ann.id],
  };
});
afterAll(() => server.close());

const types = () => {
  const { schema } = server.app.get(GraphQLSchemaHost);
  return schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType).map(({ name }) => name);
};

/** What is shown of a thing of each type, with a field that only its own type has. */
const SHOWN: Readonly<Record<string, string>> = {
  Challenge: 'id nodeId kind creator { ... on User { nodeId } }',
  Game: 'id nodeId version players { seat player { username } } viewer { seat }',
  ImportedGame: 'id nodeId importedBy { id }',
  RatingPool: 'id nodeId ruleset { nodeId }',
  Ruleset: 'id nodeId boardUrl options { name }',
  User: 'id nodeId displayName ratings { rating }',
};

const FRAGMENTS = Object.entries(SHOWN).map(([type, fields]) => `... on ${type} { ${fields} }`);
const NODE = `query ($nodeId: ID!) { node(nodeId: $nodeId) { __typename nodeId ${FRAGMENTS.join(' ')} } }`;

async function nodeOf(nodeId: string, by: By = null) {
  const { body } = await sendGraphql(server.http, NODE, { nodeId }, by);
  return { node: body.data.node, code: body.errors?.[0].extensions.code ?? null };
}

const ask = async (query: string, by: By = null) => (await sendGraphql(server.http, query, {}, by)).body;
const without = (scope: Scope) =>
  withScopes(
    server,
    ann,
    ALL_SCOPES.filter((one) => one !== scope),
  );
const UNKNOWN = { node: null, code: null };

test('each type is tried here', () => expect([...types()].sort()).toEqual(Object.keys(own)));

test('is what the query of its own type answers, for whoever asks', async () => {
  for (const [type, [query, id]] of Object.entries(own)) {
    for (const by of [null, ann, ben, cid]) {
      const { data } = await ask(`{ own: ${query} { __typename ${SHOWN[type]} } }`, by);
      const found = Array.isArray(data.own) ? data.own.find((one: Json) => one.id === id) : data.own;
      expect(found === null || found.nodeId === `${type}:${id}`).toBe(true);
      expect(await nodeOf(`${type}:${id}`, by)).toEqual({ node: found, code: null });
    }
  }
});

test('names the type, so that a challenge and its game are two', async () => {
  const game = own['Game']![1];
  expect((await nodeOf(`Game:${game}`)).node).toMatchObject({ __typename: 'Game', id: game });
  expect((await nodeOf(`Challenge:${game}`, ann)).node).toMatchObject({ __typename: 'Challenge', id: game });
});

test('is null for an unknown id, and for what is no node', async () => {
  for (const type of types()) {
    for (const id of [randomUUID(), 'nonsense', '', ' ', ':', 'Game:']) {
      expect(await nodeOf(`${type}:${id}`)).toEqual(UNKNOWN);
    }
  }
  const id = own['Game']![1];
  for (const text of [
    '',
    ':',
    'Game',
    id,
    `:${id}`,
    `game:${id}`,
    `Session:${id}`,
    `constructor:${id}`,
    `Query:x`,
  ]) {
    expect([text, await nodeOf(text, ann)]).toEqual([text, UNKNOWN]);
  }
});

describe('a challenge', () => {
  const nodeId = () => `Challenge:${own['Challenge']![1]}`;

  test('is shown to its two users alone, and to a token with the scope', async () => {
    for (const by of [ann, ben]) expect((await nodeOf(nodeId(), by)).node).toMatchObject({ kind: 'DIRECT' });
    for (const by of [null, cid, await without('challenges:read')])
      expect(await nodeOf(nodeId(), by)).toEqual(UNKNOWN);
  });

  test('by link is shown to its creator alone: its node id does not open it', async () => {
    const { id } = must(await restApi(server.http).createChallenge(ann, TERMS));
    expect((await nodeOf(`Challenge:${id}`, ann)).node).toMatchObject({ kind: 'LINK' });
    for (const by of [null, ben]) expect(await nodeOf(`Challenge:${id}`, by)).toEqual(UNKNOWN);
  });

  test('is refused to a broken token, which what is public ignores', async () => {
    const broken = { authorization: 'Bearer nonsense' };
    expect(await nodeOf(nodeId(), broken)).toEqual({ node: null, code: 'UNAUTHENTICATED' });
    const { body } = await sendGraphql(
      server.http,
      `{ node(nodeId: "Game:${own['Game']![1]}") { nodeId } }`,
      {},
      broken,
    );
    expect(body.errors).toBeUndefined();
  });
});

test('shows the own part of a game only to a token with its scope', async () => {
  const query = `{ node(nodeId: "Game:${own['Game']![1]}") { ... on Game { viewer { seat } } } }`;
  expect((await ask(query, ann)).data).toEqual({ node: { viewer: { seat: 'FIRST' } } });
  expect((await ask(query)).data).toEqual({ node: { viewer: null } });
  const { data, errors } = await ask(query, await without('games:read'));
  expect([data, errors[0].extensions.code]).toEqual([{ node: { viewer: null } }, 'INSUFFICIENT_SCOPE']);
});

test('shows a closed account as its games do', async () => {
  const dan = await register(server.http, 'dan');
  must(await restApi(server.http).closeAccount(dan, PASSWORD));
  const { node } = await nodeOf(`User:${dan.id}`);
  expect(node).toMatchObject({ id: dan.id, displayName: 'Closed account' });
});

test('costs what the query of its type costs, in fields and in statements', async () => {
  const api = restApi(server.http);
  const ids = [own['Game']![1], (await begin(api, ann, ben)).id, (await begin(api, ann, ben)).id];
  const games = ids.map((id, i) => `g${i}: game(id: "${id}") { id version }`).join(' ');
  const nodes = ids
    .map((id, i) => `g${i}: node(nodeId: "Game:${id}") { ... on Game { id version } }`)
    .join(' ');
  const [asGames, asNodes] = [await ask(`{ ${games} }`), await ask(`{ ${nodes} }`)];
  expect(asNodes).toEqual(asGames);
  const statements = await fewestStatements(() => ask(`{ ${games} }`));
  expect(await fewestStatements(() => ask(`{ ${nodes} }`))).toEqual(statements);
});

test('is in GraphQL alone', async () => {
  const id = own['Game']![1];
  expect((await send(server.http, `/v1/games/${id}`)).text).not.toContain('nodeId');
  expect((await send(server.http, '/openapi.json')).text).not.toContain('nodeId');
});
