import { crc32 } from 'node:zlib';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { isPersonal, newPersonalToken } from '../../src/features/auth/personal-token.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { ALL_SCOPES } from '../../src/platform/contract/scopes.js';
import { accessTable } from '../../src/pages/access.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { openStream } from '../support/event-streams.js';
import type { MadeToken } from '../support/operations/accounts.js';
import { PASSWORD, type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { askFor, codeOf } from '../support/scopes.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { openSocket } from '../support/sockets.js';
import { sentBy } from '../support/statements.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** Personal tokens: what they allow, what they never may, and how they end. */

const DAY_MS = 86_400_000;

let server: TestServer;
let time: StoppedTime;
let ann: Person;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
beforeEach(async () => {
  ann = await register(server.http, 'ann');
});
afterAll(() => server.close());

const by = ({ token }: MadeToken) => ({ authorization: `Bearer ${token}` });
const make = async (input: object = {}): Promise<MadeToken> =>
  must(await restApi(server.http).createToken(ann, { name: 'my bot', scopes: [...ALL_SCOPES], ...input }));

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  beforeEach(() => {
    api = over(server.http);
  });

  it('is made, used, listed and deleted', async () => {
    const made = must(await api.createToken(ann, { name: 'my bot', scopes: ['games:play', 'profile:read'] }));
    expect(made.token).toMatch(/^hm_[0-9A-Za-z]{43}$/);
    const shown = {
      id: made.personalToken.id,
      name: 'my bot',
      scopes: ['games:play', 'profile:read'],
      createdAt: time.now().toISOString(),
      lastUsedAt: null,
      expiresAt: new Date(time.now().getTime() + 365 * DAY_MS).toISOString(),
    };
    expect(made.personalToken).toEqual(shown);
    expect((await api.me(by(made))).data).toMatchObject({ username: ann.username });
    expect(must(await api.myTokens(ann))).toEqual([shown]);
    expect((await api.mySessions(ann)).data).toHaveLength(1);
    expect((await api.deleteToken(ann, made.personalToken.id)).data).toBe(1);
    expect((await api.me(by(made))).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect(must(await api.myTokens(ann))).toEqual([]);
    const gone = { code: 'NOT_FOUND', field: 'id' };
    expect((await api.deleteToken(ann, made.personalToken.id)).refusal).toEqual(gone);
  });

  it('allows what its scopes name, and nothing else', async () => {
    const lean = by(await make({ scopes: ['games:read', 'games:play'] }));
    expect((await api.me(lean)).refusal!.code).toBe('INSUFFICIENT_SCOPE');
    const ben = await register(server.http, 'ben');
    const { id } = await begin(api, ann, ben);
    expect((await api.makeMove(lean, id, 1, 'e2e4')).refusal).toBeUndefined();
  });

  it('never changes the ways into the account', async () => {
    const whole = by(await make());
    const refused = [
      await api.createToken(whole, { name: 'more', scopes: ['games:read'] }),
      await api.confirmPassword(whole, PASSWORD),
      await api.changePassword(whole, PASSWORD, 'another horse and battery'),
      await api.closeAccount(whole, PASSWORD),
    ].map(({ refusal }) => refusal!.code);
    expect(refused).toEqual(Array(4).fill('SESSION_REQUIRED'));
    expect((await api.login(null, { username: ann.username, password: PASSWORD })).refusal).toBeUndefined();
  });

  it('is refused in words where it asks for too much', async () => {
    const make = async (input: object) => (await api.createToken(ann, { name: 'x', scopes: ['games:read'], ...input })).refusal; // prettier-ignore
    expect(await make({ scopes: ['games:read', 'everything'] })).toEqual({
      code: 'BAD_INPUT',
      field: 'scopes',
    });
    expect(await make({ scopes: [] })).toMatchObject({ code: 'BAD_INPUT', field: 'scopes' });
    for (const name of ['', 'my\0bot']) {
      expect(await make({ name })).toMatchObject({ code: 'BAD_INPUT', field: 'name' });
    }
    expect(await make({ expiresInDays: 366 })).toMatchObject({ code: 'BAD_INPUT', field: 'expiresInDays' });
    expect(await make({ scopes: ['operator'] })).toEqual({ code: 'BAD_INPUT', field: 'scopes' });
  });

  it('is made only where the password was given within ten minutes', async () => {
    time.forward(600_000);
    const input = { name: 'late', scopes: ['games:read'] };
    expect((await api.createToken(ann, input)).refusal).toEqual({ code: 'CONFIRMATION_REQUIRED' });
    must(await api.confirmPassword(ann, PASSWORD));
    expect((await api.createToken(ann, input)).refusal).toBeUndefined();
  });

  it('lives on when the password changes, and ends with all sessions', async () => {
    const made = await make();
    must(await api.changePassword(ann, PASSWORD, 'another horse and battery'));
    must(await api.endSessions(ann));
    expect((await api.me(by(made))).refusal).toBeUndefined();
    expect((await api.endSessions(ann, true)).data).toBe(2);
    expect((await api.me(by(made))).refusal).toEqual({ code: 'UNAUTHENTICATED' });
  });
});

