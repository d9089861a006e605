import { restApi } from '../support/api.js';
import { freshPlace, type Place } from '../support/databases.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { must } from '../support/transport.js';

/** The secret that seals the seeds is lost: played moves stay readable, face-down pieces do not. */
// Long: it opens many databases.
// Both databases: a seed is read back in each driver's form of bytes.

const OTHER = { SEED_SECRET: 'another secret than the one before' };

let place: Place;
let server: TestServer;
let ann: Person;
let ben: Person;
let ended: string;
let running: string;

beforeAll(async () => {
  place = await freshPlace();
  server = await startServer({}, place);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const api = restApi(server.http);
  ended = (await begin(api, ann, ben)).id;
  await api.resign(ann, ended);
  running = (await begin(api, ann, ben, { ruleset: 'banqi-taiwan' })).id;
  expect((await api.game(null, ended)).data.fairness.serverSeed).toMatch(/^[0-9a-f]{64}$/);
  await server.close();
  await expect(startServer(OTHER, place)).rejects.toThrow(
    /sealed with another SEED_SECRET.*LOST_SEEDS=accept/s,
  );
  server = await startServer({ ...OTHER, LOST_SEEDS: 'accept' }, place);
});

afterAll(async () => {
  await server.close();
  await place.remove();
});

test('ended games stay readable, without their seeds', async () => {
  const api = restApi(server.http);
  const { data } = await api.game(null, ended);
  expect(data).toMatchObject({ status: 'finished', fairness: { serverSeed: null } });
  expect((await api.myGames(ann)).data.games).toHaveLength(2);
  must(await restApi(server.http).record(null, ended));
});

test('a turn-up fails with a server error, and changes nothing', async () => {
  const api = restApi(server.http);
  expect((await api.makeMove(ann, running, 1, 'a1')).refusal).toEqual({ code: 'INTERNAL' });
  expect((await api.game(ann, running)).data).toMatchObject({ plyCount: 0, version: 1 });
});

test('the new secret stays in force once the loss was confirmed', async () => {
  await server.close();
  server = await startServer(OTHER, place);
  const { id } = await begin(restApi(server.http), ann, ben, { ruleset: 'banqi-taiwan' });
  expect((await restApi(server.http).makeMove(ann, id, 1, 'a1')).refusal).toBeUndefined();
  await server.close();
  await expect(startServer({}, place)).rejects.toThrow(/sealed with another SEED_SECRET/);
  server = await startServer(OTHER, place);
});
