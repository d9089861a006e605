import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { GuestsService } from '../../src/features/guests/guests.service.js';
import { GuestsStore } from '../../src/features/guests/guests.store.js';
import { GamesService } from '../../src/features/games/games.service.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { accessTable } from '../../src/pages/access.js';
import { GUEST_SCOPES, type Scope } from '../../src/platform/contract/scopes.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import type { Session } from '../support/operations/accounts.js';
import { bearer, PASSWORD, type Person, register } from '../support/people.js';
import { NO_CLOCK } from '../support/play.js';
import { askFor, codeOf } from '../support/scopes.js';
import { startServer, type TestServer } from '../support/server.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** Guests: what they may, how they become persons, and how they are forgotten. */

// Both databases: seeks are paired by a statement that knows guests.

const DAY_MS = 86_400_000;
const TERMS = { ruleset: 'chess', timeControl: NO_CLOCK };
const newName = (name = 'gus') => `${name}-${randomUUID().slice(0, 8)}`;

let server: TestServer;
let time: StoppedTime;
let ann: Person;
beforeAll(async () => {
  server = await startServer({ SWEEP_SECONDS: '3600', HOUSEKEEPING_SECONDS: '86400', GUESTS_PER_HOUR: '1000000', SESSION_DAYS: '365', ACCESS_TOKEN_SECONDS: '86400' }); // prettier-ignore
  time = stopTime(server.app);
});
afterAll(() => server.close());
beforeEach(async () => {
  ann = await register(server.http, 'ann');
});

const rest = (): Api => restApi(server.http);
/** A new name and password, with the proof that they are the guest's. */
const ways = ({ refreshToken }: { refreshToken: string }, more: object = {}) => ({
  ...{ username: newName(), password: PASSWORD, refreshToken },
  ...more,
});
const newGuest = async (displayName?: string): Promise<Session & { authorization: string }> => {
  const session = must(await rest().createGuest(null, displayName));
  return { ...session, ...bearer(session) };
};

/** A game of a guest, who made the link, and a person. */
async function gameOf(guest: { authorization: string }, person: Person) {
  const { id, linkToken } = must(await rest().createChallenge(guest, TERMS));
  return must(await rest().acceptChallenge(person, id, { linkToken }));
}

