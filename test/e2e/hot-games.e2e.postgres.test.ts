import { GamesStore } from '../../src/features/games/games.store.js';
import { HotGames } from '../../src/features/games/hot-games.js';
import { UsersService } from '../../src/features/users/users.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { restApi, VERBS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { fewestStatements, statementsOf } from '../support/statements.js';
import type { Game } from '../support/api-types.js';
import { must, select } from '../support/transport.js';

/** How many statements an act takes, and what is known of a game without reading it. */
// Both databases: each driver sends statements of its own.

let server: TestServer;
let hot: HotGames;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  // One connection: the setup statements of a new one do not belong to an act.
  server = await startServer({ SWEEP_SECONDS: '3600', DATABASE_POOL: '1' });
  hot = server.app.get(HotGames, { strict: false });
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const ANSWER =
  '{ version position lastMove { san } players { side player { username displayName closed ... on User { createdAt } } } viewer { acts { act } } }';

/** Plays one move after the other; each call plays the next one. */
function moves(play: (by: Person, ply: number, move: string) => Promise<unknown>) {
  let ply = 0;
  return async () => {
    const move = KNIGHTS[ply % KNIGHTS.length]!;
    await play(ply % 2 === 0 ? ann : ben, ++ply, move);
  };
}

const overGraphql =
  ({ id }: Pick<Game, 'id'>) =>
  (by: Person, ply: number, move: string) =>
    select(server.http, by, VERBS.makeMove.graphql(id, ply, move), ANSWER).then(must);
const overRest =
  ({ id }: Pick<Game, 'id'>) =>
  (by: Person, ply: number, move: string) =>
    restApi(server.http).makeMove(by, id, ply, move).then(must);

describe.each([
  ['GraphQL', overGraphql],
  ['REST', overRest],
])('a move over %s', (_, over) => {
  test('takes one statement, which also returns what is shown of the players', async () => {
    const game = await begin(restApi(server.http), ann, ben);
    const next = moves(over(game));
    await next();
    const seen = await fewestStatements(next);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain('UPDATE games');
  });

  test('takes two in a game that this process has not stored lately', async () => {
    const game = await begin(restApi(server.http), ann, ben);
    const next = moves(over(game));
    const seen = await fewestStatements(() => {
      hot.forget(game.id);
      return next();
    });
    expect(seen).toHaveLength(2);
  });
});

test('games, and users, that are asked for at the same time are read together', async () => {
  const games = await Promise.all(Array.from({ length: 3 }, () => begin(restApi(server.http), ann, ben)));
  const store = server.app.get(GamesStore, { strict: false });
  const users = server.app.get(UsersService, { strict: false });
  const reads = [
    () => Promise.all(games.map(({ id }) => store.find(id))),
    () => Promise.all([ann, ben, ann].map(({ id }) => users.one(id))),
  ];
  for (const read of reads) expect(await fewestStatements(read)).toHaveLength(1);
});

test('a game is read with one statement, and its players with another', async () => {
  const { id } = await begin(restApi(server.http), ann, ben);
  const read = () =>
    select(server.http, null, VERBS.game.graphql(id), '{ id players { player { username } } }');
  expect(await fewestStatements(read)).toHaveLength(2);
});

describe('a game that another process has changed', () => {
  let game: Game;
  beforeEach(async () => {
    game = must(await restApi(server.http).makeMove(ann, (await begin(restApi(server.http), ann, ben)).id, 1, 'e2e4')); // prettier-ignore
    expect(hot.get(game.id)).toMatchObject({ version: game.version, plyCount: 1 });
  });

  /** Plays on as another process would: this one keeps the row that it knows. */
  async function elsewhere(play: () => Promise<unknown>): Promise<void> {
    const row = hot.get(game.id)!;
    await play();
    hot.set(row);
  }
  const api = () => restApi(server.http);

  test('a move is judged on what is stored', async () => {
    await elsewhere(async () => {
      must(await api().makeMove(ben, game.id, 2, 'e7e5'));
      must(await api().makeMove(ann, game.id, 3, 'g1f3'));
    });
    // What this process knows would let Ben play ply 2.
    expect(await api().makeMove(ben, game.id, 2, 'd7d5')).toMatchObject({
      refusal: { code: 'STALE_PLY', field: 'ply' },
      message: 'The next ply is 4, but your request was for ply 2. Read the game, then decide again.',
    });
    expect((await api().makeMove(ben, game.id, 2, 'e7e5')).data).toMatchObject({ plyCount: 3 });
    expect((await api().makeMove(ben, game.id, 4, 'b8c6')).data).toMatchObject({ plyCount: 4, version: 5 });
  });

  test('what was refused of it is allowed', async () => {
    await elsewhere(async () => must(await api().makeMove(ben, game.id, 2, 'e7e5')));
    expect((await api().makeMove(ann, game.id, 3, 'g1f3')).data).toMatchObject({ plyCount: 3 });
  });

  test('its end is told', async () => {
    await elsewhere(async () => must(await api().plain(ann, 'resign', game.id)));
    expect((await api().makeMove(ben, game.id, 2, 'e7e5')).refusal?.code).toBe('GAME_OVER');
    expect((await api().plain(ben, 'offerDraw', game.id)).refusal?.code).toBe('GAME_OVER');
    expect((await api().plain(ann, 'resign', game.id)).data).toMatchObject({ status: 'finished' });
  });

  test('conditional moves that it does not know are played', async () => {
    await elsewhere(() => api().setConditionalMoves(ann, game.id, [{ when: 'e7e5', reply: 'g1f3' }]));
    expect((await api().makeMove(ben, game.id, 2, 'e7e5')).data).toMatchObject({
      plyCount: 3,
      turn: 'second',
    });
  });

  test('conditional moves that it does know keep it hot', async () => {
    await api().setConditionalMoves(ann, game.id, [{ when: 'e7e5', reply: 'g1f3' }]);
    const seen = await statementsOf(() => api().makeMove(ben, game.id, 2, 'e7e5'));
    expect(seen).toHaveLength(1);
    expect((await api().game(null, game.id)).data).toMatchObject({ plyCount: 3 });
  });

  test('a deadline that has passed is told', async () => {
    const { db } = server.app.get(PrismaService, { strict: false });
    await db.game.update({ where: { id: game.id }, data: { deadlineAt: new Date(Date.now() - 10_000) } });
    expect((await api().makeMove(ben, game.id, 2, 'e7e5')).refusal?.code).toBe('DEADLINE_PASSED');
  });

  test('names are those of now', async () => {
    const cid = await register(server.http, 'cid');
    const { id } = await begin(api(), ann, cid);
    must(await overGraphql({ id })(ann, 1, 'e2e4'));
    await api().updateProfile(cid, { displayName: 'Cid the Second' });
    expect(await overGraphql({ id })(cid, 2, 'e7e5')).toMatchObject({
      players: [{}, { player: { displayName: 'Cid the Second' } }],
    });
  });
});
