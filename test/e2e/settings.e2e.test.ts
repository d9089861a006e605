import { once } from 'node:events';
import WebSocket from 'ws';
import { restApi } from '../support/api.js';
import { MATE } from '../support/imports.js';
import { type Person, register } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Response, send } from '../support/transport.js';

/** A server enforces the configured limits, and states them in its errors. */

let server: TestServer;
let ann: Person;
beforeAll(async () => {
  server = await startServer({
    MAX_REQUEST_KB: '2',
    MAX_QUERY_DEPTH: '4',
    MAX_QUERY_ROOT_FIELDS: '2',
    MAX_QUERY_ALIASES: '3',
    MAX_QUERY_DIRECTIVES: '1',
    MAX_QUERY_COST: '50',
    MAX_QUERY_TOKENS: '60',
    MAX_GAMES_PER_IMPORT: '2',
    MAX_PLIES_PER_IMPORT: '7',
    MAX_WRONG_PASSWORDS: '2',
    MAX_WRONG_PASSWORDS_PER_ADDRESS: '3',
    WRONG_PASSWORD_SECONDS: '86400',
    SOCKET_INIT_SECONDS: '2',
  });
  ann = await register(server.http, 'ann');
});
afterAll(() => server.close());

interface Fault {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

const post = (query: string): Promise<Response> =>
  send(server.http, '/graphql', { method: 'post', body: { query } });

const ask = async (query: string): Promise<Fault | null> => {
  const { body } = await post(query);
  return (body as { errors?: readonly Fault[] }).errors?.[0] ?? null;
};

const SCHEMA = '__schema { types { name } }';

it.each([
  [
    'levels',
    `{ ${SCHEMA} }`,
    '{ __schema { types { fields { type { name } } } } }',
    '5 levels deep; the limit is 4',
  ],
  [
    'root fields',
    '{ a: __typename __typename }',
    '{ a: __typename b: __typename __typename }',
    '3 root fields; the limit is 2',
  ],
  [
    'aliases',
    '{ __schema { a: __typename b: __typename c: __typename } }',
    '{ __schema { a: __typename b: __typename c: __typename d: __typename } }',
    '4 aliases; the limit is 3',
  ],
  [
    'directives',
    '{ __typename @include(if: true) }',
    '{ __typename @include(if: true) @skip(if: false) }',
    '2 directives; the limit is 1',
  ],
  [
    'fields',
    '{ games(first: 6) { edges { node { id } } } }',
    '{ games { edges { node { id } } } }',
    'the limit is 50',
  ],
])('limits the %s of a query', async (_, most, more, words) => {
  expect(await ask(most)).toBeNull();
  const fault = await ask(more);
  expect(fault).toMatchObject({ extensions: { code: 'QUERY_TOO_COSTLY' } });
  expect(fault!.message).toContain(words);
});

it('limits the tokens of a query', async () => {
  expect(await ask(`{ __schema { ${'__typename '.repeat(45)}} }`)).toBeNull();
  expect(await ask(`{ __schema { ${'__typename '.repeat(70)}} }`)).toMatchObject({
    extensions: { code: 'GRAPHQL_PARSE_FAILED' },
  });
});

it('limits the size of a body', async () => {
  const sized = (length: number) => post(`{ __typename } #${'x'.repeat(length)}`);
  expect([(await sized(1900)).status, (await sized(2100)).status]).toEqual([200, 413]);
});

describe('a socket', () => {
  const opened = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    return socket;
  };
  const codeOf = async (socket: WebSocket) => ((await once(socket, 'close')) as [number])[0];

  it('is closed after a message over the size limit', async () => {
    const socket = await opened();
    socket.send('x'.repeat(2 * 1024 + 1));
    expect(await codeOf(socket)).toBe(1009);
  });

  it('is closed when it does not send connection_init in time', async () => {
    expect(await codeOf(await opened())).toBe(4408);
  });
});

it.each([
  ['games', '1. e4 e5 1/2-1/2\n\n'.repeat(3), 'A text must have at most 2 games;'],
  ['plies', `${MATE}\n${MATE}`, 'The games of a text must have at most 7 plies in all;'],
])('limits the %s of an imported text', async (_, text, words) => {
  const { refusal, message } = await restApi(server.http).importGames(ann, { text });
  expect(refusal).toMatchObject({ code: 'INVALID_GAME_TEXT' });
  expect(message).toContain(words);
});

it('limits wrong passwords per address, for the configured seconds', async () => {
  const codes: string[] = [];
  let retryAfter = 0;
  for (const username of ['one', 'two', 'three', 'four']) {
    const answer = await restApi(server.http).login(null, { username, password: 'a wrong guess' });
    codes.push(answer.refusal!.code);
    retryAfter = answer.retryAfter ?? 0;
  }
  expect(codes).toEqual([...Array<string>(3).fill('INVALID_CREDENTIALS'), 'RATE_LIMITED']);
  expect([retryAfter > 80_000, retryAfter <= 86_400]).toEqual([true, true]);
});