describe.each(TRANSPORTS)('over %s', (transport, over) => {
  let api: Api;
  beforeEach(() => {
    api = over(server.http);
  });

  it('a guest plays at once, under a name of guests', async () => {
    const session = must(await api.createGuest(null, 'Visitor'));
    expect(session.user).toMatchObject({
      displayName: 'Visitor',
      guest: true,
      closed: false,
      challengesFrom: 'nobody',
    });
    expect(session.user.username).toMatch(/^guest-[a-z2-9]{7}$/);
    const guest = bearer(session);
    const game = await gameOf(guest, ann);
    const moving = game.players.find(({ seat }) => seat === 'first')!.player;
    const first = moving.username === session.user.username ? guest : ann;
    expect((await api.makeMove(first, game.id, 1, 'e2e4')).refusal).toBeUndefined();
    expect(must(await api.user(null, session.user.username))).toEqual(session.user);
    expect(must(await api.users(null, session.user.username))).toEqual([]);
  });

  it('a guest may nothing that needs another scope, also after a renewal', async () => {
    const session = must(await api.createGuest(null));
    const renewed = must(await api.refresh(null, session.refreshToken));
    for (const guest of [bearer(session), bearer(renewed)]) {
      const refused = [await api.me(guest), await api.importGames(guest, { text: '1. e4 *' }), await api.myTokens(guest), await api.createToken(guest, { name: 'x', scopes: ['games:read'] }), await api.changePassword(guest, '', PASSWORD), await api.closeAccount(guest, ''), await api.changeEmail(guest, 'a@b.org')]; // prettier-ignore
      expect(refused.map(({ refusal }) => refusal!.code)).toEqual(Array(7).fill('INSUFFICIENT_SCOPE'));
    }
  });

  it('a guest plays casual games by links and seeks that let them in', async () => {
    const guest = bearer(must(await api.createGuest(null)));
    const link = async (more: object) => must(await api.createChallenge(ann, { ...TERMS, ...more }));
    const [rated, persons] = [await link({ rated: true }), await link({ personsOnly: true })];
    const seek = must(await api.createSeek(ann, { ...TERMS, personsOnly: true }));
    const refused = [
      await api.createChallenge(guest, { ...TERMS, rated: true }),
      await api.createSeek(guest, { ...TERMS, rated: true }),
      await api.createChallenge(guest, { ...TERMS, opponent: ann.username }),
      await api.acceptChallenge(guest, rated.id, { linkToken: rated.linkToken! }),
      await api.acceptChallenge(guest, persons.id, { linkToken: persons.linkToken! }),
      await api.acceptChallenge(guest, seek.id),
    ];
    expect(refused.map(({ refusal }) => refusal!.code)).toEqual(Array(6).fill('CLAIM_REQUIRED'));
    must(await api.cancelChallenge(ann, seek.id));
  });

  it('the lobby lists for a guest what a guest may accept, if it is asked to', async () => {
    const by = bearer(must(await api.createGuest(null)));
    const other = await register(server.http, 'ben');
    const kinds = [{}, { rated: true }, { personsOnly: true }, { minRating: 1600 }];
    const made: string[] = [];
    for (const more of kinds) made.push(must(await api.createSeek(other, { ...TERMS, expiresIn: 86_400, ...more })).id); // prettier-ignore
    const listed = async (who: { authorization: string }, acceptable: boolean) => {
      const filter = acceptable ? { acceptable: transport === 'REST' ? 'true' : true } : {};
      const seeks = must(await api.lobby(who, filter)).edges.map(({ node }) => node.id);
      return made.filter((id) => seeks.includes(id));
    };
    expect(await listed(by, true)).toEqual(made.slice(0, 1));
    expect(await listed(await register(server.http, 'cid'), true)).toEqual(made.slice(0, 3));
    expect(await listed(by, false)).toEqual(made);
    for (const id of made) must(await api.cancelChallenge(other, id));
  });

  it('becomes a person, whose games stay as they are', async () => {
    const session = must(await api.createGuest(null));
    const guest = bearer(session);
    const game = await gameOf(guest, ann);
    const record = async () => JSON.stringify(await server.app.get(GamesService).record(game.id));
    const before = await record();
    const { cursor } = must(await api.changes(ann));
    const username = newName();
    const claimed = must(await api.claimAccount(guest, ways(session, { username })));
    expect(claimed.user).toEqual({ ...session.user, username, displayName: username, guest: false, challengesFrom: 'everybody' }); // prettier-ignore
    expect(await record()).toBe(before.replaceAll(session.user.username, username));
    expect(holds(verify(await server.app.get(GamesService).record(game.id)))).toBe(true);
    // The opponent learns of the new name.
    const told = async () => must(await api.changes(ann, { since: cursor })).items.map(({ id }) => id);
    // On a shared PostgreSQL other transactions delay it.
    for (let tries = 0; tries < 100 && (await told()).length === 0; tries++) await pause(100);
    expect(await told()).toContain(game.id);
    expect((await api.plain(guest, 'resign', game.id)).refusal).toEqual({ code: 'UNAUTHENTICATED' });
    expect((await api.refresh(null, session.refreshToken)).refusal!.code).toBe('INVALID_REFRESH_TOKEN');
    expect(must(await api.me(bearer(claimed)))).toEqual(claimed.user);
    must(await api.login(null, { username, password: PASSWORD }));
    must(await api.resign(bearer(claimed), game.id));
  });

  it('cannot be claimed with an access token alone, nor with a refresh token that was used or is of another', async () => {
    const session = must(await api.createGuest(null));
    const renewed = must(await api.refresh(null, session.refreshToken));
    const other = must(await api.createGuest(null));
    for (const refreshToken of [session.refreshToken, other.refreshToken, session.accessToken, 'x'])
      expect((await api.claimAccount(bearer(session), ways({ refreshToken }))).refusal).toEqual({
        code: 'INVALID_REFRESH_TOKEN',
      });
    expect(must(await api.user(null, session.user.username))!.guest).toBe(true);
    must(await api.claimAccount(bearer(renewed), ways(renewed)));
  });

  it('is refused the claim of a name that is taken, weak or reserved, and stays a guest', async () => {
    const session = must(await api.createGuest(null, 'Gus'));
    const guest = bearer(session);
    const claim = async (input: object) => (await api.claimAccount(guest, ways(session, input))).refusal;
    expect(await claim({ username: ann.username })).toEqual({ code: 'USERNAME_TAKEN', field: 'username' });
    expect(await claim({ username: 'guest-1234567' })).toEqual({ code: 'BAD_INPUT', field: 'username' });
    expect(await claim({ username: 'admin' })).toEqual({ code: 'BAD_INPUT', field: 'username' });
    expect((await claim({ password: 'password' }))!.code).toBe('PASSWORD_TOO_COMMON');
    expect(await claim({ email: 'x' })).toEqual({ code: 'BAD_INPUT', field: 'email' });
    expect((await api.claimAccount(ann, ways(session))).refusal).toEqual({
      code: 'FORBIDDEN',
    });
    const claimed = must(await api.claimAccount(guest, ways(session, { email: 'gus@example.org' })));
    expect(claimed.user.displayName).toBe('Gus');
    expect(must(await api.myAccount(bearer(claimed)))).toEqual({
      email: null,
      pendingEmail: 'gus@example.org',
    });
  });
});

