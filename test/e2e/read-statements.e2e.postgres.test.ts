import { reads } from '../../bench/operations.mjs';
import { restApi } from '../support/api.js';
import { forgetGames } from '../support/known-games.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { fewestStatements } from '../support/statements.js';
import { must, send, sendGraphql } from '../support/transport.js';

/** The statements of the reads that bench/whole-path.mjs measures, by the table that each reads first. */
// Both databases: each driver sends statements of its own.

let server: TestServer;
let ann: Person;
let running: string;
let ended: string;

beforeAll(async () => {
  // One connection: the setup statements of a new one do not belong to a read.
  server = await startServer({ SWEEP_SECONDS: '3600', DATABASE_POOL: '1' });
  ann = await register(server.http, 'ann');
  const ben = await register(server.http, 'ben');
  const api = restApi(server.http);
  const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6'];
  const rated = { rated: true, timeControl: { type: 'perMove', seconds: 86_400 } };
  for (let i = 0; i < 3; i++) {
    const [one, other] = [await begin(api, ann, ben), await begin(api, ann, ben, rated)];
    for (const game of [one, other]) await playMoves(api, game, moves, { first: ann, second: ben });
    must(await api.resign(ben, other.id));
    [running, ended] = [one.id, other.id];
  }
});
afterAll(() => server.close());

/** One of the reads, as the client of the benchmark sends it. */
async function read(name: string, game: string): Promise<string> {
  const { path, query, variables } = reads[name]!;
  const subject = { game, own: game, username: ann.username };
  const { status, text } =
    path === undefined
      ? await sendGraphql(server.http, query!, variables?.(subject) ?? {}, ann)
      : await send(server.http, path(subject), {}, ann);
  expect([name, status, text.includes('"errors"')]).toEqual([name, 200, false]);
  return text;
}

const statements = (name: string, game: string) => fewestStatements(() => read(name, game));

const TABLES: Readonly<Record<string, readonly string[]>> = {
  'GraphQL game by id': ['games', 'users'],
  'REST game by id': ['games', 'users'],
  'GraphQL moves of a game (100)': ['games'],
  'REST moves of a game (100)': ['games'],
  // Lists find stamps, which tell that the games are still as they are remembered.
  'GraphQL my games (20)': ['games', 'users'],
  'REST my games (20)': ['games', 'users'],
  'GraphQL search, a player (20)': ['users', 'games', 'users'],
  'REST search, a player (20)': ['users', 'games', 'users'],
  'GraphQL search, all (20)': ['games', 'users'],
  'REST search, all (20)': ['games', 'users'],
  'GraphQL leaderboard (20)': ['ratings'],
  'GraphQL legal moves': ['games'],
  'REST legal moves': ['games'],
};

const COLD: typeof TABLES = {
  'GraphQL game by id': ['games', 'users'],
  'REST moves of a game (100)': ['games', 'plies'],
  'GraphQL my games (20)': ['games', 'games', 'users'],
  'REST my games (20)': ['games', 'games', 'users', 'plies'],
  'GraphQL search, a player (20)': ['users', 'games', 'games', 'users'],
  'GraphQL search, all (20)': ['games', 'games', 'users'],
};

test.each(Object.entries(TABLES))('%s', async (name, tables) => {
  const sent = await statements(name, running);
  expect(sent.map(firstTable).sort()).toEqual([...tables].sort());
});

/** The same by a server that remembers nothing. */
const coldly = (name: string, game: string) =>
  fewestStatements(() => {
    forgetGames(server);
    return read(name, game);
  });

test.each(Object.entries(COLD))('%s, not asked for before', async (name, tables) => {
  expect((await coldly(name, running)).map(firstTable).sort()).toEqual([...tables].sort());
});

test('a game that is over has its seed and its rating changes besides, which are remembered', async () => {
  const sent = await coldly('REST game by id', ended);
  expect(sent.map(firstTable).sort()).toEqual(['deal_secrets', 'games', 'plies', 'rating_changes', 'users']);
  const again = await statements('REST game by id', ended);
  expect(again.map(firstTable).sort()).toEqual(['games', 'users']);
});

test('a client that has the answer needs the game and its players only', async () => {
  const path = `/v1/games/${running}`;
  const { headers } = await send(server.http, path, {}, ann);
  const known = { 'If-None-Match': headers['etag']! };
  const sent = await fewestStatements(async () => {
    expect((await send(server.http, path, { headers: known }, ann)).status).toBe(304);
  });
  expect(sent.map(firstTable).sort()).toEqual(['games', 'users']);
});

/** The table that a statement reads first. */
const firstTable = (statement: string): string =>
  /\bFROM\s+(?:"public"\.)?"?(games|users|plies|ratings|rating_changes|deal_secrets)\b/.exec(statement)![1]!;
