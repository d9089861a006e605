import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DAY_MS, Time } from '../../src/platform/process/time.js';
import { type Api, restApi } from '../support/api.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { FOOLS_MATE, newGame, newSite, pairOf, playAs, type Site, withToken } from '../support/sites.js';
import { stopTime } from '../support/stopped-time.js';
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

test('a match of uneven teams is refused before anything is made', async () => {
  const file = join(folder, 'match.json');
  const team = (...players: readonly string[]) => ({
    name: 'A team',
    players: players.map((id) => ({ id, name: id })),
  });
  writeFileSync(file, JSON.stringify({ id: 'uneven', home: team('ann', 'ben'), away: team('cid') }));
  await expect(run('club-match.mjs', file)).rejects.toThrow('Both teams need the same number of players.');
  expect(must(await api.ownPlayers(site.by, {})).edges).toEqual([]);
});

describe('the nightly copy', () => {
  const copies = () => (existsSync(join(folder, 'games')) ? readdirSync(join(folder, 'games')) : []);

  /** Kills a copy once something is so. */
  async function cutWhen(isSo: () => boolean): Promise<void> {
    const child: ChildProcess = spawn(process.execPath, [pathOf('nightly-copy.mjs'), folder], { env: environment(), stdio: 'inherit' }); // prettier-ignore
    const ended = once(child, 'exit');
    while (!isSo() && child.exitCode === null) await pause(1);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  }
  const cutAt = (games: number) => cutWhen(() => copies().length >= games);

  const copyOf = (id: string): Json => json(join(folder, 'games', `${id}.json`));
  const state = (): Json => json(join(folder, 'state.json'));
  /** When the copy of a game was written. */
  const timeOf = (id: string) => statSync(join(folder, 'games', `${id}.json`)).mtimeMs;
  const idsOfCopies = () => copies().map((name) => name.split('.')[0]!);
  const times = () => new Map(idsOfCopies().map((id) => [id, timeOf(id)]));

  /** Waits until the events after a place name the game, which other users of a PostgreSQL server can delay. */
  async function told(gameId: string, after?: string): Promise<void> {
    for (let last = after; ; await pause(20)) {
      const { items } = must(await api.ownEvents(site.by, { first: 100, ...(last === undefined ? {} : { after: last }) })); // prettier-ignore
      if (items.some((event) => event.gameId === gameId)) return;
      last = items.at(-1)?.id ?? last;
    }
  }

  /** The ids of so many new games of `ann` and `ben`. */
  async function begin(from: number, count: number): Promise<readonly string[]> {
    const games = Array.from({ length: count }, (_, i) => newGame(`game-${from + i}`, 'ann', 'ben', { rated: true })); // prettier-ignore
    return must(await api.createGames(site.by, games)).map(({ game }) => game.id);
  }

  /** Runs it once more, and returns the ids of the games that it wrote. */
  async function nextNight(): Promise<readonly string[]> {
    const before = times();
    await run('nightly-copy.mjs', folder);
    const written = [...times()].filter(([id, time]) => before.get(id) !== time);
    return written.map(([id]) => id).sort();
  }

  test('has each game once and whole, also after it was cut, and then asks for what has changed', async () => {
    const pair = await pairOf(api, site, { rated: true });
    const ids = [pair.game.id, ...(await begin(1, 100)), ...(await begin(101, 19))];

    await cutAt(30);
    await cutAt(105);
    // It goes on after the first page of the list; what has happened on this page is among the events.
    const listed = state().listed as string;
    expect(listed).toEqual(expect.any(String));
    const untouched = timeOf(ids[7]!);
    must(await api.makeMove(pair.players.first, pair.game.id, 1, FOOLS_MATE[0]!));
    await told(pair.game.id, state().place as string);
    await run('nightly-copy.mjs', folder);
    expect(copies().sort()).toEqual(ids.map((id) => `${id}.json`).sort());
    expect(copyOf(ids[7]!)).toMatchObject({ externalId: 'game-7', game: { status: 'active' } });
    expect(timeOf(ids[7]!)).toBe(untouched);
    expect(copyOf(pair.game.id).exported.plies).toHaveLength(1);
    expect(state()).toEqual({ place: expect.any(String) as string });

    // Nothing has happened.
    expect(await nextNight()).toEqual([]);

    // Moves of running games, a game that ended, and a new one.
    await playAs(api, { ...pair, game: must(await api.game(null, pair.game.id)) }, FOOLS_MATE.slice(1));
    must(await api.makeMove(pair.players.first, ids[3]!, 1, 'e2e4'));
    must(await api.resign(pair.players.first, ids[110]!));
    const [made] = must(await api.createGames(site.by, [newGame('new', 'ben', 'ann')]));
    await told(made!.game.id, state().place as string);
    expect(await nextNight()).toEqual([pair.game.id, ids[3]!, ids[110]!, made!.game.id].sort());
    expect(copyOf(pair.game.id).game.outcome).toEqual({ winner: 'second', reason: 'checkmate' });
    expect(copyOf(pair.game.id).exported.plies).toHaveLength(4);
    expect(copyOf(ids[3]!)).toMatchObject({ game: { status: 'active', plyCount: 1 } });
    expect(copyOf(ids[3]!).exported.plies).toHaveLength(1);
    expect(copyOf(ids[110]!).game.outcome.reason).toBe('resignation');
    expect(copyOf(made!.game.id).externalId).toBe('new');
    const ratings = json(join(folder, 'players.json')).map(({ externalId, ratings }: Json) => [externalId, ratings[0].games]); // prettier-ignore
    expect(ratings).toEqual([['ann', 1], ['ben', 1]]); // prettier-ignore
  }, 120_000);

  test('has a game that waits for the seed of a player, without its moves', async () => {
    await pairOf(api, site);
    const seat = { externalId: 'ann', clientSeedHash: 'ab'.repeat(32) };
    const [made] = must(await api.createGames(site.by, [{ ...newGame('waits', 'ann', 'ben'), first: seat }]));
    await run('nightly-copy.mjs', folder);
    expect(copyOf(made!.game.id)).toMatchObject({ game: { status: 'pending' }, exported: null });
  });

  test('a night that was cut is done again from its place', async () => {
    const pair = await pairOf(api, site);
    const ids = await begin(1, 100);
    await told(ids.at(-1)!);
    await run('nightly-copy.mjs', folder);
    const { place } = state();
    for (const id of ids) must(await api.makeMove(pair.players.first, id, 1, 'e2e4'));
    await told(ids.at(-1)!, place as string);
    const before = times();
    const isDone = (id: string) => timeOf(id) !== before.get(id);
    await cutWhen(() => ids.filter(isDone).length >= 40);
    expect(state()).toEqual({ place });
    await run('nightly-copy.mjs', folder);
    expect(ids.filter(isDone)).toEqual(ids);
    expect(isDone(pair.game.id)).toBe(false);
    expect(ids.map((id) => copyOf(id).exported.plies.length)).toEqual(ids.map(() => 1));
    expect(state().place).not.toBe(place);
  }, 120_000);

  test('begins anew when its place has expired, and not where nights without events kept it young', async () => {
    const { game } = await pairOf(api, site);
    await told(game.id);
    expect(await nextNight()).toEqual([game.id]);
    const time = stopTime(server.app);
    try {
      for (const days of [60, 60]) {
        time.forward(days * DAY_MS);
        expect(await nextNight()).toEqual([]);
      }
      const { place } = state();
      time.forward(91 * DAY_MS);
      expect(await nextNight()).toEqual([game.id]);
      expect(state()).toEqual({ place: expect.any(String) as string });
      expect(state().place).not.toBe(place);
    } finally {
      const stopped: Partial<Time> = server.app.get(Time);
      delete stopped.now;
      delete stopped.at;
    }
  }, 60_000);
});
