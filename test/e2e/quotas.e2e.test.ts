import { randomUUID } from 'node:crypto';
import { parseList } from 'structured-headers';
import { PASSWORD, type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { restApi } from '../support/api.js';
import { startServer, type TestServer } from '../support/server.js';
import { type By, type Request, type Response, send } from '../support/transport.js';

/** What answers tell of limits: `RateLimit` and `RateLimit-Policy`, read by another program's parser. */

const LIMITS = {
  GUESTS_PER_HOUR: '2',
  REGISTRATIONS_PER_HOUR: '4',
  RECOVERIES_PER_HOUR: '3',
  MESSAGES_PER_MINUTE: '2',
  MAX_WRONG_PASSWORDS: '5',
};

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await startServer(LIMITS);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
});
afterAll(() => server.close());

type Told = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The items of both headers by name: limit, window, what is left and the seconds until then. */
function told({ headers }: Response): Told {
  const read = (name: string) =>
    parseList(headers[name] ?? '').map(([name, parameters]) => [name as string, Object.fromEntries(parameters)] as const); // prettier-ignore
  const policies = Object.fromEntries(read('ratelimit-policy'));
  const states = read('ratelimit');
  expect(states.map(([name]) => name)).toEqual(Object.keys(policies));
  return Object.fromEntries(states.map(([name, state]) => [name, { ...policies[name], ...state }]));
}

const post = (path: string, body: unknown, by: By = null, headers: Request['headers'] = {}) =>
  send(server.http, `/v1/${path}`, { method: 'post', body, headers }, by);
const graphql = (query: string, input: unknown, by: By = null) =>
  send(server.http, '/graphql', { method: 'post', body: { query, variables: { input } } }, by);

const seconds = (most: number) => {
  const isWithin = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
  return { asymmetricMatch: isWithin, toString: () => `0 to ${most}` };
};

test('a wrong password counts for the address, and is told of its name there when it is refused', async () => {
  const { username } = ann;
  const wrong = await post('sessions', { username, password: 'a wrong guess' });
  expect(told(wrong)).toEqual({ passwords: { q: 100, w: 900, r: 99, t: seconds(900) } });
  const login = 'mutation ($input: LoginInput!) { login(input: $input) { session { id } } }';
  const right = await graphql(login, { username, password: PASSWORD });
  expect(told(right)).toEqual({ passwords: { q: 100, w: 900, r: 99, t: seconds(900) } });
  expect(told(await post('me/confirmations', { password: PASSWORD }, ann))).toHaveProperty('passwords');
  for (const name of [ben.username, `nobody-${randomUUID().slice(0, 8)}`]) {
    const answers = [];
    for (let i = 0; i < 6; i += 1)
      answers.push(await graphql(login, { username: name, password: 'a wrong guess' }));
    const shown = answers.map((answer) => told(answer)['passwords-of-name']);
    const { retryAfter } = answers.at(-1)!.body.errors[0].extensions;
    expect(shown).toEqual([...Array<undefined>(5).fill(undefined), { q: 5, w: 900, r: 0, t: retryAfter }]);
  }
});

test('the last of a limit is told with its answer, and what is too many with its refusal', async () => {
  const answers = [];
  for (let i = 0; i < 3; i += 1) answers.push(await post('guests', {}));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(answers.map((answer) => told(answer).guests!.r)).toEqual([1, 0, 0]);
  const last = answers.at(-1)!;
  expect(told(last)).toEqual({ guests: { q: 2, w: 3600, r: 0, t: Number(last.headers['retry-after']) } });
});

