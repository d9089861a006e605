import { restApi, TRANSPORTS } from '../support/api.js';
import { embeddedPlace, type Place } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK } from '../support/play.js';
import { onEmbedded } from '../support/scale.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';

/** The disk of the embedded database is nearly full: writes are refused, reads continue. */
// Long: it opens many databases.

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
    game = await begin(restApi(server.http), ann, ben);
    await server.close();
    server = await startServer(MORE_THAN_ANY_DISK, place);
  });
  afterAll(async () => {
    await server.close();
    await place.remove();
  });

  test.each(TRANSPORTS)('acts over %s are refused with STORAGE_FULL', async (_, over) => {
    const api = over(server.http);
    const terms = { ruleset: 'chess', timeControl: NO_CLOCK, opponent: ben.username };
    const refusals = await Promise.all([
      api.makeMove(ann, game.id, 1, 'e2e4'),
      api.resign(ben, game.id),
      api.createChallenge(ann, terms),
    ]);
    expect(refusals.map(({ refusal }) => refusal?.code)).toEqual(Array(3).fill('STORAGE_FULL'));
    const { url: _url, boardUrl: _boardUrl, ...same } = game;
    expect((await api.game(ann, game.id)).data).toMatchObject({ ...same, viewer: { seat: 'first' } });
  });

  test('and the same act succeeds when there is space again', async () => {
    await server.close();
    server = await startServer({}, place);
    const { data } = await restApi(server.http).makeMove(ann, game.id, 1, 'e2e4');
    expect(data).toMatchObject({ plyCount: 1, version: 2 });
  });
});
