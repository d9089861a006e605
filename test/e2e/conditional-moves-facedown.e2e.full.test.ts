import { holds, verify } from '../../src/fairness/verify.js';
import { type Api, graphqlApi, restApi, TRANSPORTS } from '../support/api.js';
import { type GameWithDeal, gameWithDeal, lie } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import { type Body, must } from '../support/transport.js';

/** Conditional moves with face-down pieces: Ben plans for what he does not know. Ann moves first. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = (await Promise.all(['ann', 'ben'].map((name) => register(server.http, name)))) as [Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

const RED = 'KABRNCP';
const BLACK = 'kabrncp';

async function told({ id }: Game): Promise<readonly unknown[]> {
  const { data } = await graphqlApi(server.http).notifications(ben, { first: 100 });
  const own = data.edges.filter(({ node }) => node.gameId === id && node.type.startsWith('conditional'));
  return own.map(({ node }) => [node.type, node.data]);
}

async function expectWhole({ id }: Game): Promise<void> {
  const record: unknown = must(await restApi(server.http).record(null, id));
  expect(verify(record).filter(({ ok }) => ok === false)).toEqual([]);
  expect(holds(verify(record))).toBe(true);
}

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });
  /** A dealt game after a1 and b1, with Ben's plan; then Ann's move and its result. */
  async function answered(
    id: string,
    lies: string,
    treeOf: (at: GameWithDeal['at']) => unknown,
    move: string,
    options: Body = {},
  ) {
    const { game, at } = await gameWithDeal(server, { ann, ben }, api, id, lie(lies), options);
    await playMoves(api, game, ['a1', 'b1'], { first: ann, second: ben });
    const set = await api.setConditionalMoves(ben, game.id, treeOf(at));
    if (set.refusal) throw new Error(set.text);
    const answer = await api.makeMove(ann, game.id, 3, move);
    if (answer.refusal) throw new Error(answer.text);
    const plies = (await api.moves(null, game.id)).data.edges.slice(2).map(({ node }) => node);
    const left = (await api.conditionalMoves(ben, game.id)).data;
    await expectWhole(game);
    const moves = plies.map((ply) => `${ply.automatic ? '+' : ''}${ply.move}${ply.reveals ?? ''}`);
    return { at, game: answer.data, stored: set.data, moves, left, told: await told(game) };
  }

  describe('what the opponent turns up', () => {
    const TREE = [
      { when: 'c1', reveals: 'N', reply: 'd1' },
      { when: 'c1', reveals: 'P', reply: 'b1c1' },
      { when: 'c1', reply: 'd8' },
    ];

    it('is named', async () => {
      const one = await answered('banqi-hongkong', `a1=${RED} b1=p c1=P`, () => TREE, 'c1');
      expect(one.moves).toEqual(['c1P', '+b1c1']);
      expect(one.left).toBeNull();
      expect(one.told).toMatchObject([['conditionalPlayed', { ply: 4, move: 'b1c1' }]]);
    });

    it('is named, and the reply turns up another', async () => {
      const one = await answered('banqi-hongkong', `a1=${RED} b1=p c1=N`, () => TREE, 'c1');
      expect(one.moves).toEqual(['c1N', `+d1${one.at('d1')}`]);
      expect(one.told).toMatchObject([['conditionalPlayed', { ply: 4, move: 'd1' }]]);
    });

    it('is not named: the general node applies', async () => {
      const one = await answered('banqi-hongkong', `a1=${RED} b1=p c1=${BLACK}`, () => TREE, 'c1');
      expect(one.moves).toEqual([`c1${one.at('c1')}`, `+d8${one.at('d8')}`]);
    });

    it('is another piece than was named: dropped', async () => {
      const one = await answered(
        'banqi-hongkong',
        `a1=${RED} b1=p c1=${BLACK}`,
        () => TREE.slice(0, 2),
        'c1',
      );
      expect(one.moves).toEqual([`c1${one.at('c1')}`]);
      expect(one.told).toEqual([['conditionalDropped', { why: 'unmatched', ply: 3 }]]);
      expect(one.left).toBeNull();
    });

    it('makes an unverified reply illegal: dropped', async () => {
      const tree = [{ when: 'c1', reply: 'b1c1' }];
      const one = await answered('banqi-hongkong', `a1=${RED} b1=p c1=${BLACK}`, () => tree, 'c1');
      expect(one.stored).toEqual([{ ...tree[0], unverified: true }]);
      expect(one.moves).toEqual([`c1${one.at('c1')}`]);
      expect(one.told).toEqual([['conditionalDropped', { why: 'illegal', ply: 3, reply: 'b1c1' }]]);
      expect([one.left, one.game.turn]).toEqual([null, 'second']);
    });
  });

  describe('what the reply turns up', () => {
    const then = [
      { when: 'c1d1', replyRevealed: 'p', resign: true },
      { when: 'c1b1', replyRevealed: 'n', reply: 'd1c1' },
      { when: 'c1b1', reply: 'd8' },
    ];
    const tree = [{ when: 'c1', reveals: 'P', reply: 'd1', then }];
    const forAll = { when: 'c1b1', reply: 'd8', unverified: true };

    it.each([
      ['is named', 'n', then, [{ when: 'c1b1', reply: 'd1c1' }]],
      ['is not named', 'rka', then, [forAll]],
      ['is named by one node, beside the general one', 'p', then, [{ when: 'c1d1', resign: true }, forAll]],
      ['is none of those named: the plan ends', RED, then.slice(0, 2), null],
    ])('%s', async (_how, letters, children, expected) => {
      const lies = `a1=${RED} b1=p c1=P d1=${letters}`;
      const one = await answered('banqi-hongkong', lies, () => [{ ...tree[0], then: children }], 'c1');
      expect(one.moves).toEqual(['c1P', `+d1${one.at('d1')}`]);
      expect(one.left).toEqual(expected);
      expect(one.told).toMatchObject([['conditionalPlayed', { move: 'd1' }]]);
    });
  });

  describe.each(['banqi-hongkong', 'banqi-taiwan'])('%s', (id) => {
    const DARK = { darkCaptures: true };
    const BOTH = { darkCaptures: true, multipleCaptures: true };

    it('answers an attempt of the opponent by what it turns up', async () => {
      const tree = [{ when: 'a1a2', reveals: 'n', reply: 'b1b2' }];
      const one = await answered(id, `a1=KR b1=p a2=n`, () => tree, 'a1a2', DARK);
      expect(one.moves).toEqual(['a1a2n', `+b1b2${one.at('b2')}`]);
    });

    it('plays an attempt as the reply', async () => {
      const then = [{ when: 'a8', reply: 'd8', unverified: true }];
      const tree = [{ when: 'd1', reply: 'b1b2', then }];
      const one = await answered(id, `a1=${RED} b1=p b2=P`, () => tree, 'd1', DARK);
      expect(one.moves).toEqual([`d1${one.at('d1')}`, '+b1b2P']);
      expect(one.left).toEqual(then);
      expect(one.stored).toEqual([{ ...tree[0], unverified: true }]);
    });

    it('waits for the end of a turn of several captures, and answers then', async () => {
      const tree = [{ when: 'a1a2', reveals: 'n', then: [{ when: 'pass', reply: 'd8' }] }];
      const one = await answered(id, `a1=KR b1=${BLACK} a2=n`, () => tree, 'a1a2', BOTH);
      expect(one.moves).toEqual(['a1a2n']);
      expect(one.left).toEqual([{ when: 'pass', reply: 'd8' }]);
      expect([one.told, one.game.turn]).toEqual([[], 'first']);
      expect((await api.makeMove(ann, one.game.id, 4, 'pass')).data).toMatchObject({
        plyCount: 5,
        turn: 'first',
      });
      expect(await told(one.game)).toMatchObject([['conditionalPlayed', { ply: 5, move: 'd8' }]]);
      await expectWhole(one.game);
    });

    it('is dropped if the opponent’s turn continues and a reply was planned', async () => {
      const tree = [{ when: 'a1a2', reply: 'd8' }];
      const one = await answered(id, `a1=KR b1=${BLACK} a2=n`, () => tree, 'a1a2', BOTH);
      expect(one.moves).toEqual(['a1a2n']);
      expect(one.game.turn).toBe('first');
      expect(one.told).toEqual([['conditionalDropped', { why: 'illegal', ply: 3, reply: 'd8' }]]);
    });

    it('ends the plan and tells its owner when a reply continues the own turn', async () => {
      const tree = [{ when: 'd1', reply: 'b1b2', then: [{ when: 'a8', reply: 'd8' }] }];
      const one = await answered(id, `a1=${RED} b1=kr b2=N`, () => tree, 'd1', BOTH);
      expect(one.moves).toEqual([`d1${one.at('d1')}`, '+b1b2N']);
      expect([one.game.turn, one.left]).toEqual(['second', null]);
      expect(one.told).toContainEqual(['conditionalDropped', { why: 'yourTurn', ply: 4 }]);
      expect(one.told).toHaveLength(2);
    });
  });

  it('plays turn-ups of both players along one branch in Half Chess', async () => {
    // There are eight of each: one is left, whatever has been turned up.
    const other = (letter: string) => (letter === 'p' ? 'P' : 'p');
    const treeOf = (at: GameWithDeal['at']) => [
      {
        when: 'c1',
        reveals: at('c1'),
        reply: 'a2',
        then: [
          { when: 'd1', reveals: at('d1'), replyRevealed: at('a2'), reply: 'd2' },
          { when: 'd1', replyRevealed: other(at('a2')), resign: true },
        ],
      },
    ];
    const one = await answered('half-chess', `a1=KQRBNP b1=kqrbnp`, treeOf, 'c1');
    expect(one.moves).toEqual([`c1${one.at('c1')}`, `+a2${one.at('a2')}`]);
    expect(one.left).toEqual([{ when: 'd1', reveals: one.at('d1'), reply: 'd2' }]);
    expect((await api.makeMove(ann, one.game.id, 5, 'd1')).data).toMatchObject({ plyCount: 6 });
    await expectWhole(one.game);
  });
});
