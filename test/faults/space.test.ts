import { embeddedPlace, type Place } from '../support/databases.js';
import { begin, NO_CLOCK, type Person, register, restPlay, TRANSPORTS } from '../support/play.js';
import { onEmbedded } from '../support/rounds.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/shown.js';

/** The disk of the embedded database is nearly full: what would write is refused, what reads goes on. */

const MORE_THAN_ANY_DISK = { MIN_FREE_MB: '999999999' };

onEmbedded('on a disk that is nearly full', () => {
  let place: Place;
  let server: TestServer;
  let ann: Person;
  let ben: Person;
  let game: Game;

  beforeAll(async () => {
    place = await embeddedPlace();
    server = await startServer({}, place);
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
    game = await begin(restPlay(server.http), ann, ben);
    await server.close();
    server = await startServer(MORE_THAN_ANY_DISK, place);
  });
  afterAll(async () => {
    await server.close();
    await place.remove();
  });

  test.each(TRANSPORTS)('acts over %s are refused with STORAGE_FULL', async (_, over) => {
    const play = over(server.http);
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username };
    const refusals = await Promise.all([
      play.makeMove(ann, game.id, 1, 'e2e4'),
      play.resign(ben, game.id),
      play.createChallenge(ann, terms),
    ]);
    expect(refusals.map(({ refusal }) => refusal?.code)).toEqual(Array(3).fill('STORAGE_FULL'));
    expect((await play.game(ann, game.id)).data).toEqual({ ...game, you: 'first' });
  });

  test('and the same act goes through when there is space again', async () => {
    await server.close();
    server = await startServer({}, place);
    const { data } = await restPlay(server.http).makeMove(ann, game.id, 1, 'e2e4');
    expect(data).toMatchObject({ plyCount: 1, version: 2 });
  }, 180_000);
});
