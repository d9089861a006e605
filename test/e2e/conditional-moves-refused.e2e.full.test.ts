import { clientSeedHash } from '../../src/fairness/commitment.js';
import { type Api, restApi, TRANSPORTS, VERBS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, type Response, rest, send, sendGraphql } from '../support/transport.js';

/** Refused conditional moves: each with its code and path, and no change. Ben plans. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

const E5 = [{ when: 'e2e4', reply: 'e7e5' }];

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (transport, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const start = (terms: Body = {}): Promise<Game> => begin(api, ann, ben, terms);
  const tree = async (by: Person, { id }: Game) => (await api.conditionalMoves(by, id)).data;

  const refusal = async ({ id }: Game, by: Person, given: unknown) =>
    (await api.setConditionalMoves(by, id, given)).refusal;

  it('are refused at the wrong time, or by the wrong user', async () => {
    const game = await start();
    expect(await refusal(game, ann, E5)).toEqual({ code: 'YOUR_TURN' });
    expect(await refusal(game, cid, E5)).toEqual({ code: 'NOT_YOUR_GAME' });
    expect(await refusal(game, cid, null)).toEqual({ code: 'NOT_YOUR_GAME' });
    const answer = await api.setConditionalMoves(null, game.id, E5);
    expect(answer.refusal).toEqual({ code: 'UNAUTHENTICATED' });
    const unknown = { ...game, id: '01890000-0000-7000-8000-000000000000' };
    expect(await refusal(unknown, ben, E5)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await tree(ben, game)).toBeNull();
  });

  it('are refused before the game has begun, and after its deadline', async () => {
    const pending = await start({ clientSeedHash: clientSeedHash(newSeed()) });
    expect(await refusal(pending, ben, E5)).toEqual({ code: 'GAME_PENDING' });
    expect(await refusal(pending, ann, E5)).toEqual({ code: 'GAME_PENDING' });
    const late = await start({ timeControl: { type: 'perMove', seconds: 60 } });
    time.forward(61_000);
    expect(await refusal(late, ben, E5)).toEqual({ code: 'DEADLINE_PASSED' });
    expect(await refusal(late, ben, E5)).toEqual({ code: 'GAME_OVER' });
  });

  const invalid = (field: string) => ({ code: 'INVALID_CONDITIONAL_MOVES', field });
  /** What GraphQL rejects by the type of a node alone. */
  const untyped = (field: string) => (transport === 'GraphQL' ? { code: 'BAD_INPUT' } : invalid(field));
  const illegal = (field: string) => ({ code: 'ILLEGAL_MOVE', field });
  const wide = (count: number) => Array.from({ length: count }, () => ({ when: 'e2e4', resign: true }));
  it.each<[string, unknown, object]>([
    ['not an array', { when: 'e2e4' }, invalid(transport === 'GraphQL' ? 'tree.0.reply' : 'tree')],
    ['a string', 'e2e4', untyped('tree')],
    ['a number', 7, untyped('tree')],
    ['nothing', [], invalid('tree')],
    ['a number as a node', [7], untyped('tree.0')],
    ['an array as a node', [[]], { code: 'BAD_INPUT' }],
    ['an empty node', [{}], invalid('tree.0.when')],
    ['a missing answer', [{ when: 'e2e4' }], invalid('tree.0.reply')],
    ['a wrong key', [{ when: 'e2e4', reply: 'e7e5', at: 1 }], untyped('tree.0')],
    ['a number as a move', [{ when: 5, reply: 'e7e5' }], untyped('tree.0.when')],
    ['any and a move', [{ when: 'e2e4', any: true, reply: 'e7e5' }], invalid('tree.0.any')],
    ['any without an answer', [{ any: true }], invalid('tree.0.reply')],
    [
      'any twice',
      [
        { any: true, reply: 'e7e5' },
        { any: true, resign: true },
      ],
      invalid('tree.1'),
    ],
    ['any with a piece', [{ any: true, reveals: 'P', reply: 'e7e5' }], invalid('tree.0.reveals')],
    ['a move in an unknown notation', [{ when: 'E2E4', reply: 'e7e5' }], illegal('tree.0.when')],
    ['a move that is too long', [{ when: 'e'.repeat(21), reply: 'e7e5' }], invalid('tree.0.when')],
    ['twins', wide(2), invalid('tree.1')],
    ['101 nodes', wide(101), invalid('tree')],
    ['two answers', [{ when: 'e2e4', reply: 'e7e5', resign: true }], invalid('tree.0.resign')],
    ['children after an end', [{ when: 'e2e4', resign: true, then: E5 }], invalid('tree.0.resign')],
    ['an illegal move of the opponent', [E5[0], { when: 'e2e5', resign: true }], { ...illegal('tree.1.when'), fault: 'cannotReach' }], // prettier-ignore
    ['an illegal reply further down', [{ ...E5[0], then: [{ when: 'd2d4', reply: 'd7d3' }] }], illegal('tree.0.then.0.reply')], // prettier-ignore
    ['a piece turned up in chess', [{ ...E5[0], reveals: 'P' }], { code: 'INVALID_REVEAL', field: 'tree.0.reveals' }], // prettier-ignore
  ])('%s', async (_what, given, expected) => {
    const game = await start();
    const before = (await api.game(ben, game.id)).text;
    expect(await refusal(game, ben, given)).toMatchObject(expected);
    expect(await tree(ben, game)).toBeNull();
    expect((await api.game(ben, game.id)).text).toBe(before);
  });
});

