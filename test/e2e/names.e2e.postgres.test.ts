import { randomUUID } from 'node:crypto';
import { Passwords } from '../../src/features/auth/passwords.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, TRANSPORTS } from '../support/api.js';
import { freshPlace } from '../support/databases.js';
import { bearer, PASSWORD } from '../support/people.js';
import { sharedServer, startServer, type TestServer } from '../support/server.js';

/** Which names users may have, and which passwords are refused. */
// Both databases: simultaneous registrations share one connection, or use several.

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const newName = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const refusalOf = async (displayName: string) => {
    const input = { username: newName('new'), password: PASSWORD, displayName };
    return (await api.register(null, input)).refusal;
  };

  it('refuses names that imitate a closed account', async () => {
    for (const name of [
      'Closed account',
      'closed  ACCOUNT',
      'Сlоsed аccount',
      'Closed-account',
      'ＣＬＯＳＥＤ account',
    ]) {
      expect([name, await refusalOf(name)]).toEqual([name, { code: 'BAD_INPUT', field: 'displayName' }]);
    }
  });

  it('refuses names that would pass for the server', async () => {
    for (const name of ['Аdmin', 'Halfmove', 'Halfmove Suppоrt', 'M0derator']) {
      expect([name, await refusalOf(name)]).toEqual([name, { code: 'BAD_INPUT', field: 'displayName' }]);
    }
    const admin = { username: 'admin', password: PASSWORD };
    expect((await api.register(null, admin)).refusal).toEqual({ code: 'BAD_INPUT', field: 'username' });
  });

  it('refuses names that pass for another player’s username in other letters', async () => {
    const taken = { code: 'NAME_TAKEN', field: 'displayName' };
    const username = newName('magnus-ii');
    const session = (await api.register(null, { username, password: PASSWORD })).data;
    const cyrillic = (text: string) => text.replaceAll('a', 'а').replaceAll('e', 'е');
    for (const name of [
      username,
      username.toUpperCase(),
      cyrillic(username),
      `${username}.`,
      `♞ ${username} ♞`,
      username.replace('-', ' '),
      username.replaceAll('n', 'ñ'),
      username.replace('-', '·'),
    ]) {
      expect([name, await refusalOf(name)]).toEqual([name, taken]);
    }
    const other = (await api.register(null, { username: newName('ben'), password: PASSWORD })).data;
    expect((await api.updateProfile(bearer(other), { displayName: cyrillic(username) })).refusal).toEqual(taken); // prettier-ignore
    const alike = `rnagnus${username.slice('magnus'.length)}`;
    const alikeTaken = { code: 'NAME_TAKEN', field: 'username' };
    for (const more of [{}, { displayName: 'Zed' }])
      expect((await api.register(null, { username: alike, password: PASSWORD, ...more })).refusal).toEqual(alikeTaken); // prettier-ignore
    // Also by capitals alone: a capital I passes for an l.
    const id = randomUUID().slice(0, 8);
    await api.register(null, { username: `lll-${id}`, password: PASSWORD });
    expect((await api.updateProfile(bearer(other), { displayName: `iii-${id}` })).refusal).toBeUndefined();
    expect((await api.updateProfile(bearer(other), { displayName: `III-${id}` })).refusal).toEqual(taken);
    // A variant of their own username is theirs.
    for (const displayName of [username.toUpperCase(), cyrillic(username), newName('dora'), username]) {
      expect((await api.updateProfile(bearer(session), { displayName })).refusal).toBeUndefined();
    }
  });

  it('lets several players have one display name', async () => {
    const displayName = `Anna ${randomUUID().slice(0, 8)} Lee`;
    for (const name of [displayName, displayName, displayName.toUpperCase()]) {
      expect([name, await refusalOf(name)]).toEqual([name, undefined]);
    }
    // Nor does it keep a username from anybody, or is lost to it.
    const username = displayName.replaceAll(' ', '-').toLowerCase();
    const own = (await api.register(null, { username: newName('own'), password: PASSWORD, displayName }))
      .data;
    expect((await api.register(null, { username, password: PASSWORD })).refusal).toBeUndefined();
    expect(
      (await api.updateProfile(bearer(own), { displayName: `${displayName}!` })).refusal,
    ).toBeUndefined();
    expect((await refusalOf(displayName))?.code).toBe('NAME_TAKEN');
  });

  it('finds users by the beginning of a username or display name, those by username first', async () => {
    const id = randomUUID().slice(0, 8);
    const make = async (username: string, displayName?: string) =>
      (await api.register(null, { username, password: PASSWORD, displayName })).data;
    await make(`${id}-b`, 'Zoë');
    const leaving = await make(`${id}-a`);
    await make(newName('other'), `${id.toUpperCase()} Müller`);
    const found = async (prefix: string) =>
      (await api.users(null, prefix)).data.map(({ username }) => username.replace(/^other-.*/, 'other'));
    expect(await found(id)).toEqual([`${id}-a`, `${id}-b`, 'other']);
    expect(await found(`${id.toUpperCase()}-B`)).toEqual([`${id}-b`]);
    expect(await found(`${id} mu`)).toEqual(['other']);
    await api.closeAccount(bearer(leaving), PASSWORD);
    expect(await found(id)).toEqual([`${id}-b`, 'other']);
    for (const prefix of ['a', '', 'x'.repeat(41), 'an\0n']) {
      expect((await api.users(null, prefix)).refusal).toMatchObject({ code: 'BAD_INPUT', field: 'prefix' });
    }
  });

  it('finds at most 20 users', async () => {
    const id = randomUUID().slice(0, 8);
    const names = Array.from({ length: 21 }, (_, i) => `${id}-${i + 10}`);
    for (const username of names) await api.register(null, { username, password: PASSWORD });
    expect((await api.users(null, id)).data.map(({ username }) => username)).toEqual(names.slice(0, 20));
  });

  it('refuses a password built on a name', async () => {
    const username = newName('annalee');
    const displayName = `Anna Lee ${username.slice(-8)}`;
    const bad = [
      `${username}1`,
      `1${username}99`,
      username.toUpperCase(),
      displayName,
      `${displayName}!`,
      `AnnaLee${username.slice(-8)}2026`,
    ];
    for (const password of bad) {
      const { refusal } = await api.register(null, { username, displayName, password });
      expect([password, refusal]).toEqual([password, { code: 'PASSWORD_TOO_COMMON', field: 'password' }]);
    }
    expect(
      (await api.register(null, { username, displayName, password: `${username} rides` })).status,
    ).toBeLessThan(300);
  });
});