test('looks at links of applications are counted for the address, apart from registrations', async () => {
  const token = 'unknown';
  const answers = [await post('claims/look', { token })];
  const look = 'mutation ($input: LookAtClaimInput!) { lookAtClaim(input: $input) { displayName } }';
  answers.push(await graphql(look, { token }));
  for (let i = 0; i < 3; i += 1) answers.push(await post('claims/look', { token }));
  expect(answers.map((answer) => told(answer)['claim-looks']!.r)).toEqual([3, 2, 1, 0, 0]);
  const last = answers.at(-1)!;
  expect([last.status, last.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(told(last)).toEqual({ 'claim-looks': { q: 4, w: 3600, r: 0, t: Number(last.headers['retry-after']) } }); // prettier-ignore
});

test('recoveries, registrations, tokens, challenges, messages and imports tell of theirs', async () => {
  const recovery = await post('recoveries', { usernameOrEmail: ann.username });
  expect(told(recovery)).toEqual({ recoveries: { q: 3, w: 3600, r: 2, t: seconds(3600) } });
  const username = `new-${randomUUID().slice(0, 8)}`;
  const key = { 'Idempotency-Key': randomUUID() };
  const registered = await post('users', { username, password: PASSWORD }, null, key);
  expect(told(registered)).toHaveProperty('registrations.w', 3600);
  await post('me/confirmations', { password: PASSWORD }, ann);
  const token = await post('me/tokens', { name: 'bot', scopes: ['games:read'] }, ann);
  expect(told(token)).toEqual({ tokens: { q: 200, w: 86_400, r: 199, t: seconds(86_400) } });
  const terms = { ruleset: 'chess', timeControl: { none: {} } };
  const opponent = { username: ben.username };
  for (const answer of [
    await post('seeks', terms, ann),
    await post('challenges', { ...terms, opponent }, ann),
  ])
    expect(Object.keys(told(answer))).toEqual(['challenges-per-minute', 'challenges-per-hour']);
  const moves = await post('imports', { text: '1. e4 e5 1-0' }, ann);
  expect(Object.keys(told(moves))).toEqual(['imports-per-minute', 'imports-per-hour']);
  const { id } = await begin(restApi(server.http), ann, ben);
  const messages = [];
  for (const text of ['one', 'two', 'three'])
    messages.push(await post(`games/${id}/messages`, { text }, ann));
  expect(messages.map((answer) => told(answer)['messages-per-minute']!.r)).toEqual([1, 0, 0]);
  expect(messages.map(({ status }) => status)).toEqual([201, 201, 429]);
});

test('several root fields of a document are told together', async () => {
  const query = `mutation ($one: SendMessageInput!, $two: CreateSeekInput!) {
    createSeek(input: $two) { challenge { id } }
    sendMessage(input: $one) { message { id } }
  }`;
  const { id } = await begin(restApi(server.http), ben, ann);
  const variables = {
    one: { gameId: id, text: 'hello' },
    two: { ruleset: 'chess', timeControl: { none: {} } },
  };
  const answer = await send(server.http, '/graphql', { method: 'post', body: { query, variables } }, ben);
  expect(answer.body.errors).toBeUndefined();
  expect(Object.keys(told(answer)).sort()).toEqual([
    'challenges-per-hour',
    'challenges-per-minute',
    'messages-per-hour',
    'messages-per-minute', // prettier-ignore
  ]);
});

test('an answer that nothing was counted for says nothing, nor does one that is repeated', async () => {
  const me = await send(server.http, '/v1/me', {}, ann);
  expect([me.headers.ratelimit, me.headers['ratelimit-policy']]).toEqual([undefined, undefined]);
  const key = { 'Idempotency-Key': randomUUID() };
  const cleo = await register(server.http, 'cleo');
  const own = await begin(restApi(server.http), cleo, ben);
  const first = await post(`games/${own.id}/messages`, { text: 'once' }, cleo, key);
  const second = await post(`games/${own.id}/messages`, { text: 'once' }, cleo, key);
  expect([first, second].map(({ status }) => status)).toEqual([201, 201]);
  expect([first, second].map((answer) => Object.keys(told(answer)).length)).toEqual([2, 0]);
});

test('pages of other origins may read it', async () => {
  const answer = await send(server.http, '/v1/rulesets', { headers: { Origin: 'https://example.org' } });
  expect(answer.headers['access-control-expose-headers']).toMatch(/ratelimit, ratelimit-policy/);
});
