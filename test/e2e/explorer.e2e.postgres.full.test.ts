import { setTimeout as pause } from 'node:timers/promises';
import { operate } from '../../src/cli/operate.js';
import { ExplorerCounter } from '../../src/features/openings/explorer.counter.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { rulesets } from '../../src/rules/registry.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { freshPlace, type Place } from '../support/databases.js';
import { countedInStore, storedTable } from '../support/explorer.js';
import { people, population } from '../support/history-rows.js';
import type { Explored } from '../support/operations/history.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { rounds, sample } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Body, sendGraphql } from '../support/transport.js';

/** Moves played in a position, from stored games and from games that end here. */
// Both databases: counting depends on row locks.

let place: Place;
let server: TestServer;
let api: Api;
let players: { first: Person; second: Person };

const GAMES = rounds(300, 100);
const db = () => server.app.get(PrismaService).db;

async function start(): Promise<void> {
  server = await startServer({ SWEEP_SECONDS: '1' }, place);
  api = restApi(server.http);
}

beforeAll(async () => {
  place = await freshPlace();
  await start();
  players = { first: await register(server.http, 'ann'), second: await register(server.http, 'ben') };
  await population(db(), await people(db(), ['cid', 'dot', 'eve']), GAMES, 3);
  await server.app.get(ExplorerCounter).reset();
});
afterAll(() => server.close().finally(() => place.remove()));

/** The counting runs in the background. */
async function allCounted(): Promise<void> {
  while ((await db().unexploredGame.count()) > 0) await pause(50);
}

/** A game of the two that ends here, by resignation of this player. */
async function playOut(
  moves: readonly string[],
  loser: 'first' | 'second',
  terms: Body = {},
): Promise<string> {
  const game = await begin(api, players.first, players.second, terms);
  await playMoves(api, game, moves, players);
  expect((await api.resign(players[loser], game.id)).data.status).toBe('finished');
  return game.id;
}