it('accepts one of several usernames that look the same and are requested at once', async () => {
  const [, over] = TRANSPORTS[0];
  const api = over(server.http);
  const id = randomUUID().slice(0, 8);
  const names = ['mama', 'rnama', 'marna', 'rnarna'].map((name) => `${name}-${id}`);
  const made = await Promise.all(
    names.map((username) => api.register(null, { username, password: PASSWORD })),
  );
  expect(made.map(({ refusal }) => refusal?.code ?? 'made').sort()).toEqual(['NAME_TAKEN', 'NAME_TAKEN', 'NAME_TAKEN', 'made']); // prettier-ignore
});

it('computes no hash for a taken name', async () => {
  const [, over] = TRANSPORTS[0];
  const api = over(server.http);
  const username = newName('taken');
  await api.register(null, { username, password: PASSWORD });
  const passwords = server.app.get(Passwords);
  const hashed: string[] = [];
  const { hash } = passwords;
  passwords.hash = (...args) => {
    hashed.push(args[0]);
    return hash.apply(passwords, args);
  };
  try {
    expect((await api.register(null, { username, password: PASSWORD })).refusal).toMatchObject({
      code: 'USERNAME_TAKEN',
    });
    expect(hashed).toEqual([]);
  } finally {
    passwords.hash = hash;
  }
});

it('limits new accounts per address and hour; refused ones do not count', async () => {
  const most = 3;
  const own = await startServer({ REGISTRATIONS_PER_HOUR: `${most}` });
  const [, over] = TRANSPORTS[0];
  const api = over(own.http);
  const names = Array.from({ length: most + 1 }, (_, i) => newName(`n${i}`));
  for (const username of names.slice(0, most)) {
    expect((await api.register(null, { username, password: PASSWORD })).refusal).toBeUndefined();
    expect((await api.register(null, { username, password: PASSWORD })).refusal?.code).toBe('USERNAME_TAKEN');
  }
  const refused = await api.register(null, { username: names[most], password: PASSWORD });
  expect(refused).toMatchObject({ status: expect.any(Number), refusal: { code: 'RATE_LIMITED' } });
  expect(refused.retryAfter).toBeGreaterThan(3000);
  await own.close();
});

it('protects names from before the lookalike check from the next start on', async () => {
  const place = await freshPlace();
  const [, over] = TRANSPORTS[0];
  let own = await startServer({}, place);
  const username = newName('old');
  await over(own.http).register(null, { username, password: PASSWORD });
  const unlooked = { usernameLook: null, displayLook: null };
  await own.app.get(PrismaService).db.user.update({ where: { username }, data: unlooked });
  await own.close();
  own = await startServer({}, place);
  const input = { username: newName('new'), password: PASSWORD, displayName: username.replace('o', 'о') };
  expect((await over(own.http).register(null, input)).refusal).toMatchObject({ code: 'NAME_TAKEN' });
  await own.close();
  await place.remove();
});
