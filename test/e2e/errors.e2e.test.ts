import { getIntrospectionQuery } from 'graphql';
import { GamesStore } from '../../src/features/games/games.store.js';
import { makeLogger, NestLogger } from '../../src/platform/process/logging.js';
import { restApi } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { type Body, type By, send, sendGraphql } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** Errors: one table of codes for both transports, and no internal details. */

const NOWHERE = '01890000-0000-7000-8000-000000000000';
const JSON_TYPE = 'application/json';

let server: TestServer;
let ann: Person;
const lines: string[] = [];
beforeAll(async () => {
  server = await sharedServer();
  ann = await register(server.http, 'ann');
  server.app.useLogger(new NestLogger(makeLogger('info', { write: (line) => void lines.push(line) })));
});
afterAll(() => server.close());

const post = (path: string, body: string, type = JSON_TYPE, headers = {}, by: By = null) =>
  send(server.http, path, { method: 'post', headers: { 'Content-Type': type, ...headers }, body }, by);

/** A challenge of Ann's, word for word. */
const challenge = (body: string, type = JSON_TYPE, headers = {}) =>
  post('/v1/challenges', body, type, headers, ann);

const ask = (query: string, variables: Body = {}, by: By = null) =>
  sendGraphql(server.http, query, variables, by);

/** While `work` runs, looking up a game fails with `failure`. */
async function failing<T>(failure: Error, work: () => PromiseLike<T>): Promise<T> {
  const store = server.app.get(GamesStore);
  const find = store.find.bind(store);
  store.find = () => Promise.reject(failure);
  try {
    return await work();
  } finally {
    store.find = find;
  }
}

it('takes an address with a closing slash for the same', async () => {
  for (const path of ['/v1/games', '/v1/rulesets/chess', '/graphql?query={__typename}']) {
    const [plain, closed] = await Promise.all(
      [path, path.replace(/(\?|$)/, '/$1')].map((each) => send(server.http, each)),
    );
    expect([closed!.status, closed!.body]).toEqual([plain!.status, plain!.body]);
  }
});

