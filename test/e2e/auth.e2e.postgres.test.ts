import { randomUUID } from 'node:crypto';
import { NOBODY, Passwords } from '../../src/features/auth/passwords.js';
import { type Api, graphqlApi, restApi } from '../support/api.js';
import { forgedTokens, partsOf } from '../support/forged-tokens.js';
import type { Session } from '../support/operations/accounts.js';
import { bearer } from '../support/people.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Body, type By, sendGraphql } from '../support/transport.js';

// Both databases: two registrations of one name are decided by how each driver reports a constraint.

const PASSWORD = 'correct horse battery';
const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };
const INVALID_CREDENTIALS = { code: 'INVALID_CREDENTIALS' };
const INVALID_REFRESH_TOKEN = { code: 'INVALID_REFRESH_TOKEN' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let count = 0;
const newName = () => `ann-${(count += 1)}-${randomUUID().slice(0, 8)}`;

describe.each([
  ['REST', restApi],
  ['GraphQL', graphqlApi],
])('accounts over %s', (transport, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const newcomer = async (username = newName()): Promise<Session> =>
    (await api.register(null, { username, password: PASSWORD })).data;

  describe('a session', () => {
    it('lasts from registration to logout', async () => {
      const username = newName();
      const first = await api.register(null, { username: username.toUpperCase(), password: PASSWORD });
      expect(first.data.user).toMatchObject({ username, displayName: username.toUpperCase() });
      expect((await api.me(bearer(first.data))).data).toEqual(first.data.user);

      const second = (await api.login(null, { username, password: PASSWORD })).data;
      expect(second.user).toEqual(first.data.user);
      const third = (await api.refresh(null, second.refreshToken)).data;
      expect(third.user).toEqual(first.data.user);
      expect(third.refreshToken).not.toBe(second.refreshToken);

      expect((await api.logout(bearer(third))).refusal).toBeUndefined();
      expect((await api.me(bearer(third))).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.me(bearer(second))).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.refresh(null, third.refreshToken)).refusal).toEqual(INVALID_REFRESH_TOKEN);
      expect((await api.me(bearer(first.data))).data).toEqual(first.data.user);
    });

    it('says when its tokens expire', async () => {
      const before = Date.now();
      const session = await newcomer();
      const inSeconds = (moment: string) => (Date.parse(moment) - before) / 1000;
      const took = (Date.now() - before) / 1000;
      expect(inSeconds(session.accessTokenExpiresAt)).toBeGreaterThan(898);
      expect(inSeconds(session.accessTokenExpiresAt)).toBeLessThan(902 + took);
      expect(inSeconds(session.refreshTokenExpiresAt) / 86_400).toBeCloseTo(60, 2);
    });

    it('ends everywhere when a refresh token is used after the next one', async () => {
      const stolen = await newcomer();
      const thief = (await api.refresh(null, stolen.refreshToken)).data;
      const renewed = (await api.refresh(null, thief.refreshToken)).data;
      expect((await api.me(bearer(renewed))).refusal).toBeUndefined();

      expect((await api.refresh(null, stolen.refreshToken)).refusal).toEqual(INVALID_REFRESH_TOKEN);
      for (const session of [stolen, thief, renewed]) {
        expect((await api.me(bearer(session))).refusal).toEqual(UNAUTHENTICATED);
      }
      expect((await api.refresh(null, renewed.refreshToken)).refusal).toEqual(INVALID_REFRESH_TOKEN);
    });

    it('is renewed once when the same token is used several times at once', async () => {
      const session = await newcomer();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => api.refresh(null, session.refreshToken)),
      );
      const told = ({ data }: (typeof answers)[0]) => `${data.refreshToken} ${data.refreshTokenExpiresAt}`;
      expect(new Set(answers.map(told)).size).toBe(1);
      for (const { data } of answers) expect((await api.me(bearer(data))).data).toEqual(session.user);
      expect((await api.refresh(null, answers[0]!.data.refreshToken)).refusal).toBeUndefined();
    });

    it('is not renewed by an invalid refresh token', async () => {
      const { accessToken } = await newcomer();
      for (const token of ['', 'nonsense', accessToken, 'é\0', 'x'.repeat(5000)]) {
        expect((await api.refresh(null, token)).refusal).toEqual(INVALID_REFRESH_TOKEN);
      }
    });

    it('ends together with all others of its user, and no other user’s', async () => {
      const username = newName();
      const other = await newcomer();
      const sessions = [await newcomer(username)];
      for (let i = 0; i < 2; i += 1) {
        sessions.push((await api.login(null, { username, password: PASSWORD })).data);
      }
      for (const session of sessions) expect((await api.me(bearer(session))).refusal).toBeUndefined();
      expect((await api.endSessions(bearer(sessions[1]!), true)).data).toBe(3);
      for (const session of sessions) {
        expect((await api.me(bearer(session))).refusal).toEqual(UNAUTHENTICATED);
        expect((await api.refresh(null, session.refreshToken)).refusal).toEqual(INVALID_REFRESH_TOKEN);
      }
      expect((await api.me(bearer(other))).data).toEqual(other.user);
    });

    it('is required for the user’s own data', async () => {
      expect((await api.me(null)).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.logout(null)).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.endSessions(null, true)).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.updateProfile(null, { displayName: 'Ann' })).refusal).toEqual(UNAUTHENTICATED);
    });
  });

  describe('a login', () => {
    it('gives the same answer for an unknown user and a wrong password', async () => {
      const username = newName();
      await newcomer(username);
      const wrong = await api.login(null, { username, password: 'another password' });
      expect(wrong.refusal).toEqual(INVALID_CREDENTIALS);
      for (const unknown of [newName(), '', 'no username', `${username}\0`, 'x'.repeat(500)]) {
        const answer = await api.login(null, { username: unknown, password: PASSWORD });
        expect(answer.text).toBe(wrong.text);
      }
      for (const password of ['', 'x', 'x'.repeat(5000), '\0']) {
        expect((await api.login(null, { username, password })).text).toBe(wrong.text);
      }
    });

    it('compares one password of the same cost in both cases', async () => {
      const username = newName();
      const { prototype } = Passwords as unknown as {
        prototype: { compare(password: string, passwordHash: string): Promise<boolean> };
      };
      const compared = jest.spyOn(prototype, 'compare');
      // Tests use cheap password hashes, except where the cost is the subject.
      const passwords = server.app.get(Passwords);
      Object.assign(passwords, { cost: new Passwords(server.config)['cost'] });
      await newcomer(username);
      const password = 'another password';
      for (const name of [username, newName()]) await api.login(null, { username: name, password });
      const stored = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) as unknown;
      expect(compared.mock.calls).toEqual([
        [password, stored],
        [password, NOBODY],
      ]);
      expect(compared.mock.calls[0]).not.toContain(NOBODY);
      compared.mockRestore();
    });
  });

  describe('a registration', () => {
    it('is refused when the name is taken, in any case', async () => {
      const username = newName();
      await newcomer(username);
      for (const taken of [username, username.toUpperCase()]) {
        const answer = await api.register(null, { username: taken, password: 'another password' });
        expect(answer.refusal).toEqual({ code: 'USERNAME_TAKEN', field: 'username' });
      }
      expect((await api.login(null, { username, password: PASSWORD })).refusal).toBeUndefined();
    });

    it('succeeds once when several want the name at the same moment', async () => {
      const input = { username: newName(), password: PASSWORD };
      const answers = await Promise.all(Array.from({ length: 6 }, () => api.register(null, input)));
      const refused = answers.filter(({ refusal }) => refusal?.code === 'USERNAME_TAKEN');
      expect(refused).toHaveLength(5);
    });

    it('succeeds once per key, however often and quickly it is sent', async () => {
      const input = { username: newName(), password: PASSWORD, displayName: newName() };
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 4 }, () => api.register(null, input, key)));
      answers.push(await api.register(null, input, key));
      const ids = new Set(answers.map(({ data }) => data.user.id));
      const tokens = new Set(answers.map(({ data }) => data.refreshToken));
      expect([ids.size, tokens.size]).toEqual([1, 5]);
      for (const { data } of answers) expect((await api.me(bearer(data))).data).toEqual(data.user);
    });

    it('refuses a key that was used for another registration', async () => {
      const input = { username: newName(), password: PASSWORD, displayName: newName() };
      const key = randomUUID();
      await api.register(null, input, key);
      const reused = { code: 'IDEMPOTENCY_KEY_REUSED', field: 'idempotencyKey' };
      const other = [{ displayName: 'Bob' }, { displayName: undefined }, { password: 'another password' }];
      for (const change of other) {
        expect((await api.register(null, { ...input, ...change }, key)).refusal).toEqual(reused);
      }
      const taken = { code: 'USERNAME_TAKEN', field: 'username' };
      expect((await api.register(null, input, randomUUID())).refusal).toEqual(taken);
    });

    it('keeps keys per name: others may use the same key', async () => {
      const key = randomUUID();
      const first = await api.register(null, { username: newName(), password: PASSWORD }, key);
      const second = await api.register(null, { username: newName(), password: PASSWORD }, key);
      expect(second.data.user.id).not.toBe(first.data.user.id);
    });

    it.each(['', 'x'.repeat(65), 'two words', 'clé'])('refuses the key %j', async (key) => {
      const username = newName();
      const answer = await api.register(null, { username, password: PASSWORD }, key);
      expect(answer.refusal).toEqual({ code: 'BAD_INPUT', field: 'idempotencyKey' });
      expect((await api.login(null, { username, password: PASSWORD })).refusal).toEqual(INVALID_CREDENTIALS);
    });

    it.each([
      ['username', { username: 'ab' }, 'BAD_INPUT'],
      ['username', { username: 'x'.repeat(31) }, 'BAD_INPUT'],
      ['username', { username: '-ann' }, 'BAD_INPUT'],
      ['username', { username: 'ann lee' }, 'BAD_INPUT'],
      ['username', { username: '\u212Aann' }, 'BAD_INPUT'],
      ['username', { username: "ann'; DROP TABLE users" }, 'BAD_INPUT'],
      ['password', { password: 'xK3!qz7' }, 'BAD_INPUT'],
      ['password', { password: 'xy'.repeat(65) }, 'BAD_INPUT'],
      ['password', { password: 'Password' }, 'PASSWORD_TOO_COMMON'],
      ['displayName', { displayName: '' }, 'BAD_INPUT'],
      ['displayName', { displayName: 'x'.repeat(41) }, 'BAD_INPUT'],
      ['displayName', { displayName: 'Ann\u202E' }, 'BAD_INPUT'],
      ['displayName', { displayName: 'An\u200Bn' }, 'BAD_INPUT'],
      ['displayName', { displayName: 'An\0n' }, 'BAD_INPUT'],
    ])('refuses %s: %j', async (field, wrong, code) => {
      const input = { username: newName(), password: PASSWORD, ...wrong };
      const { refusal } = await api.register(null, input);
      expect(refusal).toEqual({ code, field });
      const { username, password } = input;
      expect((await api.login(null, { username, password })).refusal).toEqual(INVALID_CREDENTIALS);
    });
  });

  describe('a profile', () => {
    it('is changed by its owner and visible to all', async () => {
      const session = await newcomer();
      const name = newName();
      const changed = await api.updateProfile(bearer(session), { displayName: `  Ka\u0308the  ${name} ` });
      expect(changed.data).toEqual({ ...session.user, displayName: `Käthe ${name}` });
      expect((await api.me(bearer(session))).data).toEqual(changed.data);
      const shown = await api.user(null, session.user.username.toUpperCase());
      expect(shown.data).toEqual(changed.data);
      expect(shown.text).not.toMatch(/argon|hash|password/i);
    });

    it.each(['', ' ', 'x'.repeat(41), 'A\u2066B', 'A\u0000B'])(
      'refuses the display name %j',
      async (displayName) => {
        const session = await newcomer();
        const { refusal } = await api.updateProfile(bearer(session), { displayName });
        expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'displayName' });
        expect((await api.me(bearer(session))).data).toEqual(session.user);
      },
    );

    it('is null for an unknown name', async () => {
      for (const username of [newName(), 'x', 'no\0name']) {
        const { data, refusal } = await api.user(null, username);
        if (transport === 'REST') expect(refusal).toEqual({ code: 'NOT_FOUND', field: 'username' });
        else expect({ data, refusal }).toEqual({ data: null, refusal: undefined });
      }
    });
  });

  describe('an invalid token', () => {
    it('is refused for every kind of fault', async () => {
      const session = await newcomer();
      const good = partsOf(session.accessToken, server.config.tokenSecret);
      for (const [wrong, token] of forgedTokens(good, new Date())) {
        const { refusal } = await api.me({ authorization: `Bearer ${token}` });
        expect([wrong, refusal]).toEqual([wrong, UNAUTHENTICATED]);
      }
    });

    it('is refused unless it is a bearer token, in any case of the scheme', async () => {
      const { accessToken, user } = await newcomer();
      for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${accessToken}`, accessToken]) {
        expect((await api.me({ authorization })).refusal).toEqual(UNAUTHENTICATED);
      }
      expect((await api.me({ authorization: `bearer ${accessToken}` })).data).toEqual(user);
    });
  });
});

describe('errors of REST only', () => {
  const api = () => restApi(server.http);

  it.each<[verb: 'register' | 'login', body: Body, field: string]>([
    ['register', { password: PASSWORD }, 'username'],
    ['register', { username: 1, password: PASSWORD }, 'username'],
    ['register', { username: ['ann-lee'], password: PASSWORD }, 'username'],
    ['register', { username: 'ann-lee' }, 'password'],
    ['register', { username: 'ann-lee', password: { $ne: 1 } }, 'password'],
    ['register', { username: 'ann-lee', password: PASSWORD, displayName: 5 }, 'displayName'],
    ['register', { username: 'ann-lee', password: PASSWORD, admin: true }, 'admin'],
    ['register', { username: 'ann-lee', password: PASSWORD, idempotencyKey: 'k' }, 'idempotencyKey'],
    ['login', { username: null, password: PASSWORD }, 'username'],
    ['login', { username: 'ann-lee' }, 'password'],
  ])('%s with %j is refused for its %s', async (verb, body, field) => {
    const { status, refusal } = await api()[verb](null, body);
    expect([status, refusal]).toMatchObject([400, { code: 'BAD_INPUT', field }]);
  });

  it.each([undefined, 7])('refresh with %j is refused for its refreshToken', async (token) => {
    const { status, refusal } = await api().refresh(null, token);
    expect([status, refusal]).toMatchObject([400, { code: 'BAD_INPUT', field: 'refreshToken' }]);
  });

  it('answers each route with its status', async () => {
    const input = { username: newName(), password: PASSWORD };
    const registered = await api().register(null, input);
    const login = await api().login(null, input);
    const refreshed = await api().refresh(null, login.data.refreshToken);
    expect([registered.status, login.status, refreshed.status]).toEqual([201, 201, 200]);
    const current = await api().logout(bearer(refreshed.data));
    expect([current.status, current.text]).toEqual([200, '{"ended":1}']);
    const all = await api().endSessions(bearer(registered.data), true);
    expect([all.status, all.text]).toEqual([200, '{"ended":1}']);
    expect((await api().me(bearer(registered.data))).status).toBe(401);
    expect((await api().login(null, { ...input, password: 'wrong password' })).status).toBe(401);
    expect((await api().register(null, input)).status).toBe(409);
    expect((await api().user(null, newName())).status).toBe(404);
  });
});

describe('one GraphQL document with several root fields', () => {
  it('has one viewer, or is refused', async () => {
    const { data } = await restApi(server.http).register(null, { username: newName(), password: PASSWORD });
    const query = `{ a: me { id } b: me { id } user(username: "${data.user.username}") { id } }`;
    const ask = async (by: By) => (await sendGraphql(server.http, query, {}, by)).body;
    const { id } = data.user;
    expect((await ask(bearer(data))).data).toEqual({ a: { id }, b: { id }, user: { id } });
    expect((await ask(null)).errors[0].extensions.code).toBe('UNAUTHENTICATED');
    const nonsense = await ask({ authorization: 'Bearer nonsense' });
    expect(nonsense.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});