test('nobody signs in as a guest, registers a name of guests, or challenges one', async () => {
  const { user } = await newGuest();
  expect((await rest().login(null, { username: user.username, password: '' })).refusal).toEqual({
    code: 'INVALID_CREDENTIALS',
  });
  const register = await rest().register(null, { username: 'guest-abcdefg', password: PASSWORD });
  expect(register.refusal).toEqual({ code: 'BAD_INPUT', field: 'username' });
  const challenge = await rest().createChallenge(ann, { ...TERMS, opponent: user.username });
  expect(challenge.refusal!.code).toBe('CHALLENGES_REFUSED');
});

test('a guest has at most three running games', async () => {
  const guest = await newGuest();
  for (let i = 0; i < 3; i += 1) await gameOf(guest, ann);
  const { id, linkToken } = must(await rest().createChallenge(ann, TERMS));
  const answer = await rest().acceptChallenge(guest, id, { linkToken: linkToken! });
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'LIMIT_REACHED', limit: 3 });
});

test('a seek of a guest is paired with one that lets guests in', async () => {
  const guest = await newGuest();
  const timeControl = { perMove: { seconds: 86_400 + Number.parseInt(randomUUID().slice(0, 4), 16) } };
  const terms = { ruleset: 'xiangqi', timeControl };
  const seek = async (by: { authorization: string }, more: object = {}) => must(await rest().createSeek(by, { ...terms, ...more })); // prettier-ignore
  const statusOf = async ({ id }: { id: string }) => must(await rest().challenge(null, id)).status;
  const persons = await seek(ann, { personsOnly: true });
  const own = await seek(guest);
  expect([await statusOf(persons), await statusOf(own)]).toEqual(['open', 'open']);
  // The oldest that fits: that of Ann, who plays with persons only, and then that of the guest.
  await seek(await register(server.http, 'ben'));
  expect([await statusOf(persons), await statusOf(own)]).toEqual(['accepted', 'open']);
  await seek(await register(server.http, 'cid'), { personsOnly: true });
  expect(await statusOf(own)).toBe('open');
  await seek(await register(server.http, 'dot'));
  expect(await statusOf(own)).toBe('accepted');
});