describe('REST answers with problem details', () => {
  it.each<[method: 'get' | 'put', path: string, status: number, code: string]>([
    ['get', '/nothing', 404, 'NOT_FOUND'],
    ['get', '/v1/nothing', 404, 'NOT_FOUND'],
    ['put', '/v1/nothing', 404, 'NOT_FOUND'],
    ['put', '/v1/games', 405, 'METHOD_NOT_ALLOWED'],
    ['put', '/v1/games/by-ids', 405, 'METHOD_NOT_ALLOWED'],
    ['get', '/v1/games/x', 404, 'NOT_FOUND'],
    ['get', '/v1/games/%00', 404, 'NOT_FOUND'],
    ['get', '/v1/games/%', 400, 'BAD_INPUT'],
    ['get', `/v1/games/${'x'.repeat(200)}`, 414, 'ADDRESS_TOO_LONG'],
    ['get', `/v1/games/${NOWHERE}`, 404, 'NOT_FOUND'],
    ['get', `/v1/games/${NOWHERE}/moves?first=x`, 400, 'BAD_INPUT'],
    ['get', '/v1/me/games', 401, 'UNAUTHENTICATED'],
    ['get', '/v1/challenges?box=incoming', 401, 'UNAUTHENTICATED'],
  ])('%s %s: %d %s', async (method, path, status, code) => {
    const answer = await send(server.http, path, { method });
    const { title, detail, requestId } = answer.body;
    expect([answer.status, answer.body.status, answer.body.code]).toEqual([status, status, code]);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect([typeof title, typeof detail, answer.body.type]).toEqual(['string', 'string', 'about:blank']);
    expect(requestId).toBe(answer.headers['x-request-id']);
  });

  it.each([
    ['malformed JSON', 400, 'BAD_INPUT', '{"ruleset":', JSON_TYPE],
    ['a string', 400, 'BAD_INPUT', '', JSON_TYPE],
    ['a string', 400, 'BAD_INPUT', '[]', JSON_TYPE],
    ['a string', 400, 'BAD_INPUT', '"chess"', JSON_TYPE],
    ['null', 400, 'BAD_INPUT', 'null', JSON_TYPE],
    ['a prototype', 400, 'BAD_INPUT', '{"__proto__":{"ruleset":"chess"}}', JSON_TYPE],
    [
      'a body over 64 KiB',
      413,
      'PAYLOAD_TOO_LARGE',
      JSON.stringify({ ruleset: 'x'.repeat(66_000) }),
      JSON_TYPE,
    ],
    ['XML', 415, 'UNSUPPORTED_MEDIA_TYPE', '<a/>', 'application/xml'],
    ['an unknown content type', 415, 'UNSUPPORTED_MEDIA_TYPE', '{}', 'application/x-nothing'],
  ])('to %s: %d %s', async (_, status, code, body, type) => {
    const answer = await challenge(body, type);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });

  it('to options nested without end', async () => {
    const options = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const body = `{"ruleset":"chess","timeControl":{"none":{}},"opponent":{"link":true},"options":${options}}`;
    const answer = await challenge(body, JSON_TYPE, { 'Idempotency-Key': 'deep' });
    expect([answer.status, answer.body.code]).toEqual([
      400,
      expect.stringMatching(/BAD_INPUT|INVALID_OPTIONS/),
    ]);
  });

  it('says what would be right when something is wrong', async () => {
    const body = { ruleset: 'chess', timeControl: NO_CLOCK, seat: 'white' };
    const { refusal, message } = await restApi(server.http).createChallenge(ann, body);
    expect(refusal).toMatchObject({ code: 'BAD_INPUT', field: 'seat' });
    expect(message).toMatch(/first, second, any/);
  });

  it.each([[{}], [{ none: {}, perMove: { seconds: 60 } }], [{ none: null }], [{ bank: null, none: {} }]])(
    'names the alternatives of which one is required: %j',
    async (timeControl) => {
      const { refusal, message } = await restApi(server.http).createSeek(ann, {
        ruleset: 'chess',
        timeControl,
      });
      expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'timeControl' });
      expect(message).toMatch(/^timeControl must have exactly one of perMove, bank and none; got .+\.$/);
    },
  );
});

it('lists the accepted content types for an unknown one', async () => {
  const answer = await post('/v1/challenges', '<a/>', 'application/xml');
  expect(answer.body.detail).toMatch(/Content-Type: application\/json; got "application\/xml"\.$/);
});

describe('a field that has moved says where to', () => {
  const terms = 'ruleset: "chess", timeControl: {none: {}}, clientSeed: "x"';
  it.each([
    [`mutation { createChallenge(input: {opponent: {link: true}, ${terms}}) { challenge { id } } }`, {}],
    [`mutation { createSeek(input: {${terms}}) { challenge { id } } }`, {}],
    [`mutation { offerRematch(input: {gameId: "${NOWHERE}", clientSeed: "x"}) { challenge { id } } }`, {}],
    ['mutation ($input: CreateSeekInput!) { createSeek(input: $input) { challenge { id } } }', { input: { ruleset: 'chess', timeControl: { none: {} }, clientSeed: 'x' } }], // prettier-ignore
  ])('%s', async (query, variables) => {
    const { body } = await ask(query, variables);
    expect(body.errors[0].message).toMatch(
      /give it with giveClientSeed .*, send its SHA-256 as clientSeedHash\.$/,
    );
    expect(body.errors[0].message).not.toMatch(/Did you mean/);
  });
});

