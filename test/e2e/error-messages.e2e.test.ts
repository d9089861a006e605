import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType } from 'graphql';
import { ERROR_CODES } from '../../src/platform/errors/error-codes.js';
import { isSecret } from '../../src/platform/process/secret-names.js';
import { restApi } from '../support/api.js';
import { Pair } from '../support/pair.js';
import { ACCOUNTS } from '../support/provoked/accounts.js';
import { FAULTS } from '../support/provoked/faults.js';
import { GAMES } from '../support/provoked/games.js';
import { MATCHMAKING } from '../support/provoked/matchmaking.js';
import { REQUESTS } from '../support/provoked/requests.js';
import { NOWHERE, refusedIn, type Row } from '../support/provoked/row.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, send, sendGraphql } from '../support/transport.js';

/** Every error of the table is provoked, and says in plain words what is wrong with the request. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

/** Codes that no request to this server can get. */
const NEVER = ['PERSISTED_QUERY_NOT_SUPPORTED'];

const MAX_LENGTH = 300;

/** What docs/api.md says that each error of these codes has. */
const PROMISED: Partial<Record<string, readonly string[]>> = {
  RATE_LIMITED: ['limit', 'retryAfter'],
  LIMIT_REACHED: ['limit'],
  OVERLOADED: ['retryAfter'],
  UNAVAILABLE: ['retryAfter'],
  STORAGE_FULL: ['retryAfter'],
  STALE_VERSION: ['currentVersion'],
  INSUFFICIENT_SCOPE: ['scope'],
  ILLEGAL_MOVE: ['fault'],
  AMBIGUOUS_MOVE: ['candidates'],
  INVALID_GAME_TEXT: ['line', 'column'],
};

const ROWS = [REQUESTS, ACCOUNTS, GAMES, MATCHMAKING, FAULTS].flatMap((rows) =>
  Object.entries(rows).flatMap(([code, some]) => some.map((row) => [code, row] as const)),
);

const named = (code: string, n: number, { has }: Row): string =>
  [code, has.field, `(${n})`].filter((part) => part !== undefined).join(' ');

test.each(ROWS.map(([code, row], n) => [named(code, n, row), code, row] as const))(
  '%s',
  async (_, code, { provoke, says, has }) => {
    const pair = new Pair(server, time, restApi(server.http));
    await pair.meet();
    const world = { server, time, api: pair.api, ann: pair.first, ben: pair.second, pair };
    const { message, ...refused } = refusedIn(await provoke(world));
    expect([refused.code, message]).toEqual([code, message]);
    if (says instanceof RegExp) expect(message).toMatch(says);
    else expect(message).toContain(says);
    expect(refused).toMatchObject(has);
    const lacking = (PROMISED[code] ?? []).filter((name) => !(name in refused));
    expect([message, lacking]).toEqual([message, []]);
    // Clients compare this one with the word of the protocol.
    if (!code.startsWith('PERSISTED_')) expect(message).toMatch(/[.?]$/);
    const { field = '\0' } = refused;
    const startsWell =
      /^[A-Z"]/.test(message) || [field, field.split('.').at(-1)!].some((name) => message.startsWith(name));
    expect([message, startsWell]).toEqual([message, true]);
    expect([message, message.length <= MAX_LENGTH]).toEqual([message, true]);
  },
);

const SECRET = 987_654_321;
const LOGIN = 'login(input: $input) { session { user { id } } }';
const inGraphql = (text: string, variables: Body = {}) => sendGraphql(server.http, text, variables);

test.each<[name: string, ask: () => Promise<{ readonly text: string }>]>([
  ['a password', () => restApi(server.http).register(null, { username: 'ann', password: SECRET })],
  ['a refresh token', () => restApi(server.http).refresh(null, SECRET)],
  [
    'a password in a variable',
    () =>
      inGraphql(`mutation ($input: LoginInput!) { ${LOGIN} }`, {
        input: { username: 'ann', password: SECRET },
      }),
  ],
  [
    'a variable with a password',
    () =>
      inGraphql(`mutation ($input: LoginInput!) { ${LOGIN} }`, {
        input: { user: 'ann', password: `${SECRET}` },
      }),
  ],
  [
    'a password in the document',
    () => inGraphql(`mutation { ${LOGIN.replace('$input', `{ username: "ann", password: ${SECRET} }`)} }`),
  ],
  ['a body that is not JSON', () => send(server.http, '/v1/sessions', { method: 'post', headers: { 'Content-Type': 'application/json' }, body: `{"password": ${SECRET}x}` })], // prettier-ignore
  ['a link token', () => send(server.http, `/v1/challenges/${NOWHERE}?linkToken=${SECRET}&x=1`)],
])('%s is not repeated', async (_, ask) => {
  const { text } = await ask();
  expect(refusedIn({ text }).message).toMatch(/.\.$/);
  expect(text).not.toContain(`${SECRET}`);
});

test('the fields with secrets are known', () => {
  const inputs = Object.values(buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap()).filter(
    isInputObjectType,
  );
  const names = inputs.flatMap((type) => Object.keys(type.getFields()).filter(isSecret));
  expect([...new Set(names)].sort()).toEqual([
    'clientSeed',
    'clientSeedHash',
    'linkToken',
    'password',
    'refreshToken',
    'secret',
    'secretId',
    'token',
  ]);
});

test('no code of the table is without a row', () => {
  const provoked = new Set(ROWS.map(([code]) => code));
  const missing = ERROR_CODES.map(({ code }) => code).filter((code) => !provoked.has(code));
  expect(missing).toEqual(NEVER);
});
