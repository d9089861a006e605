import request from 'supertest';
import { AccessTokens } from '../../src/features/auth/access-tokens.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { compact, partsOf } from '../support/forged-tokens.js';
import type { Session } from '../support/operations/accounts.js';
import { bearer, PASSWORD, register } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** What users do with their sessions and their passwords. */

const OVER = { code: 'UNAUTHENTICATED' };
const NEW_PASSWORD = 'another horse and another battery';

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
afterAll(() => server.close());

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  let username: string;
  beforeEach(async () => {
    api = over(server.http);
    ({ username } = await register(server.http, 'ann'));
  });

  const login = async (password = PASSWORD): Promise<Session> =>
    must(await api.login(null, { username, password }));
  const isOpen = async (session: Session): Promise<boolean> =>
    (await api.me(bearer(session))).refusal === undefined;

  it('lists the open sessions, the one opened last first', async () => {
    const older = await login();
    time.forward(1000);
    const newer = await login();
    const listed = must(await api.mySessions(bearer(older)));
    expect(listed.slice(0, 2).map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [newer.id, false],
      [older.id, true],
    ]);
    expect(listed[0]).toMatchObject({
      createdAt: time.now().toISOString(),
      lastUsedAt: time.now().toISOString(),
      expiresAt: newer.refreshTokenExpiresAt,
    });
    expect((await api.mySessions(null)).refusal).toEqual(OVER);
  });

  it('ends one of them, and no session of another user', async () => {
    const [kept, ended] = [await login(), await login()];
    expect((await api.endSession(bearer(kept), ended.id)).data).toBe(1);
    expect([await isOpen(kept), await isOpen(ended)]).toEqual([true, false]);
    expect((await api.refresh(null, ended.refreshToken)).refusal!.code).toBe('INVALID_REFRESH_TOKEN');
    expect((await api.endSession(bearer(kept), ended.id)).refusal).toEqual({
      code: 'NOT_FOUND',
      field: 'id',
    });
    const eve = await register(server.http, 'eve');
    expect((await api.endSession(eve, kept.id)).refusal).toEqual({ code: 'NOT_FOUND', field: 'id' });
    expect(await isOpen(kept)).toBe(true);
    expect((await api.endSession(bearer(kept), kept.id)).data).toBe(1);
    expect(await isOpen(kept)).toBe(false);
  });

  it('ends all others, or all', async () => {
    const [here, ...others] = [await login(), await login(), await login()];
    // That of the registration, too.
    expect((await api.endSessions(bearer(here))).data).toBe(3);
    expect(await Promise.all([here, ...others].map(isOpen))).toEqual([true, false, false]);
    expect((await api.endSessions(bearer(here), true)).data).toBe(1);
    expect(await isOpen(here)).toBe(false);
  });

  it('changes the password, which ends all other sessions and their sockets', async () => {
    const [here, other] = [await login(), await login()];
    const socket = await openSocket(server, bearer(other));
    expect((await api.changePassword(bearer(here), PASSWORD, NEW_PASSWORD)).data).toBe(2);
    expect(await socket.closed).toBe(4401);
    expect([await isOpen(here), await isOpen(other)]).toEqual([true, false]);
    expect((await api.login(null, { username, password: PASSWORD })).refusal!.code).toBe(
      'INVALID_CREDENTIALS',
    );
    expect(await isOpen(await login(NEW_PASSWORD))).toBe(true);
  });

  it('refuses a wrong or weak password, and changes nothing', async () => {
    const [here, other] = [await login(), await login()];
    const by = bearer(here);
    const refusals = [
      await api.changePassword(by, 'not the right one', NEW_PASSWORD),
      await api.changePassword(by, PASSWORD, 'password'),
      await api.changePassword(by, PASSWORD, `${username}1`),
      await api.changePassword(by, PASSWORD, 'short'),
      await api.confirmPassword(by, 'not the right one'),
    ].map(({ refusal }) => [refusal!.code, refusal!['field']]);
    expect(refusals).toEqual([
      ['INVALID_CREDENTIALS', 'current'],
      ['PASSWORD_TOO_COMMON', 'password'],
      ['PASSWORD_TOO_COMMON', 'password'],
      ['BAD_INPUT', 'password'],
      ['INVALID_CREDENTIALS', 'password'],
    ]);
    expect([await isOpen(here), await isOpen(other), await isOpen(await login())]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('changes it once if two ask at the same moment', async () => {
    const [one, two] = [await login(), await login()];
    const answers = await Promise.all([
      api.changePassword(bearer(one), PASSWORD, NEW_PASSWORD),
      api.changePassword(bearer(two), PASSWORD, `${NEW_PASSWORD} too`),
    ]);
    expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);
    const open = [await isOpen(one), await isOpen(two)];
    expect(open).toEqual(answers.map(({ refusal }) => refusal === undefined));
  });

  it('says until when the password counts as given', async () => {
    const until = must(await api.confirmPassword(bearer(await login()), PASSWORD));
    expect(Date.parse(until)).toBe(time.now().getTime() + 600_000);
  });
});

test('a session is told by the client that opened it', async () => {
  const { username } = await register(server.http, 'ann');
  const agents = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0': 'Edge on Windows',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1': 'Safari on iPhone',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36': 'Chrome on Android',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15': 'Safari on macOS',
    'curl/8.5.0': 'curl/8.5.0',
    'Python-urllib/3.11': 'Python-urllib/3.11',
    '<script>alert(1)</script>': '',
    [`a${'b'.repeat(200)}`]: `a${'b'.repeat(59)}`,
    '': '',
  }; // prettier-ignore
  for (const [agent, device] of Object.entries(agents)) {
    const { body } = await request(server.http).post('/v1/sessions').set('User-Agent', agent).send({ username, password: PASSWORD }); // prettier-ignore
    const session = (body as { session: Session }).session;
    const { body: listed } = await request(server.http).get('/v1/me/sessions').set('Authorization', bearer(session).authorization); // prettier-ignore
    const [own] = (listed as { items: { device: string; isCurrent: boolean }[] }).items.filter((one) => one.isCurrent); // prettier-ignore
    expect([agent, own!.device]).toEqual([agent, device]);
  }
});

test('an access token without scopes of its own allows nothing', async () => {
  const ann = await register(server.http, 'ann');
  const { payload, ...parts } = partsOf(ann.authorization.slice('Bearer '.length), server.config.tokenSecret);
  const { scope, ...without } = payload as Record<string, unknown> & { scope: string };
  expect(scope.split(' ')).toContain('account');
  const bare = compact({ ...parts, payload: without });
  expect((await server.app.get(AccessTokens).verify(bare)).scopes).toEqual([]);
  for (const [, over] of TRANSPORTS) {
    const { refusal } = await over(server.http).me({ authorization: `Bearer ${bare}` });
    expect(refusal).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  }
});
