import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { untilChangesVisible } from '../support/changes.js';
import { close, CLOSED, registerNamed, sweepAccounts, tablesWith } from '../support/closed-accounts.js';
import { DAY, startStopped } from '../support/pair.js';
import { PASSWORD, renewed } from '../support/people.js';
import { begin } from '../support/play.js';
import type { TestServer } from '../support/server.js';
import type { StoppedTime } from '../support/stopped-time.js';

/** Closing an account: who may do it, what it ends at once, and what happens to the name. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const UNAUTHENTICATED = { code: 'UNAUTHENTICATED' };
const WRONG = { code: 'INVALID_CREDENTIALS', field: 'password' };
const wrong = 'a wrong horse battery';

describe.each(TRANSPORTS)('closing an account over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  it('requires the password again, and a session', async () => {
    const ann = await registerNamed(server.http, 'ann');
    expect((await api.closeAccount(ann, wrong)).refusal).toEqual(WRONG);
    expect((await api.closeAccount(null, PASSWORD)).refusal).toEqual(UNAUTHENTICATED);
    for (const password of [null, 7, undefined]) {
      expect((await api.closeAccount(ann, password)).refusal?.code).toBe('BAD_INPUT');
    }
    const { data } = await api.me(ann);
    expect(data).toMatchObject({ username: ann.username, displayName: ann.displayName, closed: false });
  });

  it('counts wrong passwords as logins do', async () => {
    const ann = await registerNamed(server.http, 'ann');
    const codes: (string | undefined)[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      codes.push((await api.closeAccount(ann, wrong)).refusal?.code);
      codes.push((await api.login(null, { username: ann.username, password: wrong })).refusal?.code);
    }
    codes.push((await api.closeAccount(ann, PASSWORD)).refusal?.code);
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('INVALID_CREDENTIALS'));
    expect(codes.slice(10)).toEqual(Array(3).fill('RATE_LIMITED'));
  });

  it('ends every session, and refuses further logins', async () => {
    const ann = await registerNamed(server.http, 'ann');
    const { data: second } = await api.login(null, { username: ann.username, password: PASSWORD });
    await close(api, ann);
    for (const authorization of [ann.authorization, `Bearer ${second.accessToken}`]) {
      expect((await api.me({ authorization })).refusal).toEqual(UNAUTHENTICATED);
      expect((await api.closeAccount({ authorization }, PASSWORD)).refusal).toEqual(UNAUTHENTICATED);
    }
    for (const token of [ann.refreshToken, second.refreshToken]) {
      expect((await api.refresh(null, token)).refusal).toEqual({ code: 'INVALID_REFRESH_TOKEN' });
    }
    const missing = await api.login(null, { username: 'nobody-has-this', password: PASSWORD });
    const gone = await api.login(null, { username: ann.username, password: PASSWORD });
    expect([gone.refusal, gone.text]).toEqual([{ code: 'INVALID_CREDENTIALS' }, missing.text]);
    expect((await api.login(null, { username: CLOSED.username, password: PASSWORD })).refusal).toEqual(
      missing.refusal,
    );
  });

  it('leaves the name without an owner', async () => {
    const ann = await registerNamed(server.http, 'ann');
    await close(api, ann);
    const unnamed = async (name: string) =>
      JSON.stringify(await api.user(null, name)).replaceAll(name, 'NAME');
    const nobody = await unnamed('nobody-has-this');
    for (const name of [ann.username, ann.username.toUpperCase(), CLOSED.username, 'Closed-Account']) {
      expect(await unnamed(name)).toEqual(nobody);
    }
  });

  it('reserves the name for 30 days; then it is free', async () => {
    const ann = await registerNamed(server.http, 'ann');
    const [username, password] = [ann.username, 'a quite different phrase'];
    await close(api, ann);
    const again = (name: string) => api.register(null, { username: name, password });
    for (const moment of [0, 30 * DAY - 1]) {
      time.forward(moment);
      await sweepAccounts(server.app);
      for (const name of [username, username.toUpperCase()]) {
        expect((await again(name)).refusal).toEqual({ code: 'USERNAME_TAKEN', field: 'username' });
      }
    }
    time.forward(1);
    await sweepAccounts(server.app);
    const { data } = await again(username);
    expect(data.user).toMatchObject({ username, displayName: username, closed: false });
    expect(data.user.id).not.toBe(ann.id);
    expect((await api.login(null, { username, password: PASSWORD })).refusal?.code).toBe(
      'INVALID_CREDENTIALS',
    );
    expect((await api.login(null, { username, password })).data.user.id).toBe(data.user.id);
  });

  it('shows a placeholder name, which users cannot choose', async () => {
    for (const username of ['closed-account', 'CLOSED-Account']) {
      const { refusal } = await api.register(null, { username, password: 'a quite different phrase' });
      expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'username' });
    }
  });
});

it('erases both names: one at once, the other after 30 days', async () => {
  const api = restApi(server.http);
  const [ann, ben] = [await registerNamed(server.http, 'ann'), await registerNamed(server.http, 'ben')];
  await restApi(server.http).createChallenge(ann, {
    ruleset: 'chess',
    timeControl: { type: 'none' },
    opponent: ben.username,
  });
  expect(await tablesWith(server.app, ann.username)).toEqual(['notifications', 'users']);
  await close(api, ann);
  expect(await tablesWith(server.app, ann.displayName)).toEqual([]);
  expect(await tablesWith(server.app, ann.username)).toEqual(['users']);
  time.forward(30 * DAY);
  await sweepAccounts(server.app);
  expect(await tablesWith(server.app, ann.username)).toEqual([]);
  const { db } = server.app.get(PrismaService);
  expect(await db.user.findUnique({ where: { id: ann.id } })).toMatchObject({
    ...{ username: null, displayName: '', passwordHash: '', leaving: false },
    ...{ challengesFrom: 'nobody', challengesWithin: null },
  });
});

it('is repeated until concurrent requests are done, and no longer', async () => {
  const ann = await registerNamed(server.http, 'ann');
  const { db } = server.app.get(PrismaService);
  const leaving = async () => (await db.user.findUniqueOrThrow({ where: { id: ann.id } })).leaving;
  await close(restApi(server.http), ann);
  const late = { userId: ann.id, gameId: ann.id, type: 'message', data: {}, createdAt: time.now() };
  await db.notification.create({ data: late });
  time.forward(MINUTE - 1);
  await sweepAccounts(server.app);
  expect([await leaving(), await db.notification.count({ where: { userId: ann.id } })]).toEqual([true, 0]);
  time.forward(1);
  await sweepAccounts(server.app);
  expect(await leaving()).toBe(false);
});

it('notifies the users it has met when all is done', async () => {
  const api = restApi(server.http);
  const [ann, ben] = [await registerNamed(server.http, 'ann'), await registerNamed(server.http, 'ben')];
  const [won, drawn] = [await begin(api, ann, ben), await begin(api, ben, ann)];
  for (const { id } of [won, drawn]) await api.plain(ben, 'abort', id);
  await close(restApi(server.http), ann);
  await untilChangesVisible(server.app);
  const { data: before } = await api.changes(ben, { first: 100 });
  time.forward(MINUTE);
  await sweepAccounts(server.app);
  await untilChangesVisible(server.app);
  const told = await renewed(server.http, ben);
  const { data: after } = await api.changes(told, { since: before.cursor, first: 100 });
  const known = (kind: string) => after.items.filter((item) => item.kind === kind);
  expect(known('game').map(({ id }) => id).sort()).toEqual([won.id, drawn.id].sort()); // prettier-ignore
  for (const { game } of known('game')) {
    const names = game!.players.map(({ player }) => player.username);
    expect(names.sort()).toEqual([ben.username, CLOSED.username].sort());
  }
  expect(known('challenge').map(({ id }) => id).sort()).toEqual([won.id, drawn.id].sort()); // prettier-ignore
  await sweepAccounts(server.app);
  await untilChangesVisible(server.app);
  expect((await api.changes(told, { since: after.cursor })).data.items).toEqual([]);
});

it('also ends a session that begins at the same moment', async () => {
  const api = restApi(server.http);
  const ann = await registerNamed(server.http, 'ann');
  const logins = Array.from({ length: 8 }, () =>
    api.login(null, { username: ann.username, password: PASSWORD }),
  );
  const [closed, ...opened] = await Promise.all([api.closeAccount(ann, PASSWORD), ...logins]);
  expect(closed.refusal).toBeUndefined();
  for (const { data, refusal } of opened) {
    if (data === undefined) expect(['INVALID_CREDENTIALS', 'ACCOUNT_CLOSED']).toContain(refusal!.code);
    else
      expect((await api.me({ authorization: `Bearer ${data.accessToken}` })).refusal).toEqual(
        UNAUTHENTICATED,
      );
  }
});
