import request from 'supertest';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { begin, type Body, type Person, type Play, register, restPlay, TRANSPORTS } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/shown.js';
import { stopTime, type StoppedTime } from '../support/stopped-time.js';

/** Conditional moves that are refused: each with its code and place, and nothing changes. Ben plans. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await startServer({ ACCESS_TOKEN_SECONDS: '86400', SWEEP_SECONDS: '3600' });
  time = stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
}, 180_000);
afterAll(() => server.close());

const E5 = [{ when: 'e2e4', reply: 'e7e5' }];

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let play: Play;
  beforeAll(() => {
    play = over(server.http);
  });

  const start = (terms: Body = {}): Promise<Game> => begin(play, ann, ben, terms);
  const tree = async (by: Person, { id }: Game) => (await play.conditionalMoves(by, id)).data;

  const refusal = async ({ id }: Game, by: Person, given: unknown) =>
    (await play.setConditionalMoves(by, id, given)).refusal;

  it('when it is not the time, or not the player', async () => {
    const game = await start();
    expect(await refusal(game, ann, E5)).toEqual({ code: 'YOUR_TURN' });
    expect(await refusal(game, cid, E5)).toEqual({ code: 'NOT_YOUR_GAME' });
    expect(await refusal(game, cid, null)).toEqual({ code: 'NOT_YOUR_GAME' });
    const answer = await play.setConditionalMoves(null, game.id, E5);
    expect(answer.refusal).toEqual({ code: 'UNAUTHENTICATED' });
    const unknown = { ...game, id: '01890000-0000-7000-8000-000000000000' };
    expect(await refusal(unknown, ben, E5)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await tree(ben, game)).toBeNull();
  });

  it('before the game has begun, and after its deadline', async () => {
    const pending = await start({ clientSeedHash: clientSeedHash('later') });
    expect(await refusal(pending, ben, E5)).toEqual({ code: 'GAME_PENDING' });
    expect(await refusal(pending, ann, E5)).toEqual({ code: 'GAME_PENDING' });
    const late = await start({ timeControl: { type: 'perMove', seconds: 60 } });
    time.forward(61_000);
    expect(await refusal(late, ben, E5)).toEqual({ code: 'DEADLINE_PASSED' });
    expect(await refusal(late, ben, E5)).toEqual({ code: 'GAME_OVER' });
  });

  const invalid = (field: string) => ({ code: 'INVALID_CONDITIONAL_MOVES', field });
  const illegal = (field: string) => ({ code: 'ILLEGAL_MOVE', field });
  const wide = (count: number) => Array.from({ length: count }, () => ({ when: 'e2e4', resign: true }));
  it.each<[string, unknown, object]>([
    ['no array', { when: 'e2e4' }, invalid('tree')],
    ['a text', 'e2e4', invalid('tree')],
    ['a number', 7, invalid('tree')],
    ['nothing', [], invalid('tree')],
    ['no node', [7], invalid('tree.0')],
    ['an array as a node', [[]], { code: 'BAD_INPUT' }],
    ['a node of nothing', [{}], invalid('tree.0.when')],
    ['no answer', [{ when: 'e2e4' }], invalid('tree.0.reply')],
    ['a wrong key', [{ when: 'e2e4', reply: 'e7e5', at: 1 }], invalid('tree.0')],
    ['a number as a move', [{ when: 5, reply: 'e7e5' }], invalid('tree.0.when')],
    ['a move in capitals', [{ when: 'E2E4', reply: 'e7e5' }], invalid('tree.0.when')],
    ['twins', wide(2), invalid('tree.1')],
    ['101 nodes', wide(101), invalid('tree')],
    ['two answers', [{ when: 'e2e4', reply: 'e7e5', resign: true }], invalid('tree.0.resign')],
    ['something after an end', [{ when: 'e2e4', resign: true, then: E5 }], invalid('tree.0.resign')],
    ['an illegal opponent’s move', [E5[0], { when: 'e2e5', resign: true }], { ...illegal('tree.1.when'), fault: 'cannotReach' }], // prettier-ignore
    ['an illegal reply below', [{ ...E5[0], then: [{ when: 'd2d4', reply: 'd7d3' }] }], illegal('tree.0.then.0.reply')], // prettier-ignore
    ['a piece turned up in chess', [{ ...E5[0], reveals: 'P' }], { code: 'INVALID_REVEAL', field: 'tree.0.reveals' }], // prettier-ignore
  ])('%s', async (_what, given, expected) => {
    const game = await start();
    const before = (await play.game(ben, game.id)).text;
    expect(await refusal(game, ben, given)).toMatchObject(expected);
    expect(await tree(ben, game)).toBeNull();
    expect((await play.game(ben, game.id)).text).toBe(before);
  });
});

describe('garbage is refused', () => {
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
  const WAYS: readonly (readonly [
    string,
    (id: string, tree: string) => readonly [string, string, string],
  ])[] = [
    ['REST', (id, tree) => ['PUT', `v1/games/${id}/conditional-moves`, `{"tree":${tree}}`]],
    [
      'GraphQL, as a variable',
      (id, tree) => [
        'POST',
        'graphql',
        `{"query":"mutation ($input: SetConditionalMovesInput!) { setConditionalMoves(input: $input) { id } }","variables":{"input":{"gameId":"${id}","tree":${tree}}}}`,
      ],
    ],
    [
      'GraphQL, in the document',
      (id, tree) => [
        'POST',
        'graphql',
        JSON.stringify({
          query: `mutation { setConditionalMoves(input: { gameId: "${id}", tree: ${tree.replace(/"(\w+)":/g, '$1:')} }) { id } }`,
        }),
      ],
    ],
  ];
  const CODES = /"code":"(INVALID_CONDITIONAL_MOVES|BAD_INPUT|PAYLOAD_TOO_LARGE|GRAPHQL_PARSE_FAILED)"/;

  // As text: the clients of the other tests cannot write such values.
  it.each(WAYS.flatMap(([way, ask]) => GARBAGE.map(([what, tree]) => [way, what, ask, tree] as const)))(
    'over %s: %s',
    async (_way, _what, ask, tree) => {
      const play = restPlay(server.http);
      const game = await begin(play, ann, ben);
      const [method, path, body] = ask(game.id, tree);
      const headers = { 'content-type': 'application/json', authorization: ben.authorization };
      const answer = await fetch(`${server.url}/${path}`, { method, body, headers });
      const text = await answer.text();
      expect(answer.status).toBeLessThan(500);
      expect(text).toMatch(CODES);
      expect(text.length).toBeLessThan(3000);
      expect((await play.conditionalMoves(ben, game.id)).data).toBeNull();
      expect((await play.game(ben, game.id)).data.version).toBe(1);
    },
  );
});

test.each([{}, { tree: null }])('a plan is forgotten by DELETE alone: %j is refused', async (body) => {
  const play = restPlay(server.http);
  const game = await begin(play, ann, ben);
  const plan = [{ when: 'e2e4', reply: 'e7e5' }];
  await play.setConditionalMoves(ben, game.id, plan);
  const answer = await request(server.http)
    .put(`/v1/games/${game.id}/conditional-moves`)
    .set('Authorization', ben.authorization)
    .send(body);
  expect([answer.status, answer.body.code, answer.body.field]).toEqual([400, 'BAD_INPUT', 'tree']);
  expect((await play.conditionalMoves(ben, game.id)).data).toEqual(plan);
});