describe('GraphQL answers with codes', () => {
  it.each([
    ['{', 'GRAPHQL_PARSE_FAILED'],
    ['', 'BAD_INPUT'],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['{ game { id } }', 'BAD_INPUT'],
    ['query A { __typename } query B { __typename }', 'OPERATION_RESOLUTION_FAILURE'],
    ['query ($id: ID!) { game(id: $id) { id } }', 'BAD_INPUT'],
    ['{ games(first: 0) { edges { cursor } } }', 'BAD_INPUT'],
    ['{ statistics(username: "nobody-here") { calledOff } }', 'NOT_FOUND'],
    ['{ myGames { edges { cursor } } }', 'UNAUTHENTICATED'],
    ['{ myGames(first: "x") { edges { cursor } } }', 'BAD_INPUT'],
    ['subscription { gameChanged(gameId: "x") { id } }', 'BAD_INPUT'],
  ])('%j: %s', async (query, code) => {
    const { body, headers } = await ask(query);
    expect([query, body.errors[0].extensions.code]).toEqual([query, code]);
    expect(
      Object.keys(body.errors[0]).every((key) =>
        ['message', 'locations', 'path', 'extensions'].includes(key),
      ),
    ).toBe(true);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [{ filter: { seconds: 'x' } }, 'filter.seconds'],
    [{ filter: { status: ['FINISHED', 'OVER'] } }, 'filter.status.1'],
    [{ filter: { createdFrom: 'today' } }, 'filter.createdFrom'],
    [{ filter: { nothing: 1 } }, 'filter.nothing'],
    [{ first: 1.5 }, 'first'],
    [{ first: [1] }, 'first'],
  ])('with the path of the wrong variable: %j', async (variables, field) => {
    const query = 'query ($filter: GamesFilter, $first: Int) { games(filter: $filter, first: $first) { edges { cursor } } }'; // prettier-ignore
    const { body } = await ask(query, variables);
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_INPUT', field });
  });

  it.each(['input', 'foo', 'opponent'])('whatever the name of the variable: $%s', async (name) => {
    const query = `mutation ($${name}: CreateSeekInput!) { createSeek(input: $${name}) { challenge { id } } }`;
    const terms = { ruleset: 'chess', timeControl: { perMove: { seconds: 'x' } } };
    const { body } = await ask(query, { [name]: terms });
    expect(body.errors[0].extensions).toEqual({ code: 'BAD_INPUT', field: 'timeControl.perMove.seconds' });
  });

  it.each([
    ['malformed JSON', 400, '{"query":'],
    ['a batch', 400, '[{"query":"{ __typename }"}]'],
    ['a query that is not a string', 400, '{"query":5}'],
    ['variables that are not an object', 400, '{"query":"{ __typename }","variables":[1]}'],
    ['a body over 64 KiB', 413, JSON.stringify({ query: `{ __typename } #${'x'.repeat(66_000)}` })],
  ])('%s: %d', async (_, status, body) => {
    const answer = await post('/graphql', body);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/node_modules|\.ts|\.js/);
  });

  it('accepts the introspection of every client', async () => {
    const { body } = await ask(getIntrospectionQuery({ descriptions: true, schemaDescription: true }));
    expect(body.errors).toBeUndefined();
    expect(body.data.__schema.subscriptionType.name).toBe('Subscription');
  });
});

