import { setTimeout as pause } from 'node:timers/promises';
import type { ApolloDriver } from '@nestjs/apollo';
import { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import { GamesService } from '../../src/features/games/games.service.js';
import { createBusyUser, type BusyUser } from '../support/busy-user.js';
import { valuesIn } from '../support/busy-values.js';
import { random } from '../support/random-games.js';
import { randomQuery, type Values } from '../support/random-queries.js';
import { rounds, SEED, printCounts } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { stopTime } from '../support/stopped-time.js';
import { send, type Body, type By, type Request } from '../support/transport.js';

/** A document that was executed before is answered without Apollo Server, and in the same words. */
// Long: it plays many random cases.

let server: TestServer;
let some: BusyUser;
let values: Values;
/** How many requests Apollo Server has answered. */
let answeredByApollo = 0;

beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600' });
  some = await createBusyUser(server);
  values = await valuesIn(server, some);
  stopTime(server.app);
  const apollo = server.app.get(GraphQLModule<ApolloDriver>).graphQlAdapter.instance;
  const execute = apollo.executeHTTPGraphQLRequest.bind(apollo);
  apollo.executeHTTPGraphQLRequest = (request) => {
    answeredByApollo += 1;
    return execute(request);
  };
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The answer without what differs from request to request. */
async function answerTo(request: Request, by: By): Promise<Answer> {
  const { status, headers, text } = await send(server.http, '/graphql', { method: 'post', ...request }, by);
  const { date: _, 'x-request-id': id, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(id!, 'ID') };
}

/** The answer, and whether Apollo Server gave it. */
async function asked(request: Request, by: By): Promise<Answer & { readonly byApollo: boolean }> {
  const before = answeredByApollo;
  const answer = await answerTo(request, by);
  return { ...answer, byApollo: answeredByApollo > before };
}

/** The same request with extensions, which only Apollo Server reads. */
const extended = ({ body, ...request }: Request): Request => ({ ...request, body: { ...(body as Body), extensions: {} } }); // prettier-ignore

/** Both answers to a document that was sent with `good` variables before, and whether it was executed then. */
async function bothAnswers(query: string, good: Body, variables: Body, by: By) {
  const { status } = await answerTo({ body: { query, variables: good } }, by);
  const request = { body: { query, variables } };
  const apollo = await asked(extended(request), by);
  expect(apollo.byApollo).toBe(true);
  return { apollo, direct: await asked(request, by), isRepeated: status === 200 };
}

const JUNK: readonly unknown[] = [null, 'junk', -1, 1e9, {}, { ruleset: 1 }, [['x']], true];

/** The variables with one of them wrong, missing or unknown. */
function broken(variables: Body, pick: (most: number) => number): Body {
  const names = Object.keys(variables);
  const name = names[pick(names.length + 1)] ?? 'unknown';
  const { [name]: _, ...others } = variables;
  return pick(4) === 0 ? others : { ...others, [name]: JUNK[pick(JUNK.length)] };
}

test('random documents get the same answers, with right and wrong variables', async () => {
  const schema = server.app.get(GraphQLSchemaHost).schema;
  const pick = random(SEED);
  const counts = { direct: 0, withErrors: 0, refused: 0 };
  for (let i = 0; i < rounds(2000, 150); i += 1) {
    const { query, variables } = randomQuery(schema, values, pick);
    const by = pick(3) === 0 ? null : some.ann;
    for (const sent of [variables, broken(variables, pick)]) {
      const { apollo, direct, isRepeated } = await bothAnswers(query, variables, sent, by);
      expect([query, sent, direct]).toEqual([query, sent, { ...apollo, byApollo: direct.byApollo }]);
      // What is refused before it is executed is refused by Apollo Server.
      expect(direct.byApollo).toBe(apollo.status !== 200 || !isRepeated);
      counts[direct.byApollo ? 'refused' : apollo.text.startsWith('{"errors"') ? 'withErrors' : 'direct'] += 1; // prettier-ignore
    }
  }
  printCounts('answers', counts);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(5);
});

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const RESIGN = 'mutation ($input: ResignInput!) { resign(input: $input) { game { id } } }';
const GAME = 'query ($id: ID!) { game(id: $id) { id players { player { username } } } }';

test.each<[string, string, Body, boolean]>([
  ['a query', GAME, { id: NOWHERE }, true],
  ['a query with the wrong kind of id', GAME, { id: 'nowhere' }, true],
  ['a mutation that is refused', RESIGN, { input: { gameId: NOWHERE } }, true],
  ['a mutation of an invalid input', RESIGN, { input: { gameId: 'nowhere' } }, true],
  ['a mutation without its input', RESIGN, {}, false],
  ['a mutation with an unknown field', RESIGN, { input: { gameId: NOWHERE, because: 1 } }, false],
  ['what only a signed-in user may ask', '{ myGames { edges { cursor } } }', {}, true],
  ['the schema', '{ __type(name: "Game") { name } }', {}, true],
  ['a page that costs too much', 'query ($n: Int) { games(first: $n) { edges { node { moves { edges { cursor } } } } } }', { n: 100 }, false], // prettier-ignore
  ['two options of which only one may be given', 'mutation ($t: TimeControlInput!) { createSeek(input: { ruleset: "chess", timeControl: $t }) { seek { id } } }', { t: { perMove: { seconds: 86400 }, unlimited: true } }, false], // prettier-ignore
])('answers %s in the same words', async (_, query, variables, isDirect) => {
  const good = { ...variables, input: { gameId: NOWHERE }, n: 1, t: { perMove: { seconds: 86400 } } };
  for (const by of [null, some.ann]) {
    const { apollo, direct } = await bothAnswers(query, good, variables, by);
    expect(direct).toEqual({ ...apollo, byApollo: !isDirect });
  }
});

test('masks an unexpected error, with the id of its own request', async () => {
  const games = server.app.get(GamesService);
  Object.assign(games, { found: () => Promise.reject(new Error('a secret')) });
  const { apollo, direct } = await bothAnswers(GAME, { id: NOWHERE }, { id: NOWHERE }, null);
  Reflect.deleteProperty(games, 'found');
  expect(direct).toEqual({ ...apollo, byApollo: false });
  expect(direct.text).toMatch(/unexpected error occurred on the server \(request ID\)/);
});

const NAME = '{ __typename }';

test.each<[string, Request]>([
  ['by GET', { method: 'get', query: { query: NAME } }],
  ['of another content type', { body: JSON.stringify({ query: NAME }), headers: { 'content-type': 'text/plain' } }], // prettier-ignore
  ['with extensions', { body: { query: NAME, extensions: {} } }],
  ['in a list', { body: [{ query: NAME }] }],
  ['with variables as a text', { body: { query: NAME, variables: '{}' } }],
  ['with variables as a list', { body: { query: NAME, variables: [] } }],
  ['with a number for a name', { body: { query: NAME, operationName: 1 } }],
  ['with an unknown name', { body: { query: NAME, operationName: 'Another' } }],
  ['for a media type that there is not', { body: { query: NAME }, headers: { accept: 'image/png' } }],
])('leaves a request %s to Apollo Server', async (_, request) => {
  await asked({ body: { query: NAME } }, null);
  expect((await asked({ body: { query: NAME } }, null)).byApollo).toBe(false);
  const [first, second] = [await asked(request, null), await asked(request, null)];
  expect(second).toEqual(first);
  expect(first.byApollo || first.status === 415).toBe(true);
});

test.each(['*/*', 'application/json', 'application/graphql-response+json, application/json;q=0.9'])(
  'answers for Accept: %s with the media type that Apollo Server chooses',
  async (accept) => {
    const request = { body: { query: NAME }, headers: { accept } };
    const answers = [await asked(request, null), await asked(request, null)];
    expect(answers[1]).toEqual({ ...answers[0], byApollo: false });
    const type = accept.startsWith('application/graphql') ? 'graphql-response+json' : 'json';
    expect(answers[1]!.headers['content-type']).toBe(`application/${type}; charset=utf-8`);
  },
);

test('executes the operation that is named', async () => {
  const query = 'query A { a: __typename } query B { b: __typename }';
  const named = async (operationName: string | null) => {
    const { text, byApollo } = await asked({ body: { query, operationName } }, null);
    return { text: text.slice(0, 20), byApollo };
  };
  await named('A');
  expect([await named('A'), await named('B'), await named(null)]).toMatchObject([
    { text: '{"data":{"a":"Query"', byApollo: false },
    { text: '{"data":{"b":"Query"', byApollo: false },
    { text: expect.stringMatching(/^\{"errors"/) as unknown, byApollo: true },
  ]);
});

test('an operation that is refused is not remembered', async () => {
  const refused = { body: { query: '{ nothing }' } };
  for (let i = 0; i < 3; i += 1) expect((await asked(refused, null)).byApollo).toBe(true);
});

test('forgets the documents that were not used for long', async () => {
  const numbered = (n: number) => ({ body: { query: `{ a: __typename #${n}${'x'.repeat(50_000)}\n}` } });
  for (let n = 0; n < 6; n += 1) {
    await asked(numbered(n), null);
    await asked({ body: { query: NAME } }, null);
    await pause(1);
  }
  const byApollo = async (request: Request) => (await asked(request, null)).byApollo;
  expect(await byApollo({ body: { query: NAME } })).toBe(false);
  expect([await byApollo(numbered(5)), await byApollo(numbered(0))]).toEqual([false, true]);
});