test('all games are counted, and the sums equal a count by hand', async () => {
  await allCounted();
  const stored = await storedTable(db());
  expect(Object.keys(stored).length).toBeGreaterThan(20);
  expect(stored).toEqual(await countedInStore(db()));
});

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let explore: (line: Body) => ReturnType<Api['explorer']>;
  beforeAll(async () => {
    const { explorer } = over(server.http);
    explore = (line) => explorer(null, line);
    await allCounted();
  });

  const must = async (line: Body): Promise<Explored> => {
    const { data, refusal } = await explore(line);
    expect([line, refusal]).toEqual([line, undefined]);
    return data;
  };
  const counts = ({ games, firstWon, drawn, secondWon, ended }: Explored) => ({
    ...{ games, firstWon, drawn, secondWon, ended },
  });

  test.each(['chess', 'xiangqi'])('%s: counts every line that was played from the start', async (ruleset) => {
    const games = await db().game.findMany({ where: { ruleset, status: 'finished' } });
    const lines: string[][] = [[]];
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      const found = await must({ ruleset, moves: line });
      const sum = found.moves.reduce((total, { games: each }) => total + each, found.ended);
      expect([found.plyCount, found.games]).toEqual([line.length, sum]);
      // The few lines of these games never meet. A row has its moves newest first.
      const through = games.filter(({ moves }) => ` ${moves}`.replace(/[=x]\w/g, '').endsWith(line.map((move) => ` ${move}`).reverse().join(''))); // prettier-ignore
      expect(counts(found)).toEqual({
        games: through.length,
        firstWon: through.filter(({ winner }) => winner === 'first').length,
        drawn: through.filter(({ winner }) => winner === null).length,
        secondWon: through.filter(({ winner }) => winner === 'second').length,
        ended: through.filter(({ plyCount }) => plyCount === line.length).length,
      });
      lines.push(...found.moves.map(({ move }) => [...line, move]));
    }
  });

  test('a game is counted soon after its end, without the moves that were taken back', async () => {
    const line = ['a2a4', 'h7h5'];
    const before = await must({ ruleset: 'chess', moves: line });
    const game = await begin(api, players.first, players.second);
    const at = await playMoves(api, game, [...line, 'h2h4', 'a7a5'], players);
    await api.plain(players.first, 'offerTakeback', game.id);
    await api.plain(players.second, 'acceptTakeback', game.id);
    expect(at.plyCount).toBe(4);
    await api.makeMove(players.first, game.id, 3, 'b2b3');
    await api.resign(players.second, game.id);
    await allCounted();
    const { moves, ...after } = await must({ ruleset: 'chess', moves: line });
    expect(after).toMatchObject({
      games: before.games + 1,
      firstWon: before.firstWon + 1,
      plyCount: 2,
      depth: 30,
    });
    expect(moves.map(({ move }) => move)).not.toContain('h2h4');
    expect(moves.find(({ move }) => move === 'b2b3')).toMatchObject({ san: 'b3', drawn: 0, secondWon: 0 });
    expect((await must({ ruleset: 'chess', moves: ['h2h4', 'h7h5', 'a2a4'] })).moves).toEqual([]);
    const met = await must({ ruleset: 'chess', moves: ['b2b3', 'h7h5', 'a2a4'] });
    expect(met).toEqual({ ...(await must({ ruleset: 'chess', moves: [...line, 'b2b3'] })) });
    expect(met).toMatchObject({ ended: before.games + 1, moves: [] });
  });

  test('aborted and running games are not counted', async () => {
    const line = { ruleset: 'chess', moves: ['a2a3'] };
    const before = await must(line);
    for (const act of ['abort', null] as const) {
      const game = await begin(api, players.first, players.second);
      await api.makeMove(players.first, game.id, 1, 'a2a3');
      if (act !== null) await api.plain(players.first, act, game.id);
    }
    await playOut(['a2a3', 'a7a6'], 'first');
    await allCounted();
    expect(await must(line)).toMatchObject({ games: before.games + 1, secondWon: before.secondWon + 1 });
  });

  test('a drawn set-up is a start of its own', async () => {
    const ruleset = 'half-court-chess';
    const [setup, other] = ['NQRBK/qbnrk', 'KQRBN/kqrbn'];
    const before = await must({ ruleset, setup });
    await playOut(['a2a3'], 'first', { ruleset, options: { setup } });
    await allCounted();
    const { games, moves, position } = await must({ ruleset, setup });
    expect([games, moves.map(({ move }) => move)]).toEqual([before.games + 1, ['a2a3']]);
    expect(position).toMatch(/^qbnrk\/.*\/NQRBK w /);
    expect((await must({ ruleset, setup: other })).games).toBe(0);
  });

  test('the moves of xiangqi include their other notations', async () => {
    await playOut(['h3e3', 'h10g8'], 'second', { ruleset: 'xiangqi' });
    await allCounted();
    const { moves } = await must({ ruleset: 'xiangqi', moves: ['h3e3'] });
    expect(moves.find(({ move }) => move === 'h10g8')).toMatchObject({
      notations: [{ name: 'iccs', text: 'H9-G7' }, { name: 'chinese' }],
    });
  });

  test('games with face-down pieces are not counted', async () => {
    const before = await storedTable(db());
    await playOut(['a1'], 'second', { ruleset: 'half-chess' });
    await playOut(['a1'], 'first', { ruleset: 'banqi-taiwan' });
    await allCounted();
    expect(await storedTable(db())).toEqual(before);
    const open = rulesets().flatMap(({ id, hidden }) => (hidden ? [] : [id]));
    for (const ruleset of ['half-chess', 'banqi-taiwan', 'banqi-hongkong']) {
      const { refusal, message } = await explore({ ruleset, moves: ['a1'] });
      expect(refusal).toEqual({ code: 'INVALID_RULESET', field: 'ruleset' });
      expect(message).toMatch('face-down');
      expect(message!.endsWith(` one of ${open.join(', ')}.`)).toBe(true);
    }
  });

  const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  const fool = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
  const REFUSED: readonly (readonly [string, Body, Body])[] = [
    ['an unknown rule set', { ruleset: 'go' }, { code: 'INVALID_RULESET', field: 'ruleset' }],
    ['an invalid rule set', { ruleset: '\u0000' }, { code: 'INVALID_RULESET', field: 'ruleset' }],
    [
      'an illegal move',
      { moves: ['e2e4', 'e7e4'] },
      { code: 'ILLEGAL_MOVE', field: 'moves.1', fault: 'cannotReach' },
    ],
    [
      'a move as people write it',
      { moves: ['e4'] },
      { code: 'ILLEGAL_MOVE', field: 'moves.0', fault: 'malformed' },
    ],
    ['an invalid move', { moves: ["';--"] }, { code: 'ILLEGAL_MOVE', field: 'moves.0', fault: 'malformed' }],
    ['moves after the end', { moves: [...fool, 'a2a3'] }, { code: 'GAME_OVER', field: 'moves.4' }],
    [
      'moves after an automatic draw',
      { moves: [...Array(5).fill(KNIGHTS).flat()] },
      { code: 'GAME_OVER', field: 'moves.16' },
    ],
    ['more moves than are counted', { moves: Array(31).fill('e2e4') }, { code: 'BAD_INPUT', field: 'moves' }],
    ['a move that is too long', { moves: ['e2e4'.repeat(200)] }, { code: 'BAD_INPUT', field: 'moves' }],
    ['a set-up in a game without one', { setup: 'NQRBK/qbnrk' }, { code: 'INVALID_SETUP', field: 'setup' }],
    ['a missing set-up', { ruleset: 'half-court-chess' }, { code: 'INVALID_SETUP', field: 'setup' }],
    [
      'an invalid set-up',
      { ruleset: 'half-court-chess', setup: 'NQRBK' },
      { code: 'INVALID_SETUP', field: 'setup' },
    ],
  ];
  test.each(REFUSED)('refuses %s', async (_name, line, refusal) => {
    expect((await explore({ ruleset: 'chess', ...line })).refusal).toEqual(refusal);
  });

  test('a position that ended one game by repetition still shows the continuations of others', async () => {
    const drawn = await must({ ruleset: 'chess', moves: [...Array(4).fill(KNIGHTS).flat()] });
    const begun = await must({ ruleset: 'chess' });
    expect({ ...drawn, position: '', plyCount: 0 }).toEqual({ ...begun, position: '' });
  });
});

