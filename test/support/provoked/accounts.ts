import { randomUUID } from 'node:crypto';
import { Mailer } from '../../../src/features/delivery/mailer.js';
import { UsersService } from '../../../src/features/users/users.service.js';
import { bearer, PASSWORD } from '../people.js';
import { withScopes } from '../scopes.js';
import { must, type Body } from '../transport.js';
import { row, thrownBy, type Rows, type World } from './row.js';

/** Accounts, sessions, profiles, messages and vacations. */

const registered =
  (input: Body) =>
  ({ api }: World) =>
    api.register(null, { username: 'new-name', password: PASSWORD, ...input });

const DAY_MS = 86_400_000;

const planned =
  (wish: Body, before: readonly Body[] = []) =>
  async ({ api, ann }: World) => {
    for (const each of before) must(await api.planVacation(ann, each));
    return api.planVacation(ann, wish);
  };

/** The start of the next year of the stopped clock, and so many days on: all days are of one year. */
const nextYear = ({ time }: World, days: number) =>
  new Date(Date.UTC(time.now().getUTCFullYear() + 1, 0, 1 + days)).toISOString();

const written =
  (text: unknown) =>
  async ({ api, pair, ann }: World) =>
    api.sendMessage(ann, (await pair.after([])).id, text);

export const ACCOUNTS: Rows = {
  BAD_INPUT: [
    row(registered({ username: 'x' }), 'username must have 3 to 30 characters; got 1.', { field: 'username', min: 3, max: 30 }), // prettier-ignore
    row(registered({ username: 'ann lee' }), 'got "ann lee".', { field: 'username' }),
    row(registered({ username: 'Closed-Account' }), 'reserved; got "Closed-Account".', { field: 'username' }),
    row(registered({ displayName: 'x'.repeat(41) }), 'displayName must have 1 to 40 characters; got 41.', { field: 'displayName', min: 1, max: 40 }), // prettier-ignore
    row(registered({ displayName: '!?' }), 'got "!?".', { field: 'displayName' }),
    row(registered({ displayName: 'Closed account' }), 'got "Closed account".', { field: 'displayName' }),
    row(registered({ password: 'short' }), 'password must have 8 to 128 characters; got 5.', { field: 'password', min: 8, max: 128 }), // prettier-ignore
    row(({ api, ann }) => api.updateProfile(ann, {}), 'Send displayName or challengesFrom'),
    row(({ api, ann }) => api.updateProfile(ann, { challengesFrom: 'rated', challengesWithin: 5000 }), 'got 5000.', { field: 'challengesWithin', min: 1, max: 4000 }), // prettier-ignore
    row(({ api, ann }) => api.updateProfile(ann, { challengesWithin: 5 }), 'challengesFrom: rated', {
      field: 'challengesWithin',
    }),
    row(({ api, ann }) => api.blockUser(ann, ann.username), 'your own', { field: 'username' }),
    row(written('x'.repeat(501)), /500 characters; got 501/, { field: 'text', max: 500 }),
    row(written(' '), 'got 0.', { field: 'text', min: 1, max: 500 }),
    row(written('a\u0007b'), 'got U+0007 at position 2.', { field: 'text' }),
  ],
  PASSWORD_TOO_COMMON: [
    row(registered({ password: 'password123' }), 'Choose another', { field: 'password' }),
    row(registered({ username: 'magnus-7', password: 'Magnus-7-1' }), 'your names', { field: 'password' }),
  ],
  CONFIRMATION_REQUIRED: [
    row(({ api, ann, time }) => {
      time.forward(600_000);
      return api.createToken(ann, { name: 'late', scopes: ['games:read'] });
    }, 'Confirm it, then'),
  ],
  SESSION_REQUIRED: [
    row(async ({ api, ann }) => {
      const { token } = must(await api.createToken(ann, { name: 'my bot', scopes: ['account'] }));
      return api.changePassword({ authorization: `Bearer ${token}` }, PASSWORD, PASSWORD);
    }, 'Log in with the password'),
  ],
  UNAUTHENTICATED: [
    row(({ api }) => api.me(null), 'Authorization: Bearer'),
    row(({ api }) => api.me({ authorization: 'Bearer x.y.z' }), 'Refresh it or log in again'),
    row(async ({ api, ann }) => {
      must(await api.endSessions(ann, true));
      return api.me(ann);
    }, 'log in again'),
  ],
  INVALID_CREDENTIALS: [
    row(({ api, ann }) => api.login(null, { username: ann.username, password: 'wrong one' }), 'Wrong username or password.'), // prettier-ignore
    row(({ api, ann }) => api.closeAccount(ann, 'wrong one'), 'Wrong password.', { field: 'password' }),
  ],
  CLAIM_REQUIRED: [
    row(async ({ api }) => {
      const guest = bearer(must(await api.createGuest(null)));
      return api.createSeek(guest, { ruleset: 'chess', timeControl: { none: {} }, rated: true });
    }, 'A guest cannot play rated games. Claim the account'),
  ],
  NO_MAIL: [
    row(async ({ server, api, ann }) => {
      const mailer = server.app.get(Mailer);
      Object.defineProperty(mailer, 'sends', { value: false, configurable: true });
      const answer = await api.changeEmail(ann, 'ann@example.org');
      Reflect.deleteProperty(mailer, 'sends');
      return answer;
    }, 'sends no mail'),
  ],
  INVALID_LINK: [row(({ api }) => api.verifyEmail(null, 'x'), 'Ask for a new one', { field: 'token' })],
  INVALID_CLIENT: [
    row(({ api }) => api.createApplicationToken(null, randomUUID(), 'x'), 'the secret is wrong'),
  ],
  INVALID_REFRESH_TOKEN: [row(({ api }) => api.refresh(null, 'x'), 'Log in again')],
  INSUFFICIENT_SCOPE: [
    row(
      async ({ server, api, ann }) => api.me(await withScopes(server, ann, ['games:read'])),
      'profile:read',
    ),
  ],
  RATE_LIMITED: [
    row(
      async ({ api, pair, ann }) => {
        const { id } = await pair.after([]);
        for (let n = 0; n < 10; n += 1) must(await api.sendMessage(ann, id, `Hello ${n}`));
        return api.sendMessage(ann, id, 'Hello');
      },
      '10 per minute',
      { limit: 10, retryAfter: expect.any(Number) as number },
    ),
    row(
      async ({ api, ann }) => {
        const wrong = { username: ann.username, password: 'wrong one' };
        for (let n = 0; n < 10; n += 1) await api.login(null, wrong);
        return api.login(null, wrong);
      },
      'Too many wrong passwords',
      { limit: 10, retryAfter: expect.any(Number) as number },
    ),
  ],
  USERNAME_TAKEN: [
    row(
      (world) => registered({ username: world.ann.username, displayName: 'Someone new' })(world),
      'is taken',
      {
        field: 'username',
      },
    ),
  ],
  NAME_TAKEN: [
    row(({ api, ann, ben }) => api.updateProfile(ann, { displayName: ben.username }), 'ben-', {
      field: 'displayName',
    }),
  ],
  ACCOUNT_CLOSED: [
    row(async ({ server, api, ann }) => {
      must(await api.closeAccount(ann, PASSWORD));
      return thrownBy(() => server.app.get(UsersService).update(ann.id, { displayName: 'Back' }));
    }, 'closed'),
  ],
  BLOCKED: [
    row(async ({ api, pair, ann, ben }) => {
      const { id } = await pair.after([]);
      must(await api.blockUser(ben, ann.username));
      return api.sendMessage(ann, id, 'Hello');
    }, 'has blocked you'),
    row(async ({ api, pair, ann, ben }) => {
      const { id } = await pair.after([]);
      must(await api.blockUser(ann, ben.username));
      return api.sendMessage(ann, id, 'Hello');
    }, 'You have blocked'),
  ],
  MUTED: [
    row(async ({ api, pair, ann, ben }) => {
      const { id } = await pair.after([]);
      must(await api.muteOpponent(ben, id, true));
      return api.sendMessage(ann, id, 'Hello');
    }, 'has muted you'),
  ],
  INVALID_VACATION: [
    row(planned({ days: 99 }), '60', { field: 'days' }),
    row((world) => planned({ days: 1, startsAt: world.pair.in(-DAY_MS) })(world), 'must not be in the past', {
      field: 'startsAt',
    }),
    row((world) => planned({ days: 1, startsAt: world.pair.in(366 * DAY_MS) })(world), '365', { field: 'startsAt' }), // prettier-ignore
  ],
  VACATION_OVERLAPS: [
    row(planned({ days: 2 }, [{ days: 2 }]), 'overlaps one that you already have', { field: 'startsAt' }),
  ],
  VACATION_USED_UP: [
    row((world) => {
      const used = { days: 29, startsAt: nextYear(world, 0) };
      return planned({ days: 3, startsAt: nextYear(world, 40) }, [used])(world);
    }, '3', { field: 'days' }), // prettier-ignore
  ],
  VACATION_OVER: [
    row(async ({ api, pair }) => {
      const { id } = must(await api.planVacation(pair.first, { days: 1 }));
      await pair.later(2 * DAY_MS);
      return api.endVacation(pair.first, id);
    }, 'ended at'),
  ],
  LIMIT_REACHED: [
    row((world) => {
      const starts = Array.from({ length: 10 }, (_, n) => ({ days: 1, startsAt: nextYear(world, 2 * n) }));
      return planned({ days: 1, startsAt: nextYear(world, 30) }, starts)(world);
    }, '10', { limit: 10 }), // prettier-ignore
  ],
};