test('each row asks a guest for its scopes, and for nothing else', async () => {
  const { schema } = server.app.get(GraphQLSchemaHost);
  const table = accessTable(server.app);
  const wrong: unknown[] = [];
  for (const kind of ['Query', 'Mutation', 'Route'] as const) {
    for (const row of table[kind].filter(({ access }) => access.token === 'required')) {
      const isAllowed = row.access.scopes.every((scope) =>
        (GUEST_SCOPES as readonly Scope[]).includes(scope),
      );
      const code = codeOf(await askFor(server, schema, kind, row, await newGuest()));
      const isRefused = ['INSUFFICIENT_SCOPE', 'SESSION_REQUIRED', 'UNAUTHENTICATED'].includes(code ?? '');
      if (isRefused === isAllowed) wrong.push([row.name, code]);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('the name of a guest that somebody has taken since is no hindrance', async () => {
  const word = `visitor${randomUUID().slice(0, 6)}`;
  const guest = await newGuest(word.toUpperCase());
  must(await rest().register(null, { username: word, password: PASSWORD }));
  const username = newName();
  const claimed = must(await rest().claimAccount(guest, ways(guest, { username })));
  expect(claimed.user).toMatchObject({ username, displayName: username });
});

test('a claim succeeds although no mail can go out', async () => {
  const small = await startServer({ RECOVERIES_PER_HOUR: '1' });
  const api = restApi(small.http);
  for (const email of ['gus@example.org', 'eve@example.org']) {
    const session = must(await api.createGuest(null));
    const claimed = must(await api.claimAccount(bearer(session), ways(session, { email })));
    const { pendingEmail } = must(await api.myAccount(bearer(claimed)));
    expect(pendingEmail).toBe(email.startsWith('gus') ? email : null);
  }
  await small.close();
});

test('a guest ends the session', async () => {
  const guest = await newGuest();
  expect((await rest().logout(guest)).data).toBe(1);
  expect((await rest().refresh(null, guest.refreshToken)).refusal!.code).toBe('INVALID_REFRESH_TOKEN');
});

test('two claims at once make one person', async () => {
  const guest = await newGuest();
  const answers = await Promise.all(Array.from({ length: 6 }, () => rest().claimAccount(guest, ways(guest))));
  expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);
});

test('a guest who never played is forgotten after a day, any other thirty days after the last game', async () => {
  const [idle, player] = [await newGuest(), await newGuest()];
  const claimed = await newGuest();
  must(await rest().claimAccount(claimed, ways(claimed)));
  const game = await gameOf(player, ann);
  const left = async () => {
    await server.app.get(GuestsService).forgetIdle();
    const users = await Promise.all([idle, player].map(({ user }) => rest().user(null, user.username)));
    return users.map(({ refusal }) => refusal === undefined);
  };
  time.forward(DAY_MS - 1);
  expect(await left()).toEqual([true, true]);
  time.forward(2);
  expect(await left()).toEqual([false, true]);
  time.forward(40 * DAY_MS);
  // The game still runs.
  expect(await left()).toEqual([false, true]);
  must(await rest().resign(bearer(must(await rest().refresh(null, player.refreshToken))), game.id));
  time.forward(30 * DAY_MS - 1);
  expect(await left()).toEqual([false, true]);
  time.forward(2);
  expect(await left()).toEqual([false, false]);
  const { players } = must(await rest().game(null, game.id));
  expect(players.map(({ player }) => player.username).sort()).toEqual(
    [ann.username, 'closed-account'].sort(),
  );
});

test('a guest who was claimed after the sweep had listed them stays', async () => {
  const guest = await newGuest();
  const store = server.app.get(GuestsStore);
  time.forward(DAY_MS + 1);
  const session = must(await rest().refresh(null, guest.refreshToken));
  const username = newName();
  store.forgettable = async () => {
    must(await rest().claimAccount(bearer(session), ways(session, { username })));
    return [guest.user.id];
  };
  await server.app.get(GuestsService).forgetIdle();
  Reflect.deleteProperty(store, 'forgettable');
  must(await rest().login(null, { username, password: PASSWORD }));
});

test('an address makes only so many', async () => {
  const small = await startServer({ GUESTS_PER_HOUR: '2' });
  const codes: (string | undefined)[] = [];
  for (let i = 0; i < 3; i += 1) codes.push((await restApi(small.http).createGuest(null)).refusal?.code);
  expect(codes).toEqual([undefined, undefined, 'RATE_LIMITED']);
  await small.close();
});