test('it expires when it says', async () => {
  const made = await make({ expiresInDays: 30 });
  time.forward(30 * DAY_MS - 1);
  expect((await restApi(server.http).me(by(made))).refusal).toBeUndefined();
  time.forward(1);
  expect((await restApi(server.http).me(by(made))).refusal).toEqual({ code: 'UNAUTHENTICATED' });
});

test('it opens sockets and streams, which close when it is deleted', async () => {
  const made = await make();
  const socket = await openSocket(server, by(made));
  const streaming = await openStream(server.url, 'me/events', by(made));
  must(await restApi(server.http).deleteToken(ann, made.personalToken.id));
  expect(await socket.closed).toBe(4401);
  expect(await streaming.ended).toBe(true);
});

test('what is a session with the password is refused to it at each row that says so, and only there', async () => {
  const { schema } = server.app.get(GraphQLSchemaHost);
  const table = accessTable(server.app);
  const rows = (['Query', 'Mutation', 'Route'] as const).flatMap((kind) => table[kind].map((row) => [kind, row] as const)); // prettier-ignore
  const refused: string[] = [];
  for (const [kind, row] of rows) {
    // Some of them end sessions, so each uses another one.
    const answer = await askFor(server, schema, kind, row, by(await make()));
    if (codeOf(answer) === 'SESSION_REQUIRED') refused.push(row.name);
    ann = await register(server.http, 'ann');
  }
  expect(refused).toEqual(rows.filter(([, { access }]) => access.kinds.join() === 'password').map(([, { name }]) => name)); // prettier-ignore
  expect(refused).toHaveLength(26);
}, 120_000);

test('a request costs no statement more than one of a session, once the token is known', async () => {
  const api = restApi(server.http);
  const made = await make();
  const { id } = await begin(api, ann, await register(server.http, 'ben'));
  const asked = (who: { authorization: string }) => sentBy(() => api.game(who, id));
  await Promise.all([asked(ann), asked(by(made))]);
  expect((await asked(by(made))).length).toBe((await asked(ann)).length);
});

test('only its hash is stored', async () => {
  const { token, personalToken } = await make();
  const row = await server.app
    .get(PrismaService)
    .db.session.findUniqueOrThrow({ where: { id: personalToken.id } });
  expect(row.tokenHash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(row)).not.toContain(token.slice(3));
});

test('there are at most a hundred', async () => {
  for (let i = 0; i < 98; i += 1) await make({ name: `token ${i}` });
  const input = { name: 'at once', scopes: ['games:read'] as const };
  const atOnce = await Promise.all(
    Array.from({ length: 5 }, () => restApi(server.http).createToken(ann, input)),
  );
  expect(atOnce.filter(({ refusal }) => refusal === undefined)).toHaveLength(2);
  expect((await restApi(server.http).myTokens(ann)).data).toHaveLength(100);
  const { refusal, retryAfter, text } = await restApi(server.http).createToken(ann, {
    name: 'x',
    scopes: ['games:read'],
  });
  // Waiting makes no room.
  expect([refusal, retryAfter]).toEqual([{ code: 'LIMIT_REACHED' }, undefined]);
  expect(JSON.parse(text)).toMatchObject({ limit: 100 });
});

test('its form can be told from that of any other text', () => {
  const tokens = Array.from({ length: 200 }, newPersonalToken);
  expect(new Set(tokens).size).toBe(200);
  for (const token of tokens) {
    expect(isPersonal(token)).toBe(true);
    const [body, check] = [token.slice(3, -6), token.slice(-6)];
    const value = [...check].reduce((sum, digit) => sum * 62 + '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit), 0); // prettier-ignore
    expect(value).toBe(crc32(body));
    const other = token.endsWith('0') ? '1' : '0';
    for (const wrong of [token.slice(0, -1) + other, `${token}0`, token.slice(1), token.toUpperCase()])
      expect(isPersonal(wrong)).toBe(false);
  }
});
