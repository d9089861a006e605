import request from 'supertest';
import { freshPlace, type Place } from '../support/databases.js';
import { begin, register, restPlay, type Person } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';

/** The secret that the seeds are sealed with is lost: what was played can be read, what lies face-down cannot. */

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
  const play = restPlay(server.http);
  ended = (await begin(play, ann, ben)).id;
  await play.resign(ann, ended);
  running = (await begin(play, ann, ben, { ruleset: 'banqi-taiwan' })).id;
  expect((await play.game(null, ended)).data.serverSeed).toMatch(/^[0-9a-f]{64}$/);
  await server.close();
  server = await startServer({ SEED_SECRET: 'another secret than the one before' }, place);
}, 180_000);

afterAll(async () => {
  await server.close();
  await place.remove();
});

test('ended games are read as before, without their seeds', async () => {
  const play = restPlay(server.http);
  const { data } = await play.game(null, ended);
  expect(data).toMatchObject({ status: 'finished', serverSeed: null });
  expect((await play.myGames(ann)).data.games).toHaveLength(2);
  await request(server.http).get(`/v1/games/${ended}/record`).expect(200);
});

test('a turn-up fails on our side, and changes nothing', async () => {
  const play = restPlay(server.http);
  expect((await play.makeMove(ann, running, 1, 'a1')).refusal).toEqual({ code: 'INTERNAL' });
  expect((await play.game(ann, running)).data).toMatchObject({ plyCount: 0, version: 1 });
});
