import { rulesets } from '../../src/rules/registry.js';
import { graphqlApi, restApi } from '../support/api.js';
import { must, send, sendGraphql } from '../support/transport.js';
import { sharedServer, type TestServer } from '../support/server.js';

/** The catalogue of rule sets over both transports. */

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const rest = () => restApi(server.http);
const graphql = () => graphqlApi(server.http);

it('lists every rule set with what a player needs to choose one', async () => {
  const body = must(await rest().rulesets(null));
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
  expect(must(await graphql().rulesets(null))).toEqual(body);
});

it.each([
  ['chess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 8, 8, false],
  ['banqi-hongkong', 'xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx first - - 0 1', 4, 8, true],
  ['banqi-taiwan', 'xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx/xxxx first - - 0 1', 4, 8, true],
])('shows %s', async (id, start, files, ranks, hidden) => {
  const body = must(await rest().ruleset(null, id));
  expect(body).toMatchObject({ id, start, board: { files, ranks }, hidden });
  expect(must(await graphql().ruleset(null, id))).toEqual(body);
});

it('gives the kind, the default and the bounds of an option', async () => {
  const body = must(await rest().ruleset(null, 'banqi-taiwan'));
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

it.each(['draughts', '__proto__', 'x'.repeat(90)])('does not find %j', async (id) => {
  const { status, refusal } = await rest().ruleset(null, id);
  expect([status, refusal?.code]).toEqual([404, 'NOT_FOUND']);
  expect((await graphql().ruleset(null, id)).data).toBeNull();
});

it('the OpenAPI document has every route of play', async () => {
  const { body } = await send(server.http, '/openapi.json');
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
      'post /v1/challenges/{id}/client-seed',
      'get /v1/games',
      'get /v1/games/{id}',
      'get /v1/games/{id}/moves',
      'post /v1/games/{id}/moves',
      'get /v1/games/{id}/legal-moves',
      'get /v1/games/{id}/log',
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
  expect((await send(server.http, '/docs')).status).toBe(200);
});

it('uses enums in GraphQL and words in REST', async () => {
  const { body } = await sendGraphql(
    server.http,
    'query ($id: ID!) { ruleset(id: $id) { id chance options { type } } }',
    { id: 'half-court-chess' },
  );
  expect(body.data.ruleset).toMatchObject({ id: 'half-court-chess', chance: 'SETUP' });
  expect(body.data.ruleset.options).toContainEqual({ type: 'SETUP' });
  expect(must(await rest().ruleset(null, 'half-court-chess')).chance).toBe('setup');
});
