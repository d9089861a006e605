import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getNamedType,
  getNullableType,
  getOperationAST,
  isListType,
  isObjectType,
  parse,
  type GraphQLField,
} from 'graphql';
import { declaredCost } from '../../src/platform/contract/cost.js';
import { measure } from '../../src/platform/graphql/limits.js';
import { connection, GAME } from '../support/documents.js';
import { register } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { send, sendGraphql } from '../support/transport.js';

/** A field declares its cost, no list is forgotten, and each answer reports its cost. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

type Field = GraphQLField<unknown, unknown>;

const schema = () => server.app.get(GraphQLSchemaHost).schema;

/** All fields of the API by name, like Game.moves. */
const fields = (): (readonly [string, Field])[] =>
  Object.values(schema().getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field] as const),
    );

const isList = ({ type }: Field) => isListType(getNullableType(type));
const takes = ({ args }: Field, names: readonly string[]) => args.some(({ name }) => names.includes(name));

function rowsOf({ type }: Field): readonly Field[] {
  const named = getNamedType(type);
  if (!isObjectType(named)) return [];
  return Object.values(named.getFields()).filter((field) => declaredCost(field).list === 'ofParent');
}

test('counts every list of objects by rows', () => {
  const uncounted = fields().filter(
    ([, field]) =>
      isList(field) && isObjectType(getNamedType(field.type)) && declaredCost(field).list === undefined,
  );
  expect(uncounted.map(([name]) => name)).toEqual([]);
});

test('counts only lists by rows', () => {
  const counted = fields().filter(([, field]) => declaredCost(field).list !== undefined);
  expect(counted.filter(([, field]) => !isList(field))).toEqual([]);
  expect(counted.map(([name]) => name)).toContain('MyGamesConnection.edges');
});

test('every field that returns rows declares their number or takes it as an argument', () => {
  const pages = fields().filter(
    ([, field]) => rowsOf(field).length > 0 || declaredCost(field).list === 'own',
  );
  const unsaid = pages.filter(([, field]) => !takes(field, ['first', 'last']) && !declaredCost(field).rows);
  expect(pages.length).toBeGreaterThan(15);
  expect(unsaid.map(([name]) => name)).toEqual([]);
});

const PGN = '[Date "2026.01.31"]\n[Result "0-1"]\n\n1. f3 e5 {[%clk 0:01:00]} 2. g4 Qh4# 0-1\n\n';
const NOWHERE = '01890000-0000-7000-8000-000000000000';

test.each<[string, number, Readonly<Record<string, unknown>>?]>([
  [`{ game(id: "${NOWHERE}") { id } }`, 2],
  [`{ game(id: "${NOWHERE}") { export(format: pgn) } }`, 101],
  [`{ game(id: "${NOWHERE}") { moves(first: 10) { edges { cursor } pageInfo { endCursor } } } }`, 24],
  [`{ importedGame(id: "${NOWHERE}") { export moves(last: 10) { edges { cursor } } } }`, 122],
  ['{ myGames { edges { cursor } } }', 140],
  ['query($n: Int) { myGames(first: $n) { edges { cursor } } }', 114, { n: 7 }],
  ['query($n: Int) { myGames(first: $n) { edges { cursor } } }', 140, {}],
  ['{ myGames(first: 2) { edges { node { moves(first: 3) { edges { cursor } } } } } }', 118],
  ['query($n: Int = 7) { myGames(first: $n) { edges { cursor } } }', 114],
  ['query($n: Int = 7) { myGames(first: $n) { edges { cursor } } }', 114, {}],
  ['query($n: Int = 7) { myGames(first: $n) { edges { cursor } } }', 104, { n: 2 }],
  ['query($n: Int = 7) { myGames(first: $n) { edges { cursor } } }', 140, { n: null }],
  ['{ blockedUsers(first: 7) { pageInfo { endCursor } } }', 17],
  ['query($s: String) { changes(since: $s, first: 5) { items { kind } } }', 11],
  ['{ opponents(username: "ann") { games } }', 21],
  ['{ opponents(username: "ann", first: 4) { games opponent { id } } }', 13],
  ['{ explorer(ruleset: "chess") { total { games } } }', 502],
  ['{ statistics(username: "ann") { plies { average } } }', 102],
  ['{ analyse(input: { ruleset: "chess" }) { position } }', 2],
  ['{ analyse(input: { ruleset: "chess", moves: [{ move: "e2e4" }] }) { plies { san } } }', 6],
  ['query($m: [LineMoveInput!] = [{ move: "e2e4" }, { move: "e7e5" }]) { analyse(input: { ruleset: "chess", moves: $m }) { plies { san } } }', 11], // prettier-ignore
  ['query($i: AnalyseInput! = { ruleset: "chess", text: "1. e4 e5" }) { analyse(input: $i) { plies { san } } }', 16], // prettier-ignore
  ['query($i: AnalyseInput!) { analyse(input: $i) { plies { san } } }', 5001],
  ['query($m: [LineMoveInput!]) { analyse(input: { ruleset: "chess", moves: $m }) { plies { san } } }', 11, { m: [{}, {}] }], // prettier-ignore
  [
    'mutation { importGames(input: { text: "1. f3 e5 2. g4 Qh4#" }) { importedGames { id players { first } } } }',
    5,
  ],
  [
    'mutation ($i: ImportGamesInput!) { importGames(input: $i) { importedGames { export } } }',
    304,
    { i: { text: PGN } },
  ],
  ['mutation ($i: ImportGamesInput!) { importGames(input: $i) { importedGames { id } } }', 403, { i: { text: PGN.repeat(100) } }], // prettier-ignore
  ['mutation ($i: ImportGamesInput!) { importGames(input: $i) { importedGames { id } } }', 2001, { i: { text: '*'.repeat(9999) } }], // prettier-ignore
  ['mutation ($i: ImportGamesInput!) { importGames(input: $i) { importedGames { id } } }', 3, {}],
  [
    'mutation ($t: String! = "1. f3 *\\n\\n1. e4 *") { importGames(input: { text: $t }) { importedGames { id } } }',
    7,
  ],
  ['{ ...Q ...Q } fragment Q on Query { myGames(first: 3) { ...G } } fragment G on MyGamesConnection { edges { cursor } }', 212], // prettier-ignore
  ['{ inbox(first: 2) { edges { ... { cursor } node { __typename } } } }', 108],
])('%s costs %i', (query, cost, variables) => {
  const document = parse(query);
  const measured = measure(schema(), document, getOperationAST(document)!, variables, server.config);
  expect(measured.cost).toEqual({ requested: cost, limit: server.config.maxQueryCost });
});