test('the query string accepts moves separated by commas or spaces, and no unknown parameters', async () => {
  const ask = (line: Body) => api.explorer(null, line);
  const { data } = await ask({ ruleset: 'chess', moves: 'a2a4,h7h5' });
  expect(data.plyCount).toBe(2);
  expect((await ask({ ruleset: 'chess', moves: ' a2a4 h7h5 ' })).data).toEqual(data);
  expect((await ask({ ruleset: 'chess', moves: '' })).data.plyCount).toBe(0);
  expect((await ask({ ruleset: 'chess', position: 'x' })).refusal).toEqual({
    code: 'BAD_INPUT',
    field: 'position',
  });
});

test('an operation may have ten explorer fields, or nine and no long list', async () => {
  const fields = Array.from(
    { length: 10 },
    (_, i) => `e${i}: explorer(ruleset: "chess") { moves { san games } }`,
  );
  const list = `games(first: 100) { edges { node { ${'id '.repeat(110)} } } }`;
  const ask = async (parts: readonly string[]) => {
    const { body } = await sendGraphql(server.http, `{ ${parts.join(' ')} }`);
    return body.errors?.[0].extensions.code as string | undefined;
  };
  expect(await ask(fields)).toBeUndefined();
  expect(await ask([list, fields[0]!])).toBeUndefined();
  expect(await ask([list, ...fields.slice(1)])).toBe('QUERY_TOO_COSTLY');
});

test('recounting with the program gives the same result, and reports its progress', async () => {
  await allCounted();
  const before = await storedTable(db());
  expect(before).toEqual(await countedInStore(db()));
  const finished = await db().game.count({ where: { status: 'finished' } });
  await server.close();
  const said: string[] = [];
  await operate(server.config, 'rebuild', [], (text) => said.push(text));
  expect(said).toEqual([`${finished} games to count.`, 'All games are counted.']);
  await start();
  expect(await db().unexploredGame.count()).toBe(0);
  expect(await storedTable(db())).toEqual(before);
});
