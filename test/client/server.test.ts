import { readdirSync, readFileSync } from 'node:fs';
import { createClient, operations } from '../../packages/client/src/client.js';
import { createApplicationClient, type Application } from '../../packages/client/src/server.js';
import { restApi } from '../support/api.js';
import { SOON } from '../support/clients.js';
import { startDroppingProxy } from '../support/dropping-proxy.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { newGame, newSite, type Site } from '../support/sites.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';

/** The entry `@halfmove/client/server`, by which the server of a site acts as its application. */

let server: TestServer;
let time: StoppedTime;
let site: Site;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
});
beforeEach(async () => {
  site = await newSite(restApi(server.http), server.http);
});
afterAll(() => server.close());

const PLAYERS = ['ann', 'ben'].map((externalId) => ({ externalId, displayName: `Member ${externalId}` }));

/** A client of the application, and the paths that it has asked. */
function clientOf({ id, secret }: Pick<Site, 'id' | 'secret'>, url = server.url) {
  const asked: string[] = [];
  const application = createApplicationClient({
    ...{ url, id, secret, ...SOON },
    fetch: (request) => {
      asked.push(new URL(request.url).pathname);
      return fetch(request);
    },
  });
  return { application, tokens: () => asked.filter((path) => path === '/oauth/token').length };
}

const savePlayers = (application: Application) =>
  application.rest.PUT('/v1/application/players', { body: { players: PLAYERS } });

const own = '{ application { id } }';

it('asks for one token at a time, however many requests need it, and for the next one when that has expired', async () => {
  const { application, tokens } = clientOf(site);
  expect(tokens()).toBe(0);
  const ask = () =>
    Promise.all([
      application.rest.GET('/v1/application').then(({ data }) => data.id),
      application.graphql(own).then((data) => (data as { application: { id: string } }).application.id),
      ...PLAYERS.map(() => application.rest.GET('/v1/application').then(({ data }) => data.id)),
    ]);
  expect(new Set(await ask())).toEqual(new Set([site.id]));
  expect(tokens()).toBe(1);
  time.forward(server.config.accessTokenSeconds * 1000);
  await ask();
  expect(tokens()).toBe(2);
});

it('throws the refusal of a wrong secret, and asks again with the next request', async () => {
  const { application, tokens } = clientOf({ id: site.id, secret: 'wrong' });
  for (const _ of PLAYERS)
    await expect(application.rest.GET('/v1/application')).rejects.toMatchObject({ code: 'INVALID_CLIENT' });
  expect(tokens()).toBe(2);
});

it.each(['request', 'answer'] as const)(
  'sends again what an application does when the %s is lost',
  async (lost) => {
    const proxy = await startDroppingProxy(server.url);
    const { application } = clientOf(site, proxy.url);
    proxy.drop(lost, lost);
    await savePlayers(application);
    proxy.drop(lost);
    const games = [newGame('final', 'ann', 'ben')] as never;
    const { data: made } = await application.rest.POST('/v1/application/games', { body: { games } });
    proxy.drop(lost);
    await application.createPlayerToken('ann');
    const { data: found } = await application.rest.GET('/v1/application/games');
    expect(found.items.map(({ game }) => game.id)).toEqual(made.games.map(({ game }) => game.id));
    expect(proxy.left()).toBe(0);
    await proxy.close();
  },
);

it('makes tokens for browsers, whose clients ask for the next one', async () => {
  const { application } = clientOf(site);
  await savePlayers(application);
  const games = [newGame('final', 'ann', 'ben')] as never;
  const { data } = await application.rest.POST('/v1/application/games', { body: { games } });
  const { id: gameId } = data.games[0]!.game;
  const token = async () => {
    const made = await application.createPlayerToken('ann', { scopes: ['games:read', 'games:play'], seconds: 60 }); // prettier-ignore
    return { accessToken: made.token };
  };
  let renewed = 0;
  const ann = createClient({
    ...{ url: server.url, ...SOON, session: await token() },
    onExpired: () => ((renewed += 1), token()),
  });
  time.forward(60_000);
  await ann.graphql(operations.makeMove, { input: { gameId, ply: 1, move: 'e4' } });
  expect(renewed).toBe(1);
  await expect(ann.rest.GET('/v1/application')).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

it('is in nothing that a browser loads', () => {
  const built = ['packages/client/dist/client.js', 'packages/elements/dist/halfmove.js'];
  const assets = readdirSync('dist/web/assets').map((name) => `dist/web/assets/${name}`);
  const holders = [...built, ...assets].filter((path) => readFileSync(path, 'utf8').includes('client_credentials')); // prettier-ignore
  expect(assets.length).toBeGreaterThan(5);
  expect(holders).toEqual([]);
  expect(readFileSync('packages/client/dist/server.js', 'utf8')).toContain('client_credentials');
});
