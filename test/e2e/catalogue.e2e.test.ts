import request from 'supertest';
import { rulesets } from '../../src/rules/registry.js';
import { startServer, type TestServer } from '../support/server.js';

/** The games that can be played here, as both transports show them. */

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 180_000);
afterAll(() => server.close());

const SHOWN = `{
  id name chineseName summary source sides pieces { letter name chinese moves } board { files ranks } hidden chance
  setupCount start
  options { name type meaning default min max values }
}`;

const ask = async (query: string) => (await request(server.http).post('/graphql').send({ query })).body;

it('lists every rule set with what a player must know to choose', async () => {
  const { body } = await request(server.http).get('/v1/rulesets');
  expect(body.map(({ id }: { id: string }) => id)).toEqual(rulesets().map(({ id }) => id));
  for (const [index, { id, name, chinese, sides, pieces, options }] of rulesets().entries()) {
    const shown = body[index];
    expect(shown).toMatchObject({ id, name, chineseName: chinese, sides, pieces });
    expect(shown.source.length).toBeGreaterThan(10);
    expect(shown.pieces.length).toBeGreaterThan(0);
    for (const piece of shown.pieces) expect(piece.moves).toMatch(/^[A-Z].+\.$/);
    expect(shown.setupCount === null).toBe(shown.chance !== 'setup');
    expect(shown.summary.length).toBeGreaterThan(20);
    expect(shown.options.map((option: { name: string }) => option.name)).toEqual(Object.keys(options));
    for (const option of shown.options) expect(option.meaning).toMatch(/^[A-Z].+\.$/);
  }
  expect((await ask(`{ rulesets ${SHOWN} }`)).data.rulesets).toEqual(body);
});

it.each([
  ['chess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 8, 8, false],
  ['banqi-hongkong', 'xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx first - - 0 1', 4, 8, true],
  ['banqi-taiwan', 'xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx first - - 0 1', 4, 8, true],
])('shows %s', async (id, start, files, ranks, hidden) => {
  const { body } = await request(server.http).get(`/v1/rulesets/${id}`);
  expect(body).toMatchObject({ id, start, board: { files, ranks }, hidden });
  expect((await ask(`{ ruleset(id: "${id}") ${SHOWN} }`)).data.ruleset).toEqual(body);
});

it('gives the kind, the default and the bounds of an option', async () => {
  const { body } = await request(server.http).get('/v1/rulesets/banqi-taiwan');
  const option = (name: string) => body.options.find((each: { name: string }) => each.name === name);
  expect(option('quietLimit')).toMatchObject({
    type: 'integer',
    default: 60,
    min: 20,
    max: 200,
    values: null,
  });
  expect(option('perpetualAttack')).toMatchObject({
    type: 'choice',
    default: 'draw',
    values: ['draw', 'forbidden'],
    min: null,
  });
  expect(option('darkCaptures')).toMatchObject({
    type: 'boolean',
    default: false,
    min: null,
    max: null,
    values: null,
  });
});

it.each(['draughts', '__proto__', 'x'.repeat(90)])('does not know %j', async (id) => {
  const { body } = await request(server.http).get(`/v1/rulesets/${id}`);
  expect(body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await ask(`{ ruleset(id: "${id}") { id } }`)).errors[0].extensions.code).toBe('NOT_FOUND');
});

it('the OpenAPI document has every verb of play', async () => {
  const { body } = await request(server.http).get('/docs/openapi.json');
  const verbs = Object.entries(body.paths as Record<string, object>).flatMap(([path, at]) =>
    Object.keys(at).map((method) => `${method} ${path}`),
  );
  expect(verbs).toEqual(
    expect.arrayContaining([
      'post /v1/challenges',
      'get /v1/challenges',
      'get /v1/challenges/{id}',
      'post /v1/challenges/{id}/accept',
      'post /v1/challenges/{id}/decline',
      'post /v1/challenges/{id}/cancel',
      'post /v1/games/{id}/client-seed',
      'get /v1/games',
      'get /v1/games/{id}',
      'get /v1/games/{id}/moves',
      'post /v1/games/{id}/moves',
      'get /v1/games/{id}/legal-moves',
      'get /v1/games/{id}/events',
      'get /v1/games/{id}/record',
      'post /v1/games/{id}/resign',
      'post /v1/games/{id}/abort',
      'get /v1/games/{id}/claimable',
      'get /v1/rulesets',
      'get /v1/rulesets/{id}/setups',
      'get /v1/rulesets/{id}/setups/{number}',
      'post /v1/analyse',
    ]),
  );
  expect((await request(server.http).get('/docs')).status).toBe(200);
});