const JSON_BODY = { 'Content-Type': 'application/json' };

describe('refuses invalid plans', () => {
  const nested = (depth: number, open: string, close: string) =>
    `${open.repeat(depth)}1${close.repeat(depth)}`;
  const GARBAGE: readonly (readonly [string, string])[] = [
    ['arrays in arrays', nested(900, '[', ']')],
    ['arrays in nodes', nested(4000, '[{"then":', '}]')],
    ['objects in objects', nested(8000, '{"a":', '}')],
    ['nodes in nodes', nested(1400, '[{"when":"e2e4","reply":"e7e5","then":', '}]')],
    ['nodes in their moves', nested(5000, '[{"when":', '}]')],
    ['a long text', `[{"when":"${'e'.repeat(60_000)}","reply":"e7e5"}]`],
    ['many keys', `[{${Array.from({ length: 5000 }, (_, i) => `"key${i}":1`).join()}}]`],
    ['a key of the language', '[{"__proto__":{"when":"e2e4"}}]'],
    ['another key of the language', '[{"constructor":{"prototype":{"when":"e2e4"}}}]'],
    ['a null as a node', '[null]'],
  ];
  // As text, since clients do not write such values.
  const WAYS: readonly (readonly [string, (id: string, tree: string) => Promise<Response>])[] = [
    [
      'REST',
      (id, tree) => {
        const { path, method, body } = VERBS.setConditionalMoves.rest(id, 'TREE');
        return send(
          server.http,
          `/v1/${path}`,
          { method, headers: JSON_BODY, body: withTree(body, tree) },
          ben,
        );
      },
    ],
    [
      'GraphQL, as a variable',
      (id, tree) => {
        const { document, variables } = VERBS.setConditionalMoves.graphql(id, 'TREE');
        const body = withTree({ query: document('{ game { id } }'), variables }, tree);
        return send(server.http, '/graphql', { method: 'post', headers: JSON_BODY, body }, ben);
      },
    ],
    [
      'GraphQL, in the document',
      (id, tree) => {
        const literal = tree.replace(/"(\w+)":/g, '$1:');
        const query = `mutation { setConditionalMoves(input: { gameId: "${id}", tree: ${literal} }) { game { id } } }`;
        return sendGraphql(server.http, query, {}, ben);
      },
    ],
  ];
  const withTree = (body: unknown, tree: string) => JSON.stringify(body).replace('"TREE"', () => tree);
  const CODES =
    /"code":"(INVALID_CONDITIONAL_MOVES|BAD_INPUT|PAYLOAD_TOO_LARGE|GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED)"/;

  it.each(WAYS.flatMap(([way, ask]) => GARBAGE.map(([what, tree]) => [way, what, ask, tree] as const)))(
    'over %s: %s',
    async (way, _what, ask, tree) => {
      const api = restApi(server.http);
      const game = await begin(api, ann, ben);
      const { status, text } = await ask(game.id, tree);
      expect(status).toBeLessThan(500);
      expect(text).toMatch(CODES);
      // GraphQL lists up to 50 errors.
      expect(text.length).toBeLessThan(way === 'REST' ? 3000 : 40_000);
      expect((await api.conditionalMoves(ben, game.id)).data).toBeNull();
      expect((await api.game(ben, game.id)).data.version).toBe(1);
    },
  );
});

test.each([{}, { tree: null }])('refuses %j: a plan is deleted only by DELETE', async (body) => {
  const api = restApi(server.http);
  const game = await begin(api, ann, ben);
  const plan = [{ when: 'e2e4', reply: 'e7e5' }];
  await api.setConditionalMoves(ben, game.id, plan);
  const put = VERBS.setConditionalMoves.rest(game.id, []);
  const { status, refusal } = await rest(server.http, ben, { ...put, body });
  expect([status, refusal]).toEqual([400, { code: 'BAD_INPUT', field: 'tree' }]);
  expect((await api.conditionalMoves(ben, game.id)).data).toEqual(plan);
});
