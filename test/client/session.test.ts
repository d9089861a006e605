import { createClient, type Halfmove, operations, type Tokens } from '../../packages/client/src/client.js';
import { registerClient, SOON } from '../support/clients.js';
import { startDroppingProxy } from '../support/dropping-proxy.js';
import { PASSWORD } from '../support/people.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** The session that a client keeps. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

/** A client whose access token the server refuses, with a count of its requests. */
async function expired(more: Partial<Tokens> = {}) {
  const { halfmove: before, username } = await registerClient(server.url, 'ann');
  const told: (Tokens | null)[] = [];
  const sent: string[] = [];
  const halfmove = createClient({
    url: server.url,
    ...SOON,
    session: { ...before.session!, accessToken: 'expired', ...more },
    onSession: (session) => told.push(session),
    fetch: async (request) => {
      sent.push(await request.clone().text());
      return fetch(request);
    },
  });
  return { halfmove, username, told, sent };
}

it('is renewed once, however many requests are refused together', async () => {
  const { halfmove, username, told, sent } = await expired();
  const asked = await Promise.all([
    halfmove.graphql(operations.me).then(({ me }) => me.username),
    halfmove.rest.GET('/v1/me').then(({ data }) => data.username),
    ...Array.from({ length: 4 }, () => halfmove.graphql(operations.me).then(({ me }) => me.username)),
  ]);
  expect(new Set(asked)).toEqual(new Set([username]));
  expect(sent.filter((body) => body.includes('mutation refresh'))).toHaveLength(1);
  expect(told).toEqual([halfmove.session]);
  // The new access and refresh tokens work again.
  expect((await halfmove.graphql(operations.me)).me.username).toBe(username);
});

it('is renewed also for requests that are not retried otherwise', async () => {
  const { halfmove } = await expired();
  const { data } = await halfmove.rest.PATCH('/v1/me', { body: { displayName: 'Ann Lee 2' } });
  expect(data.user.displayName).toBe('Ann Lee 2');
});

it.each([
  ['the first request', ['request']],
  ['the answer to it', ['answer']],
  ['answers again and again', ['answer', 'request', 'answer']],
] as const)('is renewed when %s is lost', async (_, lost) => {
  const proxy = await startDroppingProxy(server.url);
  const { halfmove: before, username } = await registerClient(server.url, 'ben');
  const session = { ...before.session!, accessToken: 'expired' };
  const halfmove = createClient({ url: proxy.url, ...SOON, session });
  // The request and its refusal pass.
  proxy.drop(null, null, ...lost);
  expect((await halfmove.graphql(operations.me)).me.username).toBe(username);
  expect(proxy.left()).toBe(0);
  // The server knows the token that arrived at last.
  const { refreshToken } = halfmove.session!;
  await halfmove.graphql(operations.refresh, { input: { refreshToken: refreshToken! } });
  await proxy.close();
});

