import { Logger } from '@nestjs/common';
import { openServerSession, type SqlSession } from '../../src/platform/database/session.js';
import { restApi } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { onServer } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Place, serverPlace } from '../support/databases.js';
import type { Game } from '../support/api-types.js';

/** A row of one game is locked, as by an operator's forgotten session: only that game waits. */

const OTHERS = 8;

onServer('while the row of one game is locked', () => {
  let place: Place;
  let server: TestServer;
  let holder: SqlSession;
  let ann: Person;
  let ben: Person;
  let held: Game;
  let others: readonly Game[];

  beforeAll(async () => {
    place = await serverPlace();
    server = await startServer({}, place);
    holder = await openServerSession(place.databaseUrl!, 'test');
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
    const games = Array.from({ length: OTHERS + 1 }, () => begin(restApi(server.http), ann, ben));
    [held, ...others] = (await Promise.all(games)) as [Game, ...Game[]];
  });
  afterAll(async () => {
    await holder?.close();
    await server?.close();
    await place?.remove();
  });

  // A batch that waits for the row and is given up would also succeed, but only after seconds.
  let warned: jest.SpyInstance;
  beforeEach(() => {
    warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => {
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });

  const hold = async () => {
    await holder.run('BEGIN');
    await holder.query('SELECT 1 FROM games WHERE id = $1::uuid FOR UPDATE', [held.id]);
  };
  const move = ({ id }: Game) => restApi(server.http).makeMove(ann, id, 1, 'e2e4');

  test('the moves of all other games are stored before it is released, and its own is refused', async () => {
    await hold();
    // Sent first, so that it is at the head of the queue.
    const refused = move(held);
    const moved = await Promise.all(others.map(move));
    expect(moved.map(({ data }) => data.plyCount)).toEqual(others.map(() => 1));
    expect(await refused).toMatchObject({ status: 503, refusal: { code: 'OVERLOADED' }, retryAfter: 1 });
    await holder.run('ROLLBACK');
    expect((await move(held)).data).toMatchObject({ plyCount: 1, version: 2 });
  });

  test('a move sent in the meantime is stored as soon as it is released', async () => {
    held = (await restApi(server.http).game(ann, held.id)).data;
    await hold();
    const answer = restApi(server.http).makeMove(ben, held.id, 2, 'e7e5');
    // Its commit has found the row locked: another one has succeeded after it.
    expect((await restApi(server.http).makeMove(ben, others[0]!.id, 2, 'e7e5')).refusal).toBeUndefined();
    await holder.run('ROLLBACK');
    expect((await answer).data).toMatchObject({ plyCount: 2, version: 3 });
  });

  test('the end of a rated game waits alone, too', async () => {
    const rated = { rated: true, timeControl: { type: 'perMove', seconds: 86_400 } };
    const api = restApi(server.http);
    const people = await Promise.all(Array.from({ length: 4 }, (_, i) => register(server.http, `p${i}`)));
    const one = await begin(api, people[0]!, people[1]!, rated);
    const two = await begin(api, people[2]!, people[3]!, rated);
    for (const [game, first, second] of [
      [one, people[0]!, people[1]!],
      [two, people[2]!, people[3]!],
    ] as const) {
      await api.makeMove(first, game.id, 1, 'e2e4');
      await api.makeMove(second, game.id, 2, 'e7e5');
    }
    await holder.run('BEGIN');
    await holder.query('SELECT 1 FROM games WHERE id = $1::uuid FOR UPDATE', [one.id]);
    const waiting = api.resign(people[0]!, one.id);
    expect((await api.resign(people[2]!, two.id)).data).toMatchObject({ status: 'finished' });
    await holder.run('ROLLBACK');
    expect((await waiting).data).toMatchObject({ status: 'finished' });
  });
});
