import { type ActName, ACTS } from '../../src/arbiter/acts/registry.js';
import { HotGames } from '../../src/features/games/hot-games.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { perMove } from '../support/pair.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { fewestStatements } from '../support/statements.js';
import type { Game } from '../support/api-types.js';
import { type Body, must, send } from '../support/transport.js';

/** Acts that name the state that they were made for by its hash (`seen`). Ann is to move. */
// Both databases: the guard is in statements.

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  // One connection: the setup statements of a new one do not belong to an act.
  server = await startServer({ SWEEP_SECONDS: '3600', DATABASE_POOL: '1' });
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const OTHER = '0123456789abcdef'.repeat(4);

/** The state that is shown, as its receipt names it. */
const seenIn = ({ version, fairness }: Game) => ({ version, hash: fairness.headHash! });

/** What an act takes besides the game. */
const INPUTS: Partial<Record<ActName, Body>> = {
  makeMove: { ply: 3, move: 'g1f3' },
  giveTime: { ply: 3 },
  claimDraw: { reason: 'threefoldRepetition' },
};

describe.each(TRANSPORTS)('over %s', (_, over) => {
  let api: Api;
  let game: Game;
  beforeAll(() => {
    api = over(server.http);
  });
  beforeEach(async () => {
    game = await playMoves(api, await begin(api, ann, ben, perMove(86_400)), ['e2e4', 'e7e5'], {
      first: ann,
      second: ben,
    });
  });
  const now = async () => seenIn(must(await api.game(null, game.id)));
  const acting = (by: Person, act: ActName, seen: unknown, more: Body = {}) =>
    api.plain(by, act, game.id, undefined, { ...INPUTS[act], seen, ...more });

  test.each(ACTS.map(({ name }) => name))(
    '%s is refused at the same version with another hash',
    async (act) => {
      const before = await now();
      expect((await acting(ann, act, { ...before, hash: OTHER })).refusal).toEqual({
        code: 'STALE_VERSION',
        field: 'seen.hash',
      });
      expect(await now()).toEqual(before);
    },
  );

  test.each<[by: 'ann' | 'ben', act: ActName]>([
    ['ann', 'makeMove'],
    ['ann', 'offerDraw'],
    ['ann', 'offerTakeback'],
    ['ann', 'offerPause'],
    ['ben', 'giveTime'],
    ['ann', 'resign'],
  ])('%s does %s at what she or he saw, and not at another version', async (who, act) => {
    const by = who === 'ann' ? ann : ben;
    const seen = await now();
    for (const version of [seen.version - 1, seen.version + 1]) {
      expect((await acting(by, act, { ...seen, version })).refusal).toEqual({
        code: 'STALE_VERSION',
        field: 'seen.version',
      });
    }
    expect(await now()).toEqual(seen);
    expect((await acting(by, act, seen)).data).toMatchObject({ version: seen.version + 1 });
  });

  test('conditional moves are guarded alike', async () => {
    const tree = [{ when: 'g1f3', reply: 'b8c6' }];
    const seen = await now();
    for (const plan of [tree, null]) {
      if (plan === null) must(await restApi(server.http).setConditionalMoves(ben, game.id, tree));
      // Without a body REST has If-Match to clear them.
      if (plan !== null || over !== restApi) {
        expect((await api.setConditionalMoves(ben, game.id, plan, { seen: { ...seen, hash: OTHER } })).refusal).toEqual({ code: 'STALE_VERSION', field: 'seen.hash' }); // prettier-ignore
        expect((await api.setConditionalMoves(ben, game.id, plan, { seen: { ...seen, version: 2 } })).refusal).toEqual({ code: 'STALE_VERSION', field: 'seen.version' }); // prettier-ignore
        expect(must(await api.conditionalMoves(ben, game.id))).toEqual(plan === null ? tree : null);
      }
      expect((await api.setConditionalMoves(ben, game.id, plan, { seen })).refusal).toBeUndefined();
      expect((await api.conditionalMoves(ben, game.id)).data).toEqual(plan);
    }
  });

  test('a move that is sent again is answered, with what was seen before it', async () => {
    const seen = await now();
    const first = must(await acting(ann, 'makeMove', seen));
    expect(must(await acting(ann, 'makeMove', seen)).version).toBe(first.version);
  });

  test.each<
    [what: string, seen: (seen: { version: number; hash: string }) => unknown, field: string, says: RegExp]
  >([
    ['no version', ({ hash }) => ({ hash }), 'seen.version', /seen.*version/],
    ['no hash', ({ version }) => ({ version }), 'seen.hash', /seen.*hash/],
    ['no object', ({ hash }) => hash, 'seen', /to be an object|must be an object/],
    [
      'no hex',
      (seen) => ({ ...seen, hash: 'xyz' }),
      'seen.hash',
      /^seen.hash must be 64 lower-case hex digits; got "xyz".$/,
    ],
    [
      'half a hash',
      (seen) => ({ ...seen, hash: seen.hash.slice(32) }),
      'seen.hash',
      /^seen.hash must be 64 lower-case hex digits; got/,
    ],
    [
      'capital letters',
      (seen) => ({ ...seen, hash: OTHER.toUpperCase() }),
      'seen.hash',
      /^seen.hash must be 64 lower-case hex digits; got/,
    ],
  ])('%s is an error of the input', async (_, change, field, says) => {
    const { refusal, message } = await acting(ann, 'offerDraw', change(await now()));
    expect([refusal, message]).toEqual([{ code: 'BAD_INPUT', field }, expect.stringMatching(says)]);
  });

  test('a version beside it must be the same one', async () => {
    const seen = await now();
    const { refusal, message } = await acting(ann, 'offerDraw', seen, { version: seen.version - 1 });
    expect(refusal).toEqual({ code: 'BAD_INPUT', field: 'seen.version' });
    expect(message).toBe(`seen.version (${seen.version}) must equal version (${seen.version - 1}). Send only one of them.`); // prettier-ignore
    expect((await acting(ann, 'offerDraw', seen, { version: seen.version })).refusal).toBeUndefined();
  });

  test('costs a move no statement', async () => {
    let seen = seenIn(must(await acting(ann, 'makeMove', await now())));
    const moves = ['b8c6', 'f1c4', 'f8c5', 'c2c3', 'g8f6', 'd2d3'];
    let ply = 3;
    const sent = await fewestStatements(async () => {
      const by = ++ply % 2 === 0 ? ben : ann;
      const more = { seen };
      seen = seenIn(must(await restApi(server.http).makeMove(by, game.id, ply, moves[ply - 4], more)));
    });
    expect(sent).toHaveLength(1);
  });

  test('what this process remembers refuses nothing, and what another stored counts', async () => {
    const hot = server.app.get(HotGames, { strict: false });
    const old = await now();
    const row = hot.get(game.id)!;
    expect(row.headHash).toBe(old.hash);
    must(await acting(ann, 'makeMove', undefined));
    const stored = await now();
    // As if another process had stored the move.
    hot.set(row);
    expect((await acting(ben, 'offerDraw', old)).refusal).toEqual({
      code: 'STALE_VERSION',
      field: 'seen.version',
    });
    hot.set(row);
    expect((await acting(ben, 'offerDraw', stored)).refusal).toBeUndefined();
  });

  test('a state that was lost is not what was seen, though this process remembers it', async () => {
    const hot = server.app.get(HotGames, { strict: false });
    const stored = await now();
    const lost = { ...hot.get(game.id)!, headHash: OTHER };
    hot.set(lost);
    expect((await acting(ben, 'offerDraw', { ...stored, hash: OTHER })).refusal).toEqual({
      code: 'STALE_VERSION',
      field: 'seen.hash',
    });
    hot.set(lost);
    expect((await acting(ben, 'offerDraw', stored)).refusal).toBeUndefined();
  });
});

test('the tag of If-Match must be of the same state', async () => {
  const api = restApi(server.http);
  const game = await playMoves(api, await begin(api, ann, ben), ['e2e4', 'e7e5'], { first: ann, second: ben }); // prettier-ignore
  const { id } = game;
  const offer = (match: string, hash: string) =>
    send(
      server.http,
      `/v1/games/${id}/draw-offer`,
      { method: 'post', headers: { 'If-Match': match }, body: { seen: { version, hash } } },
      ann,
    );
  const tag = (hash: string) => `"v${version}.${hash.slice(0, 16)}-"`;
  const { version, hash } = seenIn(game);
  for (const [match, asked, status, field] of [
    [`"v${version + 1}"`, hash, 400, 'seen.version'],
    [tag(OTHER), hash, 400, 'seen.hash'],
    [tag(OTHER), OTHER, 412, 'seen.hash'],
    ['*', OTHER, 412, 'seen.hash'],
    [tag(hash), hash, 200, undefined],
  ] as const) {
    const { status: answered, body } = await offer(match, asked);
    expect([match, answered, body.field]).toEqual([match, status, field]);
  }
});
