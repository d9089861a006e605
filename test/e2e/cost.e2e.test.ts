import { GraphQLSchemaHost } from '@nestjs/graphql';
import { getNamedType, getNullableType, isListType, isObjectType, parse, type GraphQLField } from 'graphql';
import { declaredCost } from '../../src/platform/graphql/cost.js';
import { costOf } from '../../src/platform/graphql/limits.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** What a field costs is declared with it, and no list is forgotten. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

/** Lists that no argument bounds, and what does; each counts as one field. */
const SHORT: Readonly<Record<string, string>> = {
  'Analysis.claimable': 'the kinds of claims',
  'Analysis.legalMoves': 'the legal moves of one position',
  'Deadline.explain': 'what stopped the clock of one turn',
  'DealProof.path': 'the logarithm of the number of pieces',
  'Explorer.moves': 'the legal moves of one position',
  'Game.claimable': 'the kinds of claims',
  'Game.events': 'the acts of one game',
  'Game.legalMoves': 'the legal moves of one position',
  'Game.takebacks': 'the two players',
  'HeadToHead.byRuleset': 'the rule sets',
  'Observation.faceDown': 'the kinds of pieces',
  'Piece.chinese': 'the two sides',
  'Query.rulesets': 'the rule sets',
  'RatingDistribution.bins': 'ratings, in steps of 50',
  'Ruleset.options': 'the options of one rule set',
  'Ruleset.pieces': 'the kinds of pieces',
  'Ruleset.sides': 'the two sides',
  'RulesetOption.values': 'the choices of one option',
  'Statistics.byLength': 'the classes of lengths',
  'Statistics.byReason': 'the reasons for an end',
  'Statistics.byRuleset': 'the rule sets',
  'Statistics.bySide': 'the two sides',
  'Statistics.byTimeUsed': 'the classes of pace',
  'User.ratings': 'the rule sets',
  'Vacations.vacations': 'the vacations that fit into two years',
  'Vacations.years': 'this year and the next one',
};

type Field = GraphQLField<unknown, unknown>;

const schema = () => server.app.get(GraphQLSchemaHost).schema;

/** All fields of the API by their names, as Game.moves. */
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

test('every list is counted by rows, or known to be short', () => {
  const uncounted = fields().filter(([, field]) => isList(field) && declaredCost(field).list === undefined);
  expect(uncounted.map(([name]) => name).sort()).toEqual(Object.keys(SHORT).sort());
});

test('only lists are counted by rows', () => {
  const counted = fields().filter(([, field]) => declaredCost(field).list !== undefined);
  expect(counted.filter(([, field]) => !isList(field))).toEqual([]);
  expect(counted.map(([name]) => name)).toContain('MyGames.edges');
});

test('every field that returns rows says how many, or is asked for so many', () => {
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
  ['{ myGames { edges { cursor } } }', 201],
  ['query($n: Int) { myGames(first: $n) { edges { cursor } } }', 15, { n: 7 }],
  ['query($n: Int) { myGames(first: $n) { edges { cursor } } }', 201, {}],
  ['{ myGames(first: 2) { edges { node { moves(first: 3) { edges { cursor } } } } } }', 19],
  ['query($s: String) { changes(since: $s, first: 5) { items { kind } } }', 11],
  ['{ opponents(username: "ann", first: 4) { games opponent { id } } }', 16],
  ['{ explorer(ruleset: "chess") { total { games } } }', 502],
  ['{ statistics(username: "ann") { plies { average } } }', 3],
  ['{ analyse(input: { ruleset: "chess" }) { position } }', 2],
  ['{ analyse(input: { ruleset: "chess", moves: [{ move: "e2e4" }] }) { plies { san } } }', 6],
  ['query($i: AnalyseInput!) { analyse(input: $i) { plies { san } } }', 5001],
  ['query($m: [LineMoveInput!]) { analyse(input: { ruleset: "chess", moves: $m }) { plies { san } } }', 11, { m: [{}, {}] }], // prettier-ignore
  ['mutation { importGames(input: { text: "1. f3 e5 2. g4 Qh4#" }) { id players { first } } }', 7],
  [
    'mutation ($i: ImportGamesMutationInput!) { importGames(input: $i) { export } }',
    401,
    { i: { text: PGN } },
  ],
  ['mutation ($i: ImportGamesMutationInput!) { importGames(input: $i) { id } }', 203, { i: { text: PGN.repeat(100) } }], // prettier-ignore
  ['mutation ($i: ImportGamesMutationInput!) { importGames(input: $i) { id } }', 1002, { i: { text: '*'.repeat(9999) } }], // prettier-ignore
  ['mutation ($i: ImportGamesMutationInput!) { importGames(input: $i) { id } }', 3, {}],
  ['{ ...Q ...Q } fragment Q on Query { myGames(first: 3) { ...G } } fragment G on MyGames { edges { cursor } }', 14], // prettier-ignore
  ['{ inbox(first: 2) { edges { ... { cursor } node { __typename } } } }', 9],
])('%s costs %i', (query, cost, variables) => {
  expect(costOf(schema(), parse(query), null, variables)).toBe(cost);
});
