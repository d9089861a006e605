import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Api, restApi } from '../support/api.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { FOOLS_MATE, newGame, newSite, pairOf, playAs, type Site, withToken } from '../support/sites.js';
import { type Json, must } from '../support/transport.js';

/** The programs for sites in packages/client/examples, as their users run them. */
// Long: it starts programs.

const MOST_LINES = 40;
const RECIPES = ['club-match.mjs', 'nightly-copy.mjs'];
const pathOf = (recipe: string) => `packages/client/examples/${recipe}`;

let server: TestServer;
let api: Api;
let site: Site;
let folder: string;
beforeAll(async () => {
  server = await sharedServer();
  api = restApi(server.http);
});
beforeEach(async () => {
  site = await newSite(api, server.http);
  folder = mkdtempSync(join(tmpdir(), 'recipe-'));
});
afterAll(() => server.close());

const environment = () => ({
  PATH: process.env['PATH'],
  HALFMOVE: server.url,
  APPLICATION_ID: site.id,
  APPLICATION_SECRET: site.secret,
});

async function run(recipe: string, argument: string): Promise<string> {
  const args = [pathOf(recipe), argument];
  return (await promisify(execFile)(process.execPath, args, { env: environment() })).stdout;
}

const json = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'));

test.each(RECIPES)('%s is short', (recipe) => {
  expect(readFileSync(pathOf(recipe), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
});

test('a match of twenty boards is begun once, and its table counts the results so far', async () => {
  const team = (name: string) => ({
    name,
    players: Array.from({ length: 20 }, (_, i) => ({ id: `${name}-${i + 1}`, name: `${name} ${i + 1}` })),
  });
  const file = join(folder, 'match.json');
  writeFileSync(file, JSON.stringify({ id: 'autumn', home: team('Springfield'), away: team('Shelbyville') }));
  const before = (await run('club-match.mjs', file)).trim().split('\n');
  expect(before).toHaveLength(21);
  expect(before[0]).toBe('1. Springfield 1 - Shelbyville 1: active');
  expect(before[20]).toBe('Springfield - Shelbyville: 0:0, 20 to come');

  const games = must(await api.ownGames(site.by, { first: 100 })).edges.map(({ node }) => node);
  expect(games.map(({ externalId }) => externalId)).toEqual(games.map((_, i) => `autumn-board-${i + 1}`));
  const tokenOf = async (id: string) => withToken(must(await api.createPlayerToken(site.by, id)));
  const byBoard = async (board: number, first: string, second: string) => ({
    game: games[board - 1]!.game,
    players: { first: await tokenOf(`${first}-${board}`), second: await tokenOf(`${second}-${board}`) },
  });
  // The second seat wins: that of the guests on board 1, and of the hosts on board 2.
  await playAs(api, await byBoard(1, 'Springfield', 'Shelbyville'), FOOLS_MATE);
  await playAs(api, await byBoard(2, 'Shelbyville', 'Springfield'), FOOLS_MATE);
  const third = await byBoard(3, 'Springfield', 'Shelbyville');
  await playAs(api, third, ['e2e4', 'e7e5']);
  must(await api.plain(third.players.first, 'offerDraw', third.game.id));
  must(await api.plain(third.players.second, 'acceptDraw', third.game.id));
  const fourth = await byBoard(4, 'Shelbyville', 'Springfield');
  must(await api.plain(fourth.players.first, 'abort', fourth.game.id));

  const after = (await run('club-match.mjs', file)).trim().split('\n');
  expect(after.slice(0, 5).map((line) => line.split(': ')[1])).toEqual(['0:1', '1:0', '0.5:0.5', 'aborted', 'active']); // prettier-ignore
  expect(after[20]).toBe('Springfield - Shelbyville: 1.5:1.5, 16 to come');
  expect(must(await api.ownGames(site.by, { first: 100 })).edges).toHaveLength(20);
}, 60_000);

describe('the nightly copy', () => {
  const copies = () => (existsSync(join(folder, 'games')) ? readdirSync(join(folder, 'games')) : []);

  /** Kills a copy once it has written so many games. */
  async function cutAt(games: number): Promise<void> {
    const child: ChildProcess = spawn(process.execPath, [pathOf('nightly-copy.mjs'), folder], { env: environment(), stdio: 'inherit' }); // prettier-ignore
    const ended = once(child, 'exit');
    while (copies().length < games && child.exitCode === null) await pause(1);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  }

  const copyOf = (id: string): Json => json(join(folder, 'games', `${id}.json`));

  test('has each game once, also after it was cut, and those that ended since as they ended', async () => {
    const pair = await pairOf(api, site, { rated: true });
    const ids = [pair.game.id];
    for (const [from, count] of [
      [1, 100],
      [101, 19],
    ] as const) {
      const games = Array.from({ length: count }, (_, i) => newGame(`game-${from + i}`, 'ann', 'ben', { rated: true })); // prettier-ignore
      ids.push(...must(await api.createGames(site.by, games)).map(({ game }) => game.id));
    }

    await cutAt(30);
    await cutAt(105);
    await run('nightly-copy.mjs', folder);
    expect(copies().sort()).toEqual(ids.map((id) => `${id}.json`).sort());
    expect(copyOf(ids[7]!)).toMatchObject({ externalId: 'game-7', game: { status: 'active' } });
    expect(Object.keys(json(join(folder, 'state.json')).running).sort()).toEqual([...ids].sort());

    await playAs(api, pair, FOOLS_MATE);
    must(await api.resign(pair.players.first, ids[110]!));
    const untouched = statSync(join(folder, 'games', `${ids[1]}.json`)).mtimeMs;
    const [made] = must(await api.createGames(site.by, [newGame('new', 'ben', 'ann')]));
    await run('nightly-copy.mjs', folder);
    expect(copies()).toHaveLength(121);
    expect(copyOf(pair.game.id).game.outcome).toEqual({ winner: 'second', reason: 'checkmate' });
    expect(copyOf(pair.game.id).exported.plies).toHaveLength(4);
    expect(copyOf(ids[110]!).game.outcome.reason).toBe('resignation');
    expect(copyOf(made!.game.id).externalId).toBe('new');
    expect(statSync(join(folder, 'games', `${ids[1]}.json`)).mtimeMs).toBe(untouched);
    expect(Object.keys(json(join(folder, 'state.json')).running)).toHaveLength(119);
    const ratings = json(join(folder, 'players.json')).map(({ externalId, ratings }: Json) => [externalId, ratings[0].games]); // prettier-ignore
    expect(ratings).toEqual([['ann', 1], ['ben', 1]]); // prettier-ignore
  }, 120_000);
});
