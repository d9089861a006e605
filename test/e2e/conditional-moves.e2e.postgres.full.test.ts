import type { PlanNode } from '../../src/arbiter/conditional-moves.js';
import { Referee } from '../../src/features/games/referee.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** Conditional moves: setting, clearing, playing and dropping them. Ben plans, Ann moves. */
// Both databases: a reply is committed together with the move that it answers.

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
});
afterAll(() => server.close());

const E5: readonly PlanNode[] = [{ when: 'e2e4', reply: 'e7e5' }];
const LINE: readonly PlanNode[] = [
  {
    when: 'e2e4',
    reply: 'e7e5',
    then: [
      { when: 'g1f3', reply: 'b8c6', then: [{ when: 'f1b5', reply: 'a7a6' }] },
      { when: 'f2f4', resign: true },
    ],
  },
  { when: 'd2d4', reply: 'g8f6' },
];

/** A user's notifications of one kind about a game. */
async function told(by: Person, { id }: Game, type: string): Promise<readonly unknown[]> {
  const { data } = await graphqlApi(server.http).notifications(by, { first: 100 });
  const own = data.edges.filter(({ node }) => node.gameId === id && node.type === type);
  return own.map(({ node }) => node.data);
}

async function expectWhole({ id }: Game): Promise<void> {
  const record: unknown = must(await restApi(server.http).record(null, id));
  expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
  expect(holds(verify(record))).toBe(true);
}

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const after = async (moves: readonly string[], terms: Body = {}): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, terms), moves, { first: ann, second: ben });
  /** A game after these moves in which a plan waits for the next move. */
  const planned = async (by: Person, moves: readonly string[], tree: unknown, terms: Body = {}) => {
    const game = await after(moves, terms);
    const answer = await api.setConditionalMoves(by, game.id, tree);
    if (answer.refusal) throw new Error(answer.text);
    return game;
  };
  const move = async (by: Person, game: Game, text: string, more?: Body): Promise<Game> => {
    const { plyCount } = (await api.game(by, game.id)).data;
    const answer = await api.makeMove(by, game.id, plyCount + 1, text, more);
    if (answer.refusal) throw new Error(`${text}: ${answer.text}`);
    return answer.data;
  };
  const tree = async (by: Person, { id }: Game) => (await api.conditionalMoves(by, id)).data;
  const plies = async ({ id }: Game) =>
    (await api.moves(null, id, { first: 100 })).data.edges.map(({ node }) => node);
  const events = async ({ id }: Game) => (await api.events(null, id)).data.map(({ type }) => type);

  describe('an answer to any move', () => {
    const ANY = [{ when: 'e2e4', reply: 'c7c5' }, { any: true, reply: 'd7d5', then: [{ any: true, reply: 'g8f6' }] }]; // prettier-ignore

    it('is played if no other node names the move', async () => {
      const game = await planned(ben, [], ANY);
      expect(await move(ann, game, 'a2a3')).toMatchObject({ plyCount: 2, turn: 'first' });
      expect(await tree(ben, game)).toEqual([{ any: true, reply: 'g8f6', unverified: true }]);
      expect(await move(ann, game, 'h2h3')).toMatchObject({ plyCount: 4, turn: 'first' });
      expect((await plies(game)).map(({ san }) => san)).toEqual(['a3', 'd5', 'h3', 'Nf6']);
      expect(await tree(ben, game)).toBeNull();
      await expectWhole(game);
    });

    it('gives precedence to a node that names it', async () => {
      const game = await planned(ben, [], ANY);
      expect(await move(ann, game, 'e2e4')).toMatchObject({ plyCount: 2 });
      expect((await plies(game))[1]!.san).toBe('c5');
    });

    it('is dropped if it is illegal, and its owner is notified', async () => {
      const game = await planned(ben, ['e2e4'], [{ any: true, reply: 'e4d5' }]).catch(() => null);
      expect(game).toBeNull();
      const later = await planned(ann, ['e2e4'], [{ any: true, reply: 'e4d5' }]);
      expect(await move(ben, later, 'a7a6')).toMatchObject({ plyCount: 2, turn: 'first' });
      expect(await told(ann, later, 'conditionalDropped')).toMatchObject([{ why: 'illegal', reply: 'e4d5' }]);
      expect(await tree(ann, later)).toBeNull();
    });

    it('is refused in a game with face-down pieces', async () => {
      const game = await begin(api, ann, ben, { ruleset: 'banqi-taiwan' });
      const { refusal } = await api.setConditionalMoves(ben, game.id, [{ any: true, resign: true }]);
      expect(refusal).toEqual({ code: 'INVALID_CONDITIONAL_MOVES', field: 'tree.0.any' });
      const sent = { conditionalMoves: [{ any: true, resign: true }] };
      const answer = await api.makeMove(ann, game.id, 1, 'a1', sent);
      expect(answer.refusal).toEqual({ code: 'INVALID_CONDITIONAL_MOVES', field: 'conditionalMoves.0.any' });
    });
  });

  it('is shown as a list, which REST accepts as input', async () => {
    const game = await planned(ben, [], LINE);
    const list = must(await api.listedMoves(ben, game.id))!;
    expect(list.map(({ id, parent, when }) => [id, parent, when])).toEqual([
      [1, null, 'e2e4'],
      [2, 1, 'g1f3'],
      [3, 2, 'f1b5'],
      [4, 1, 'f2f4'],
      [5, null, 'd2d4'],
    ]);
    await api.setConditionalMoves(ben, game.id, null);
    expect(must(await restApi(server.http).setConditionalMoves(ben, game.id, list))).toEqual(LINE);
  });

  describe('a tree', () => {
    it('is stored, read, replaced and cleared', async () => {
      const game = await after([]);
      expect(await tree(ben, game)).toBeNull();
      expect((await api.setConditionalMoves(ben, game.id, LINE)).data).toEqual(LINE);
      expect(await tree(ben, game)).toEqual(LINE);
      expect((await api.setConditionalMoves(ben, game.id, E5)).data).toEqual(E5);
      expect(await tree(ben, game)).toEqual(E5);
      expect((await api.setConditionalMoves(ben, game.id, null)).data).toBeNull();
      expect((await api.setConditionalMoves(ben, game.id, null)).data).toBeNull();
      expect(await tree(ben, game)).toBeNull();
      expect(await move(ann, game, 'e2e4')).toMatchObject({ plyCount: 1, turn: 'second' });
      expect(await told(ben, game, 'conditionalDropped')).toEqual([]);
    });

    it('leaves the previous one unchanged when it is refused', async () => {
      const game = await planned(ben, [], E5);
      expect((await api.setConditionalMoves(ben, game.id, [])).refusal).toBeDefined();
      expect((await api.setConditionalMoves(ben, game.id, [{ when: 'e2e5', resign: true }])).refusal).toBeDefined(); // prettier-ignore
      expect(await tree(ben, game)).toEqual(E5);
    });

    it('belongs to one game', async () => {
      const [one, two] = [await planned(ben, [], E5), await after([])];
      expect(await move(ann, two, 'e2e4')).toMatchObject({ plyCount: 1 });
      expect(await move(ann, one, 'e2e4')).toMatchObject({ plyCount: 2 });
    });

    it('may be set while the game is paused and the opponent is to move', async () => {
      const game = await after([]);
      await api.plain(ann, 'offerPause', game.id);
      expect((await api.plain(ben, 'acceptPause', game.id)).data.status).toBe('paused');
      expect((await api.setConditionalMoves(ben, game.id, E5)).data).toEqual(E5);
      expect((await api.setConditionalMoves(ann, game.id, E5)).refusal).toEqual({ code: 'YOUR_TURN' });
      await expectWhole(game);
      await api.plain(ann, 'unpause', game.id);
      expect((await api.plain(ben, 'unpause', game.id)).data.status).toBe('active');
      expect(await tree(ben, game)).toEqual(E5);
      expect(await move(ann, game, 'e2e4')).toMatchObject({ plyCount: 2 });
    });
  });

  describe('a reply', () => {
    it('is played together with the move that it answers, by the rules of any ply', async () => {
      const game = await planned(ben, [], LINE);
      const at = await move(ann, game, 'e2e4');
      expect(at).toMatchObject({ plyCount: 2, version: 3, turn: 'first', viewer: { seat: 'first' } });
      const [one, two] = await plies(game);
      expect(one).toMatchObject({ seq: 2, ply: 1, player: 'first', move: 'e2e4', automatic: false });
      expect(two).toMatchObject({ seq: 3, ply: 2, player: 'second', move: 'e7e5', automatic: true });
      expect(two).toMatchObject({ timeUsed: 0, playedAt: one!.playedAt, previousHash: one!.hash, san: 'e5' });
      expect(at.fairness.headHash).toBe(two!.hash);
      expect(await tree(ben, game)).toEqual(LINE[0]!.then);
      expect(await told(ben, game, 'conditionalPlayed')).toEqual([{ ply: 2, move: 'e7e5', san: 'e5' }]);
      expect(await told(ann, game, 'yourTurn')).toEqual([{ ply: 3, deadlineAt: null }]);
      expect(await told(ben, game, 'yourTurn')).toEqual([]);
      await expectWhole(game);
    });

    it('is played after each move as long as the opponent stays on the line', async () => {
      const game = await planned(ben, [], LINE);
      await move(ann, game, 'e2e4');
      await move(ann, game, 'g1f3');
      expect(await tree(ben, game)).toEqual([{ when: 'f1b5', reply: 'a7a6' }]);
      expect(await move(ann, game, 'f1b5')).toMatchObject({ plyCount: 6, version: 7 });
      expect(await tree(ben, game)).toBeNull();
      expect(await move(ann, game, 'b5a4')).toMatchObject({ plyCount: 7, turn: 'second' });
      expect(await told(ben, game, 'conditionalDropped')).toEqual([]);
      expect((await plies(game)).map(({ automatic }) => automatic)).toEqual([false, true, false, true, false, true, false]); // prettier-ignore
      await expectWhole(game);
    });

    it('of each player is played in turn', async () => {
      const game = await planned(ben, [], E5);
      await move(ann, game, 'e2e4');
      await move(ann, game, 'g1f3');
      await api.setConditionalMoves(ann, game.id, [{ when: 'b8c6', reply: 'f1b5' }]);
      expect(await move(ben, game, 'b8c6')).toMatchObject({ plyCount: 5, turn: 'second' });
      expect(await told(ann, game, 'conditionalPlayed')).toEqual([{ ply: 5, move: 'f1b5', san: 'Bb5' }]);
      await expectWhole(game);
    });

    it('can mate', async () => {
      const mate = [{ when: 'g2g4', reply: 'd8h4' }];
      const game = await planned(ben, ['f2f3', 'e7e5'], mate);
      const at = await move(ann, game, 'g2g4');
      expect(at).toMatchObject({ status: 'finished', outcome: { winner: 'second', reason: 'checkmate' } });
      expect(await tree(ben, game)).toBeNull();
      expect(await told(ann, game, 'gameOver')).toHaveLength(1);
      expect(await told(ben, game, 'gameOver')).toHaveLength(1);
      expect((await api.setConditionalMoves(ben, game.id, E5)).refusal).toEqual({ code: 'GAME_OVER' });
      await expectWhole(game);
    });

    it('can safely be requested again: the opponent’s move, and the reply by hand', async () => {
      const game = await planned(ben, [], E5);
      const first = await api.makeMove(ann, game.id, 1, 'e2e4');
      const again = await api.makeMove(ann, game.id, 1, 'e2e4');
      expect(again.data).toEqual(first.data);
      expect((await api.makeMove(ben, game.id, 2, 'e7e5')).data).toMatchObject({ plyCount: 2, version: 3 });
      expect((await api.makeMove(ben, game.id, 2, 'e7e6')).refusal).toEqual({
        code: 'STALE_PLY',
        field: 'ply',
      });
      expect((await api.makeMove(ann, game.id, 1, 'd2d4')).refusal).toEqual({
        code: 'STALE_PLY',
        field: 'ply',
      });
      expect(await plies(game)).toHaveLength(2);
    });

    it('gets its increment and takes no time from the bank', async () => {
      const timeControl = { type: 'bank', initial: 600, increment: 60, cap: 1000 };
      const game = await planned(ben, [], LINE, { timeControl });
      time.forward(100_000);
      const at = await move(ann, game, 'e2e4');
      expect((await plies(game)).map(({ timeUsed, clock }) => [timeUsed, clock])).toEqual([
        [100, 560],
        [0, 660],
      ]);
      expect(at.clocks).toMatchObject({
        first: { remaining: 560, running: true },
        second: { remaining: 660, running: false },
      });
      expect(Date.parse(at.deadlineAt!) - time.now().getTime()).toBe(560_000);
    });
  });

  describe('a node', () => {
    it('can resign', async () => {
      const game = await planned(ben, ['e2e4', 'e7e5'], [{ when: 'd1h5', resign: true }]);
      const at = await move(ann, game, 'd1h5');
      expect(at).toMatchObject({ plyCount: 3, outcome: { winner: 'first', reason: 'resignation' } });
      const log = (await api.events(null, game.id)).data;
      expect(log.at(-2)).toMatchObject({ type: 'resign', player: 'second', data: { automatic: true } });
      expect(await events(game)).toEqual([...(await events(game)).slice(0, -2), 'resign', 'end']);
      expect(await told(ben, game, 'conditionalPlayed')).toEqual([{ resigned: true }]);
      expect(await told(ben, game, 'gameOver')).toHaveLength(1);
      await expectWhole(game);
    });

    it('can offer a draw without a reply', async () => {
      const game = await planned(ben, ['e2e4', 'e7e5'], [{ when: 'g1f3', offerDraw: true }]);
      const at = await move(ann, game, 'g1f3');
      expect(at).toMatchObject({ plyCount: 3, turn: 'second', offers: { draw: { by: 'second' } } });
      expect(await told(ann, game, 'drawOffer')).toHaveLength(1);
      expect(await told(ben, game, 'conditionalPlayed')).toEqual([{ offeredDraw: true }]);
      expect(await told(ben, game, 'yourTurn')).toMatchObject([{ ply: 4 }]);
      expect(await tree(ben, game)).toBeNull();
      expect((await api.plain(ann, 'acceptDraw', game.id)).data.outcome!.reason).toBe('agreement');
    });

    it('can offer a draw with its reply, and the line continues', async () => {
      const node = { when: 'g1f3', reply: 'b8c6', offerDraw: true, then: [{ when: 'f1b5', reply: 'a7a6' }] };
      const game = await planned(ben, ['e2e4', 'e7e5'], [node]);
      const at = await move(ann, game, 'g1f3');
      expect(at).toMatchObject({ plyCount: 4, turn: 'first', offers: { draw: { by: 'second' } } });
      expect(await tree(ben, game)).toEqual(node.then);
      expect(await move(ann, game, 'f1b5')).toMatchObject({ plyCount: 6, offers: { draw: null, secondMustMove: 9 } }); // prettier-ignore
    });

    it('agrees to a draw when the opponent’s move offers one', async () => {
      const game = await planned(ben, ['e2e4', 'e7e5'], [{ when: 'g1f3', offerDraw: true }]);
      const at = await move(ann, game, 'g1f3', { offerDraw: true });
      expect(at.outcome).toEqual({ winner: null, reason: 'agreement' });
      expect((await events(game)).slice(-3)).toEqual(['offerDraw', 'acceptDraw', 'end']);
    });

    const REFUSED = ['e2e4', 'e7e5'];
    const afterRefusal = async (): Promise<Game> => {
      const game = await after(REFUSED);
      await api.plain(ben, 'offerDraw', game.id);
      await api.plain(ann, 'declineDraw', game.id);
      return game;
    };

    it('plays its reply without an offer that is not allowed at that moment', async () => {
      const game = await afterRefusal();
      await api.setConditionalMoves(ben, game.id, [{ when: 'g1f3', reply: 'b8c6', offerDraw: true }]);
      expect(await move(ann, game, 'g1f3')).toMatchObject({ plyCount: 4, offers: { draw: null } });
      expect(await told(ben, game, 'conditionalPlayed')).toEqual([
        { ply: 4, move: 'b8c6', san: 'Nc6', offeredDraw: false },
      ]);
    });

    it('is dropped if it only offers a draw and may not, and its owner is notified', async () => {
      const game = await afterRefusal();
      await api.setConditionalMoves(ben, game.id, [{ when: 'g1f3', offerDraw: true }]);
      const at = await move(ann, game, 'g1f3');
      expect(at).toMatchObject({ plyCount: 3, turn: 'second', offers: { draw: null } });
      expect(await told(ben, game, 'conditionalPlayed')).toEqual([]);
      expect(await told(ben, game, 'conditionalDropped')).toEqual([{ why: 'illegal', ply: 3 }]);
      expect(await tree(ben, game)).toBeNull();
    });
  });

  describe('a tree is dropped', () => {
    it('by a move without an answer, and its owner is notified', async () => {
      const game = await planned(ben, [], LINE);
      await move(ann, game, 'e2e4');
      const at = await move(ann, game, 'b1c3');
      expect(at).toMatchObject({ plyCount: 3, turn: 'second' });
      expect(await tree(ben, game)).toBeNull();
      expect(await told(ben, game, 'conditionalDropped')).toEqual([{ why: 'unmatched', ply: 3 }]);
      expect(await told(ben, game, 'yourTurn')).toMatchObject([{ ply: 4 }]);
      expect(await told(ann, game, 'conditionalDropped')).toEqual([]);
    });

    it('by a takeback, and its owner is notified', async () => {
      const game = await planned(ben, ['e2e4', 'e7e5'], [{ when: 'g1f3', reply: 'b8c6' }]);
      await api.plain(ann, 'offerTakeback', game.id);
      expect(await tree(ben, game)).not.toBeNull();
      expect((await api.plain(ben, 'acceptTakeback', game.id)).data).toMatchObject({ plyCount: 0 });
      expect(await tree(ben, game)).toBeNull();
      expect(await told(ben, game, 'conditionalDropped')).toEqual([{ why: 'takeback', ply: 0 }]);
      expect(await told(ann, game, 'conditionalDropped')).toEqual([]);
      await playMoves(api, { ...game, plyCount: 0, turn: 'first' }, ['e2e4', 'e7e5'], { first: ann, second: ben }); // prettier-ignore
      expect(await move(ann, game, 'g1f3')).toMatchObject({ plyCount: 3 });
      await expectWhole(game);
    });

    it('not by a declined takeback', async () => {
      const game = await planned(ben, ['e2e4', 'e7e5'], [{ when: 'g1f3', reply: 'b8c6' }]);
      await api.plain(ann, 'offerTakeback', game.id);
      await api.plain(ben, 'declineTakeback', game.id);
      expect(await move(ann, game, 'g1f3')).toMatchObject({ plyCount: 4 });
    });

    it.each<[string, (game: Game) => Promise<unknown>]>([
      ['a resignation', ({ id }) => api.resign(ann, id)],
      ['an abort', ({ id }) => api.abort(ann, id)],
      [
        'the clock',
        async () => {
          time.forward(61_000);
          await server.app.get(Referee).sweep();
        },
      ],
    ])('by the end of the game: %s', async (_way, end) => {
      const game = await planned(ben, [], E5, { timeControl: { type: 'perMove', seconds: 60 } });
      await end(game);
      expect((await api.game(null, game.id)).data.outcome).not.toBeNull();
      expect(await tree(ben, game)).toBeNull();
      expect((await api.setConditionalMoves(ben, game.id, null)).data).toBeNull();
      expect((await api.setConditionalMoves(ben, game.id, E5)).refusal).toEqual({ code: 'GAME_OVER' });
      expect(await plies(game)).toEqual([]);
    });
  });
});
