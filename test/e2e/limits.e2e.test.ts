import { sendGraphql } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** What one operation may ask for, however it is written. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

/** The limits of .env.example. */
const LIMITS = { depth: 16, rootFields: 10, aliases: 30, directives: 30, tokens: 1000 };

const NOWHERE = '01890000-0000-7000-8000-000000000000';

async function codeOf(query: string, variables: object = {}): Promise<string> {
  const { body } = await sendGraphql(server.http, query, { ...variables });
  return body.errors?.[0].extensions.code ?? 'answered';
}

const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

/** `__type` with enough `ofType` to make the query `depth` levels deep. */
const deep = (depth: number): string =>
  `{ __type(name: "Game") { ${'ofType { '.repeat(depth - 2)}name${' }'.repeat(depth - 2)} } }`;

describe('the limits of one operation', () => {
  it.each([
    ['levels', deep(LIMITS.depth), deep(LIMITS.depth + 1)],
    [
      'root fields',
      `{ ${times(LIMITS.rootFields, (i) => `a${i}: __typename`)} }`,
      `{ ${times(LIMITS.rootFields + 1, (i) => `a${i}: __typename`)} }`,
    ],
    [
      'aliases',
      `{ __schema { ${times(LIMITS.aliases, (i) => `a${i}: __typename`)} } }`,
      `{ __schema { ${times(LIMITS.aliases + 1, (i) => `a${i}: __typename`)} } }`,
    ],
    [
      'directives',
      `{ __schema { ${times(LIMITS.directives, () => '__typename @include(if: true)')} } }`,
      `{ __schema { ${times(LIMITS.directives + 1, () => '__typename @include(if: true)')} } }`,
    ],
  ])('count the %s', async (_, most, more) => {
    expect([await codeOf(most), await codeOf(more)]).toEqual(['answered', 'QUERY_TOO_COSTLY']);
  });

  it('count the tokens before the query is parsed', async () => {
    const words = (count: number) => `{ ${'__typename '.repeat(count)}}`;
    expect(await codeOf(words(LIMITS.tokens - 10))).not.toBe('GRAPHQL_PARSE_FAILED');
    expect(await codeOf(words(LIMITS.tokens + 10))).toBe('GRAPHQL_PARSE_FAILED');
    expect(await codeOf('{'.repeat(30_000))).toBe('GRAPHQL_PARSE_FAILED');
    expect(await codeOf(`{ game(id: ${'['.repeat(1500)}) { id } }`)).toMatch(/^GRAPHQL_/);
  });
});

const PLY = '{ seq ply move san position hash }';

/** `rows` games, each with as many plies; 9 fields per ply. */
const pages = (
  rows: string,
  plies: string,
  declared = '',
  inside = `{ edges { cursor node ${PLY} } }`,
): string => `query${declared} { myGames${rows} { edges { node { moves${plies} ${inside} } } } }`;

describe('the cost of pages', () => {
  it.each<[string, string, object, boolean]>([
    ['given as numbers', pages('(first: 20)', '(first: 20)'), {}, true],
    ['given as numbers', pages('(first: 100)', '(first: 100)'), {}, false],
    ['given from the end', pages('(first: 100)', '(last: 100)'), {}, false],
    ['given in variables', pages('(first: $n)', '(first: $n)', '($n: Int)'), { n: 20 }, true],
    ['given in variables', pages('(first: $n)', '(first: $n)', '($n: Int)'), { n: 100 }, false],
    ['given in defaults of variables', pages('(first: $n)', '(first: $n)', '($n: Int = 100)'), {}, false],
    ['not given', pages('', ''), {}, false],
    ['not given for one of the two', pages('(first: 10)', ''), {}, true],
    [
      'hidden in a fragment',
      `${pages('', '', '', '{ ...F }')} fragment F on PlyConnection { edges { cursor node ${PLY} } }`,
      {},
      false,
    ],
    [
      'hidden in an inline fragment',
      pages('', '', '', `{ ... on PlyConnection { edges { cursor node ${PLY} } } }`),
      {},
      false,
    ],
    [
      'hidden in a fragment far above',
      `{ ...Q } fragment Q on Query { myGames { ...G } } fragment G on MyGamesConnection { edges { node { moves { ...P } } } } fragment P on PlyConnection { ... { edges { cursor node ${PLY} } } }`,
      {},
      false,
    ],
    ['under an alias', pages('', '', '', `{ all: edges { one: cursor two: node ${PLY} } }`), {}, false],
  ])('is counted when %s: %s', async (_, query, variables, fits) => {
    // Anonymous, so the guard refuses what passes the limits.
    expect(await codeOf(query, variables)).toBe(fits ? 'UNAUTHENTICATED' : 'QUERY_TOO_COSTLY');
  });
});

