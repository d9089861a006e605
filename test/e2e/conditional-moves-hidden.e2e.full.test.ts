import { DealsStore } from '../../src/engine/deals.store.js';
import { restApi } from '../support/api.js';
import { gameWithDeal, lie } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { rounds } from '../support/scale.js';
import { sharedServer, type TestServer } from '../support/server.js';
import { send } from '../support/transport.js';

/** Conditional moves reveal nothing face-down, neither by being refused nor by being kept. */

let server: TestServer;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await sharedServer();
  [ann, ben] = (await Promise.all(['ann', 'ben'].map((name) => register(server.http, name)))) as [Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

describe('a plan reveals nothing face-down', () => {
  const api = () => restApi(server.http);
  const DEALS = rounds(24, 5);
  const unnumbered = (text: string) => text.replace(/"requestId":"[^"]+"/g, '"requestId":"ID"');
  const SQUARES = ['c1', 'd1', 'a2', 'b2', 'd8'];
  const LETTERS = ['K', 'k', 'P', 'p', 'n', 'R'];

  /** Trees about face-down pieces, in both ways. */
  const TREES: readonly unknown[] = [
    ...SQUARES.map((when) => [{ when, reply: 'b1b2' }]),
    ...SQUARES.flatMap((when) =>
      LETTERS.map((reveals) => [{ when, reveals, reply: when === 'c1' ? 'b1c1' : 'a8' }]),
    ),
    ...SQUARES.slice(1).map((reply) => [
      { when: 'c1', reply, then: [{ when: 'c1c2', reply: `${reply}a1` }] },
    ]),
    ...LETTERS.map((replyRevealed) => [
      { when: 'c1', reveals: 'P', reply: 'd1', then: [{ when: 'c1d1', replyRevealed, resign: true }] },
    ]),
    [{ when: 'a1a2', reply: 'b1b2' }],
    ...LETTERS.map((reveals) => [
      { when: 'a1a2', reveals, reply: 'b1b2', then: [{ when: 'c1', reply: 'b2b1' }] },
    ]),
    [{ when: 'a1a2', then: [{ when: 'pass', reply: 'b1b2' }] }],
  ];

  it.each(['banqi-hongkong', 'banqi-taiwan'])(
    '%s: gives the same answer to the same tree, whatever lies there',
    async (id) => {
      const answers = new Map<number, Set<string>>();
      const lying = new Set<string>();
      const store = server.app.get(DealsStore);
      const seed = store.seed.bind(store);
      let asked = 0;
      for (let i = 0; i < DEALS; i += 1) {
        const options = { darkCaptures: true, multipleCaptures: true };
        const { game, at } = await gameWithDeal(server, { ann, ben }, api(), id, lie('a1=P b1=p'), options);
        await playMoves(api(), game, ['a1', 'b1'], { first: ann, second: ben });
        lying.add(SQUARES.map(at).join(''));
        store.seed = (of) => {
          asked += 1;
          return seed(of);
        };
        for (const [n, tree] of TREES.entries()) {
          const { text, data, refusal } = await api().setConditionalMoves(ben, game.id, tree);
          // The game beside the plan differs each time.
          const told = refusal === undefined ? JSON.stringify(data) : unnumbered(text);
          answers.set(n, (answers.get(n) ?? new Set()).add(told));
        }
        store.seed = seed;
        await api().resign(ben, game.id);
      }
      expect(lying.size).toBeGreaterThan(DEALS / 2);
      for (const [n, texts] of answers) expect([n, [...texts]]).toEqual([n, [[...texts][0]]]);
      expect(asked).toBe(0);
      const accepted = [...answers.values()].filter((texts) => !/"code"/.test([...texts][0]!));
      expect(accepted.length).toBeGreaterThan(15);
      expect(answers.size - accepted.length).toBeGreaterThan(5);
    },
    300_000,
  );

  /** Plans that come with a turn-up. The last node is never legal, so the move is never played. */
  const WITH_A_MOVE: readonly (readonly [string, unknown])[] = ['c1', 'a2', 'd8'].flatMap((up) =>
    [
      ...LETTERS.map((reveals) => ({ when: 'd1', reveals, reply: 'a1a2' })),
      ...['b1c1', `b1${up}`, `${up}b1`, 'b2', up].map((when) => ({ when, reply: `${up}a1` })),
      { when: 'd1', reply: up },
    ].map((node) => [up, [node, { when: 'a1z9', reply: 'a1a2' }]] as const),
  );

  it.each(['banqi-hongkong', 'banqi-taiwan', 'half-chess'])(
    '%s: also with a move: it is refused, or not, before the piece is looked at',
    async (id) => {
      const answers = new Map<number, Set<string>>();
      const store = server.app.get(DealsStore);
      const seed = store.seed.bind(store);
      let asked = 0;
      for (let i = 0; i < rounds(8, 3); i += 1) {
        const game = await begin(api(), ann, ben, { ruleset: id });
        store.seed = (of) => {
          asked += 1;
          return seed(of);
        };
        for (const [n, [move, conditionalMoves]] of WITH_A_MOVE.entries()) {
          const { text, refusal } = await api().makeMove(ann, game.id, 1, move, { conditionalMoves });
          expect(refusal).toBeDefined();
          answers.set(n, (answers.get(n) ?? new Set()).add(unnumbered(text)));
        }
        const late = await api().makeMove(ann, game.id, 1, 'c1', { version: 99 });
        expect(late.refusal!.code).toBe('STALE_VERSION');
        store.seed = seed;
        expect((await api().game(null, game.id)).data).toMatchObject({ version: 1, plyCount: 0 });
      }
      for (const [n, texts] of answers) expect([n, [...texts]]).toEqual([n, [[...texts][0]]]);
      expect(asked).toBe(0);
    },
    300_000,
  );

  it('keeps a plan that comes with a turn-up, unverified, and plays its reply', async () => {
    const { game } = await gameWithDeal(server, { ann, ben }, api(), 'banqi-hongkong', lie('a1=P b1=p'));
    const conditionalMoves = [
      { when: 'b1', reveals: 'p', reply: 'c1' },
      { when: 'b1', reply: 'd1' },
    ];
    expect((await api().makeMove(ann, game.id, 1, 'a1', { conditionalMoves })).refusal).toBeUndefined();
    const marked = (await api().conditionalMoves(ann, game.id)).data;
    expect(marked).toEqual(conditionalMoves.map((node) => ({ ...node, unverified: true })));
    expect((await api().makeMove(ben, game.id, 2, 'b1')).data).toMatchObject({
      plyCount: 3,
      turn: 'second',
    });
  });

  it('leaves the tag of the game as it was for everybody else', async () => {
    const game = await begin(api(), ann, ben, { ruleset: 'chess' });
    const tags = (by: Person | null) => send(server.http, `/v1/games/${game.id}`, {}, by).then(({ headers }) => headers['etag']); // prettier-ignore
    const before = await Promise.all([ann, null, ben].map(tags));
    const kept = await api().setConditionalMoves(ben, game.id, [{ when: 'e2e4', reply: 'e7e5' }]);
    expect(kept.refusal).toBeUndefined();
    const after = await Promise.all([ann, null, ben].map(tags));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).not.toBe(before[2]);
  });
});