describe('an unexpected failure', () => {
  const WORDS = 'secret words of the database';
  const logged = (id: unknown) =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ requestId }) => requestId === id);

  it.each([
    ['an error', new Error(WORDS)],
    ['a string', WORDS as unknown as Error],
    ['an error with a status', Object.assign(new Error(WORDS), { statusCode: 404, status: 404 })],
    [
      'an error with a code',
      Object.assign(new Error(WORDS), { code: 'NOT_FOUND', extensions: { code: 'NOT_FOUND' } }),
    ],
  ])('masks %s, and logs it under the request id', async (_, failure) => {
    const rest = await failing(failure, () => send(server.http, `/v1/games/${NOWHERE}`));
    expect(rest.status).toBe(500);
    const id = rest.headers['x-request-id'];
    expect(rest.body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: `An unexpected error occurred on the server (request ${id}). Report it to the operator.`,
      code: 'INTERNAL',
      requestId: id,
    });
    expect(
      logged(id)
        .map((line) => JSON.stringify(line))
        .join(),
    ).toContain(WORDS);

    const graphql = await failing(failure, () => ask(`{ game(id: "${NOWHERE}") { id } }`));
    const [error] = graphql.body.errors;
    const graphqlId = graphql.headers['x-request-id'];
    expect(graphql.body.data).toEqual({ game: null });
    expect([error.message, error.extensions]).toEqual([
      `An unexpected error occurred on the server (request ${graphqlId}). Report it to the operator.`,
      { code: 'INTERNAL' },
    ]);
    expect(
      logged(graphqlId)
        .map((line) => JSON.stringify(line))
        .join(),
    ).toContain(WORDS);
    expect(rest.text + graphql.text).not.toContain('secret');
    expect(id).not.toBe(graphqlId);
  });

  it('reports an unavailable database, with Retry-After', async () => {
    const gone = Object.assign(new Error(WORDS), { code: 'P1017' });
    const rest = await failing(gone, () => send(server.http, `/v1/games/${NOWHERE}`));
    expect([rest.status, rest.body.code, rest.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '2']);
    const graphql = await failing(gone, () => ask(`{ game(id: "${NOWHERE}") { id } }`));
    expect(graphql.body.errors[0].extensions).toEqual({ code: 'UNAVAILABLE', retryAfter: 2 });
    expect(rest.text + graphql.text).not.toContain('secret');
  });

  it('no secret of a request is logged', async () => {
    const api = restApi(server.http);
    const [seed, wrong] = [newSeed(), `${newSeed()} or so`];
    const { data } = await api.createChallenge(ann, { ruleset: 'chess', timeControl: NO_CLOCK });
    for (const given of [seed, wrong]) await api.giveClientSeed(ann, data.id, given);
    await api.challenge(null, data.id, data.linkToken!);
    await api.acceptChallenge(null, data.id, { linkToken: data.linkToken });
    const log = lines.join('');
    expect(log).toContain('GET /v1/challenges/:id 200');
    for (const secret of [data.linkToken!, seed, wrong, ann.authorization.slice(7), ann.refreshToken]) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('helpful messages', () => {
  it.each([
    ['a missing string', {}, 'ruleset', 'ruleset is required.'],
    ['a value that is not a string', { ruleset: {} }, 'ruleset', 'ruleset must be a string; got an object.'],
    [
      'an option with a name that every object inherits',
      { ruleset: 'chess', timeControl: NO_CLOCK, options: { toString: 1 } },
      'options',
      'Chess has no option "toString". Leave it out.',
    ],
  ])('the error names %s', async (_, body, field, detail) => {
    const { status, refusal, message } = await restApi(server.http).createChallenge(ann, body);
    expect({ status, field: refusal?.field, detail: message }).toEqual({ status: 400, field, detail });
  });

  it.each(['constructor', 'prototype', '__proto__'])('refuses an option named %s', async (name) => {
    const text = `{"ruleset":"chess","timeControl":{"none":{}},"opponent":{"link":true},"options":{"${name}":1}}`;
    expect((await challenge(text)).status).toBe(400);
    const query = `mutation { createChallenge(input: {ruleset: "chess", opponent: {link: true}, timeControl: {none: {}}, options: {${name}: 1}}) { challenge { id } } }`;
    const graphql = await ask(query, {}, ann);
    expect(graphql.body.errors[0].extensions.code).toMatch(/^(BAD_INPUT|INVALID_OPTIONS)$/);
  });

  it('refuses an infinite number, with and without an idempotency key', async () => {
    const text =
      '{"ruleset":"banqi-taiwan","opponent":{"link":true},"timeControl":{"none":{}},"options":{"quietLimit":1e999}}';
    expect((await challenge(text)).status).toBe(400);
    expect((await challenge(text, JSON_TYPE, { 'Idempotency-Key': 'beyond' })).status).toBe(400);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
    'answers a body of type %s with 415',
    async (type) => {
      const answer = await post('/v1/users', 'username=ann', type);
      expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );

  it('answers an operation that is too large with the status of its code', async () => {
    const answer = await ask(`{ ${Array.from({ length: 40 }, (_, n) => `a${n}: __typename`).join(' ')} }`);
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'QUERY_TOO_COSTLY']);
  });
});