test('a page of games with every field is allowed', () => {
  const document = parse(`{ games ${connection(GAME)} }`);
  const { fault } = measure(schema(), document, getOperationAST(document)!, {}, server.config);
  expect(fault).toBeNull();
});

describe('an answer reports its cost', () => {
  const limit = () => server.config.maxQueryCost;
  const asked = async (query: string) => (await sendGraphql(server.http, query)).body;

  it('with the data', async () => {
    expect(await asked('{ rulesets { id name } }')).toMatchObject({
      data: { rulesets: expect.any(Array) as unknown },
      extensions: { cost: { requested: 15, limit: limit() } },
    });
  });

  it('with a refusal', async () => {
    const { errors, extensions } = await asked('{ statistics(username: "nobody") { calledOff } }');
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
    expect(extensions).toEqual({ cost: { requested: 101, limit: limit() } });
  });

  it('also with the error when it is too high', async () => {
    const cost = { requested: 10 + 100 * (7 + 100 * 2), limit: limit() };
    const query = '{ games(first: 100) { edges { cursor node { moves { edges { cursor } } } } } }';
    const { errors, extensions } = await asked(query);
    expect(errors[0].extensions).toEqual({ code: 'QUERY_TOO_COSTLY', cost });
    expect(extensions).toEqual({ cost });
  });

  it('over GET', async () => {
    const { body } = await send(server.http, '/graphql', { query: { query: '{ rulesets { id } }' } });
    expect(body.extensions).toEqual({ cost: { requested: 8, limit: limit() } });
  });

  it('but not if it was never measured', async () => {
    for (const query of ['{', '{ nothing }', 'query A { __typename } query B { __typename }']) {
      const { errors, extensions } = await asked(query);
      expect([errors.length, extensions]).toEqual([1, undefined]);
    }
  });

  it('over a socket, with each event and with the refusal', async () => {
    const socket = await openSocket(server, await register(server.http, 'ann'));
    const change = await socket.send('subscription { lobbyChanged { id seek { id } } }').next();
    expect(change.extensions).toEqual({ cost: { requested: 4, limit: limit() } });
    const lists = Array.from({ length: 7 }, (_, i) => `a${i}: moves { edges { ...E } }`).join(' ');
    const fragment = `fragment E on PlyEdge { node { ${'san '.repeat(25)} } }`;
    const query = `subscription { gameChanged(gameId: "${NOWHERE}") { ${lists} } } ${fragment}`;
    const cost = { requested: 1 + 7 * (1 + 100 * 27), limit: limit() };
    const { errors } = await socket.send(query).next();
    expect(errors![0]!.extensions).toEqual({ code: 'QUERY_TOO_COSTLY', cost });
    await socket.close();
  });
});
