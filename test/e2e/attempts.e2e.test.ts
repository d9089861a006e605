import { randomUUID } from 'node:crypto';
import { type Api, graphqlApi, restApi, VERBS } from '../support/api.js';
import { bearer } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';
import { type Body, type By, rest, send } from '../support/transport.js';

const PASSWORD = 'correct horse battery';
/** Wrong passwords that are checked. */
const MOST = 3;
const LIMITS = { MAX_WRONG_PASSWORDS: String(MOST) };
let server: TestServer;

beforeAll(async () => {
  server = await startServer(LIMITS);
});

afterAll(() => server.close());

async function codesOfLogins(api: Api, username: string, passwords: readonly string[]): Promise<string[]> {
  const codes: string[] = [];
  for (const password of passwords) {
    codes.push((await api.login(null, { username, password })).refusal?.code ?? 'ok');
  }
  return codes;
}

const wrong = (count: number): string[] => Array.from({ length: count }, (_, n) => `a wrong guess ${n}`);

test('after too many wrong passwords even the right one is refused for a while', async () => {
  const username = `ann-${randomUUID().slice(0, 8)}`;
  await restApi(server.http).register(null, { username, password: PASSWORD });
  const codes = await codesOfLogins(restApi(server.http), username, [...wrong(MOST + 1), PASSWORD]);
  expect(codes).toEqual([...Array<string>(MOST).fill('INVALID_CREDENTIALS'), 'RATE_LIMITED', 'RATE_LIMITED']);
  const overGraphql = await codesOfLogins(graphqlApi(server.http), username, [PASSWORD]);
  expect(overGraphql).toEqual(['RATE_LIMITED']);
});

test('a right password in time resets the count', async () => {
  const username = `ben-${randomUUID().slice(0, 8)}`;
  await restApi(server.http).register(null, { username, password: PASSWORD });
  const codes = await codesOfLogins(restApi(server.http), username, [
    ...wrong(MOST - 1),
    PASSWORD,
    ...wrong(2),
    PASSWORD,
  ]);
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toEqual([]);
  expect(codes.at(-1)).toBe('ok');
});

test('an unknown name is limited in the same way', async () => {
  const codes = await codesOfLogins(
    restApi(server.http),
    `nobody-${randomUUID().slice(0, 8)}`,
    wrong(MOST + 1),
  );
  expect(codes.at(-1)).toBe('RATE_LIMITED');
});

test('the idempotency key of a registration does not bypass the limit', async () => {
  const username = `cleo-${randomUUID().slice(0, 8)}`;
  const register = (password: string) => restApi(server.http).register(null, { username, password }, 'a-key');
  await register(PASSWORD);
  for (const password of wrong(MOST)) {
    expect((await register(password)).refusal?.code).toBe('IDEMPOTENCY_KEY_REUSED');
  }
  expect((await register(PASSWORD)).refusal?.code).toBe('RATE_LIMITED');
});

const guessFrom = ({ http }: TestServer, address: string) =>
  rest(http, null, {
    ...VERBS.login.rest({ username: 'nobody-here', password: 'a wrong guess' }),
    headers: { 'X-Forwarded-For': address },
  });

test.each([
  ['without a trusted proxy the X-Forwarded-For of a client is ignored', '0', 'RATE_LIMITED'],
  ['with one trusted proxy the address that it added counts, not those before it', '1', 'RATE_LIMITED'],
])('%s', async (_, proxies, last) => {
  const other = await startServer({ ...LIMITS, TRUST_PROXY: proxies });
  let code = '';
  for (let n = 0; n <= MOST; n++) {
    code = (await guessFrom(other, `10.0.0.${n}, 203.0.113.9`)).refusal!.code;
  }
  await other.close();
  expect(code).toBe(last);
});

test('behind a proxy two clients do not share one count', async () => {
  const other = await startServer({ ...LIMITS, TRUST_PROXY: '1' });
  const login = (address: string) => guessFrom(other, address);
  for (let n = 0; n <= MOST; n++) await login('203.0.113.9');
  expect((await login('203.0.113.9')).status).toBe(429);
  expect((await login('203.0.113.10')).status).toBe(401);
  await other.close();
});

describe('a name that is guessed from many addresses', () => {
  let other: TestServer;
  let time: StoppedTime;
  beforeAll(async () => {
    other = await startServer({ MAX_WRONG_PASSWORDS_PER_NAME: String(MOST), TRUST_PROXY: '1' });
    time = stopTime(other.app);
  });
  afterAll(() => other.close());

  const HOME = '203.0.113.9';
  const post = (address: string, path: string, body: Body, by: By = null) =>
    send(other.http, `/v1/${path}`, { method: 'post', body, headers: { 'X-Forwarded-For': address } }, by);
  const login = (address: string, username: string, password = PASSWORD) =>
    post(address, 'sessions', { username, password });
  const ofName = ({ ratelimit = '' }: Readonly<Record<string, string>>) =>
    ratelimit.slice(ratelimit.indexOf('"passwords-of-name"'));
  /** The parts of an answer that could differ: all but those of each request. */
  const told = async (answer: ReturnType<typeof login>) => {
    const { status, body, headers } = await answer;
    return {
      status,
      code: body.code,
      detail: body.detail,
      retryAfter: headers['retry-after'],
      limits: ofName(headers),
    };
  };
  const attack = async (username: string) => {
    const answers = [];
    for (let n = 0; n <= MOST + 2; n++)
      answers.push(await told(login(`10.0.${n}.1`, username, 'a wrong guess')));
    return answers;
  };

  test('is slowed for all unknown addresses together, whether it exists or not; its owner waits only elsewhere', async () => {
    const username = `dora-${randomUUID().slice(0, 8)}`;
    await post(HOME, 'users', { username, password: PASSWORD });
    const answers = await attack(username);
    expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      ...Array.from({ length: MOST + 1 }, () => [401, undefined]),
      [429, '5'],
      [429, '10'],
    ]);
    expect(await attack(`nobody-${randomUUID().slice(0, 8)}`)).toEqual(answers);
    expect((await login(HOME, username)).status).toBe(201);
    expect(await told(login('198.51.100.1', username))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfter: '15',
    });
    time.forward(15_000);
    expect((await login('198.51.100.1', username)).status).toBe(201);
    // The address is known from now on.
    expect((await login('198.51.100.1', username)).status).toBe(201);
  });

  test('is not slowed where its owner has renewed a session or closes the account', async () => {
    const username = `eva-${randomUUID().slice(0, 8)}`;
    const { body } = await post('198.51.100.20', 'users', { username, password: PASSWORD });
    await post('198.51.100.21', 'sessions/refresh', { refreshToken: body.session.refreshToken });
    await attack(username);
    const { session } = (await login('198.51.100.21', username)).body;
    expect(session).toMatchObject({ user: { username } });
    expect((await login('198.51.100.22', username)).status).toBe(429);
    // Whoever has a session waits for nobody, but is not taken for the owner elsewhere.
    for (let n = 30; n < 38; n++) {
      const stolen = await post(
        `198.51.100.${n}`,
        'me/confirmations',
        { password: 'a wrong guess' },
        bearer(session),
      );
      expect(stolen.status).toBe(401);
      expect((await login(`198.51.100.${n}`, username)).status).toBe(429);
    }
    expect((await login('198.51.100.21', username)).status).toBe(201);
    const closing = await post('198.51.100.23', 'me/close', { password: PASSWORD }, bearer(session));
    expect(closing.status).toBe(200);
  });
});