it('ends when its refresh token is refused', async () => {
  const { halfmove, told } = await expired({ refreshToken: 'unknown' });
  await expect(halfmove.graphql(operations.me)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(told).toEqual([null]);
  expect(halfmove.session).toBeNull();
});

it('begins with a login and ends with a logout', async () => {
  const { username } = await registerClient(server.url, 'cara');
  const told: (Tokens | null)[] = [];
  const halfmove = createClient({ url: server.url, onSession: (session) => told.push(session) });
  const session = await halfmove.login({ username, password: PASSWORD });
  expect([session.user.username, halfmove.session]).toEqual([username, session]);
  expect(await halfmove.logout()).toEqual({ logout: { ended: 1 } });
  expect(told).toEqual([session, null]);
  await expect(halfmove.graphql(operations.me)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

/** Ann's client, which logs in as Ben when this request of hers is answered, or lost. */
async function takenOver(isMoment: (url: string, body: string) => boolean, isReservedName = false) {
  const ben = await registerClient(server.url, 'ben');
  const ann = await registerClient(server.url, 'ann');
  const { session } = ann.halfmove;
  const begin = (tokens: Tokens) => {
    let isTaken = false;
    const halfmove = createClient({
      url: server.url,
      ...SOON,
      session: tokens,
      fetch: async (request) => {
        const isNow = !isTaken && isMoment(request.url, await request.clone().text());
        isTaken ||= isNow;
        const answer = await fetch(request);
        if (isNow) await halfmove.login({ username: ben.username, password: PASSWORD });
        if (isNow && isReservedName) throw new Error('lost');
        return answer;
      },
    });
    return halfmove;
  };
  return { begin, session: session!, ben };
}

const isPatch = (url: string, body: string) => url.endsWith('/v1/me') && body.includes('displayName');

it.each([
  ['while the request is refused', isPatch],
  ['while the session is renewed', (_: string, body: string) => body.includes('mutation refresh')],
])('does not send a request for another user when the client logs in as Ben %s', async (_, isMoment) => {
  const { begin, session, ben } = await takenOver(isMoment);
  const halfmove = begin({ ...session, accessToken: 'expired' });
  const patch = halfmove.rest.PATCH('/v1/me', { body: { displayName: 'Ann Lee' } });
  await expect(patch).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const { me } = await halfmove.graphql(operations.me);
  expect(me).toMatchObject({ username: ben.username, displayName: ben.username });
});

it('does not repeat a lost request for another user', async () => {
  const { begin, session, ben } = await takenOver((url) => url.endsWith('/v1/me'), true);
  const halfmove = begin(session);
  await expect(halfmove.rest.GET('/v1/me')).rejects.toMatchObject({ code: 'NO_ANSWER' });
  expect((await halfmove.graphql(operations.me)).me.username).toBe(ben.username);
});

it('survives the logout of the session that it replaced', async () => {
  const { begin, session, ben } = await takenOver((_, body) => body.includes('mutation logout'));
  const halfmove = begin(session);
  expect(await halfmove.logout()).toEqual({ logout: { ended: 1 } });
  expect((await halfmove.graphql(operations.me)).me.username).toBe(ben.username);
});

describe('of several tabs, which store it in one place,', () => {
  /** Tabs of one user; no token is valid until one of them renews it. */
  async function tabs() {
    const { halfmove: before, username } = await registerClient(server.url, 'ann');
    // Signed by nobody, but with the name of the user.
    const accessToken = before.session!.accessToken.replace(/[^.]+$/, 'unsigned');
    let stored: Tokens | null = { ...before.session!, accessToken };
    const sent: string[] = [];
    const open = () =>
      createClient({
        url: server.url,
        ...SOON,
        session: () => stored,
        onSession: (session) => (stored = session),
        fetch: async (request) => {
          sent.push(await request.clone().text());
          return fetch(request);
        },
      });
    const refreshes = () => sent.filter((body) => body.includes('mutation refresh')).length;
    return {
      username,
      open,
      refreshes,
      stored: () => stored,
      store: (session: Tokens | null) => (stored = session),
    };
  }

  const nameOf = async (tab: Halfmove) => (await tab.graphql(operations.me)).me.username;

  it('is renewed by one of them', async () => {
    const { username, open, refreshes, stored } = await tabs();
    const [first, second] = [open(), open()];
    expect([await nameOf(first), await nameOf(second)]).toEqual([username, username]);
    expect(refreshes()).toBe(1);
    expect([first.session, second.session]).toEqual([stored(), stored()]);
  });

  it('is renewed although the token that another tab stored has expired as well', async () => {
    const { username, open, refreshes, stored, store } = await tabs();
    const tab = open();
    await nameOf(open());
    store({ ...stored()!, accessToken: stored()!.accessToken.replace(/[^.]+$/, 'expired') });
    expect([await nameOf(tab), refreshes()]).toEqual([username, 2]);
  });

  it('ends in all of them', async () => {
    const { open, refreshes } = await tabs();
    const [first, second] = [open(), open()];
    await first.logout();
    await expect(second.graphql(operations.me)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect([second.session, refreshes()]).toEqual([null, 1]);
  });

  it('gives way to that of another user, for whom no request is repeated', async () => {
    const { open, store } = await tabs();
    const tab = open();
    const ben = await registerClient(server.url, 'ben');
    store(ben.halfmove.session);
    await expect(tab.rest.PATCH('/v1/me', { body: { displayName: 'Ann' } })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' }); // prettier-ignore
    expect(await nameOf(tab)).toBe(ben.username);
  });
});