it.each([
  ['first: 20', 'NOT_FOUND'],
  ['first: 100', 'QUERY_TOO_COSTLY'],
  ['', 'NOT_FOUND'],
])('counts the rows of a list without pages: %s', async (first, expected) => {
  const opponent = times(5, (i) => `a${i}: user { id username displayName createdAt ratings { rating } }`);
  const lists = times(4, (i) => `b${i}: opponents(username: "nobody" ${first}) { ${opponent} }`);
  expect(await codeOf(`{ ${lists} }`)).toBe(expected);
});

it.each([
  [1, 'UNAUTHENTICATED'],
  [100, 'QUERY_TOO_COSTLY'],
])('counts the games of an imported text: %i', async (games, expected) => {
  const query =
    'mutation ($input: ImportGamesInput!) { importGames(input: $input) { importedGames { export moves(first: 100) { edges { node { san } } } } } }';
  const input = { text: '[Round "-"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'.repeat(games) };
  expect(await codeOf(query, { input })).toBe(expected);
});

describe('fragments', () => {
  it('are counted even if named like the introspection', async () => {
    const query = `{ ...__schema } fragment __schema on Query { ${times(LIMITS.rootFields + 1, (i) => `a${i}: __typename`)} }`;
    expect(await codeOf(query)).toBe('QUERY_TOO_COSTLY');
  });

  it('that are spread again further down are counted there too', async () => {
    const levels = (count: number, inside: string) =>
      `${'ofType { '.repeat(count)}${inside}${' }'.repeat(count)}`;
    const query = `{ __type(name: "Game") { ...T ${levels(8, '...T')} } } fragment T on __Type { ${levels(8, 'name')} }`;
    expect(await codeOf(query)).toBe('QUERY_TOO_COSTLY');
  });

  it('are counted each time they are spread', async () => {
    const query = `{ __schema { ${'...T '.repeat(11)} } } fragment T on __Schema { a: __typename b: __typename c: __typename }`;
    expect(await codeOf(query)).toBe('QUERY_TOO_COSTLY');
  });

  it.each([
    ['doubling', (i: number) => `fragment f${i} on __Type { ofType { ...f${i + 1} ...f${i + 1} } }`, 14],
    [
      'doubling under aliases',
      (i: number) => `fragment f${i} on __Type { a: ofType { ...f${i + 1} } b: ofType { ...f${i + 1} } }`,
      35,
    ],
    [
      'doubling on one level',
      (i: number) => `fragment f${i} on __Type { ...f${i + 1} ...f${i + 1} ...f${i + 1} }`,
      70,
    ],
    [
      'with a field each',
      (i: number) =>
        `fragment f${i} on __Type { n${i}: name ofType { ...f${i + 1} } interfaces { ...f${i + 1} } }`,
      35,
    ],
  ] as const)('of exponential size, %s, are refused quickly', async (_, fragment, count) => {
    const query = `{ __type(name: "Game") { ...f0 } } ${times(count, fragment)} fragment f${count} on __Type { name }`;
    const code = await codeOf(query);
    expect(['QUERY_TOO_COSTLY', 'answered', 'GRAPHQL_VALIDATION_FAILED']).toContain(code);
  });

  it('of many fields of one name are refused quickly', async () => {
    const query = `{ game(id: "${NOWHERE}") { ${times(450, (i) => `...f${i % 20}`)} } } ${times(20, (i) => `fragment f${i} on Game { ${'id turn '.repeat(15)} }`)}`;
    expect(['QUERY_TOO_COSTLY', 'GRAPHQL_PARSE_FAILED', 'answered']).toContain(await codeOf(query));
  });

  it('that form a cycle are refused', async () => {
    const query =
      '{ __type(name: "Game") { ...a } } fragment a on __Type { ofType { ...b } } fragment b on __Type { ofType { ...a } }';
    expect(await codeOf(query)).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});
