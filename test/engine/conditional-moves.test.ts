import { MAX_NODES, type Plan, type PlanNode } from '../../src/arbiter/conditional-moves.js';
import { verifyPlan } from '../../src/engine/conditional-moves.js';
import { chess } from '../../src/rules/chess/chess.js';
import { after, answer, misplaced, standing, verify, type AnyGame } from '../support/conditional-moves.js';
import { must, randomGame } from '../support/random-games.js';

describe('chess', () => {
  const start = after('chess', '');
  const afterE4 = after('chess', 'e2e4');

  test('accepts several branches, each with children, unchanged', () => {
    const plan: Plan = [
      { when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'f1b5' }, { when: 'f7f6', resign: true }] }, // prettier-ignore
      { when: 'c7c5', reply: 'g1f3', offerDraw: true, then: [{ when: 'd7d6', offerDraw: true }] },
      { when: 'e7e6', offerDraw: true },
      { when: 'g8f6', resign: true },
    ];
    expect(answer(afterE4, plan)).toStrictEqual(plan);
  });

  test('checks only the form of an answer to any move', () => {
    const any: Plan = [
      { when: 'e7e5', reply: 'g1f3' },
      {
        any: true,
        reply: 'd2d4',
        then: [
          { when: 'd7d5', reply: 'c2c4' },
          { any: true, offerDraw: true },
        ],
      },
    ];
    const [named, all] = must(verify(afterE4, any));
    expect(named).toStrictEqual(any[0]);
    const marked = any[1]!.then!.map((node) => ({ ...node, unverified: true }));
    expect(all).toStrictEqual({ ...any[1], then: marked, unverified: true });
    expect(answer(afterE4, [{ any: true, reply: 'z9z9' }])).toEqual(['ILLEGAL_MOVE', 'tree.0.reply']);
    expect(answer(afterE4, [{ any: true, then: [{ any: true, resign: true }] }])).toEqual(
      misplaced('tree.0.reply'),
    );
    const mate: Plan = [{ when: 'g2g4', reply: 'd8h4', then: [{ any: true, resign: true }] }];
    expect(answer(after('chess', 'f2f3 e7e5'), mate)).toEqual(misplaced('tree.0.then.0'));
  });

  test.each(['banqi-taiwan', 'banqi-hongkong', 'half-chess'])('%s: refuses an answer to any move', (id) => {
    for (const plan of [[{ any: true, resign: true }], [{ any: true, reply: 'a1' }]] satisfies Plan[])
      expect(answer(after(id, ''), plan)).toEqual(misplaced('tree.0.any'));
  });

  test('accepts moves as people write them, and returns them as they are stored', () => {
    const given: Plan = [{ when: 'e5', reply: 'Nf3', then: [{ when: 'Nc6', reply: '0-0' }] }];
    expect(answer(after('chess', 'e2e4'), given)).toEqual(['ILLEGAL_MOVE', 'tree.0.then.0.reply']);
    const [node] = must(verify(afterE4, [{ ...given[0]!, then: [{ when: 'Nc6', reply: 'Bb5' }] }]));
    expect(node).toStrictEqual({
      when: 'e7e5',
      reply: 'g1f3',
      then: [{ when: 'b8c6', reply: 'f1b5' }],
    });
    const xiangqi: Plan = [{ when: 'h8+7', reply: 'H2+3' }];
    const stored: Plan = [{ when: 'h10g8', reply: 'h1g3' }];
    expect(answer(after('xiangqi', 'h3e3'), xiangqi)).toStrictEqual(stored);
  });

  test('refuses an ambiguous move with both candidates, and two nodes for one move', () => {
    const two = standing('chess', '4k3/8/8/8/8/5N2/8/1N2K3 b - - 0 1');
    const refused = verify(two, [{ when: 'Kd8', reply: 'Nd2' }]);
    expect(refused).toMatchObject({
      refusal: { code: 'AMBIGUOUS_MOVE', field: 'tree.0.reply', candidates: ['b1d2', 'f3d2'] },
    });
    const twins: Plan = [
      { when: 'e7e5', reply: 'g1f3' },
      { when: 'e5', reply: 'f1c4' },
    ];
    expect(answer(afterE4, twins)).toEqual(misplaced('tree.1'));
    const below: Plan = [{ when: 'e5', reply: 'Nf3', then: [{ when: 'Nc6', resign: true }, { when: 'b8c6', reply: 'Bb5' }] }]; // prettier-ignore
    expect(answer(afterE4, below)).toEqual(misplaced('tree.0.then.1'));
  });

  test('reads only coordinates where the position is unknown', () => {
    const behind = (when: string): Plan => [{ any: true, reply: 'd2d4', then: [{ when, resign: true }] }];
    expect(answer(afterE4, behind('Nf6'))).toEqual(['ILLEGAL_MOVE', 'tree.0.then.0.when']);
    expect(verify(afterE4, behind('g8f6')).ok).toBe(true);
  });

  test('removes outdated marks', () => {
    const plan: Plan = [
      { when: 'e7e5', reply: 'g1f3', unverified: true, then: [{ when: 'b8c6', resign: true, unverified: true }] }, // prettier-ignore
    ];
    const [node] = must(verify(afterE4, plan));
    expect(node).toStrictEqual({
      when: 'e7e5',
      reply: 'g1f3',
      then: [{ when: 'b8c6', resign: true }],
    });
  });

  const castling = 'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1';
  const promotion = '7k/P7/8/8/8/8/7p/K7 b - - 0 1';

  test.each<[string, AnyGame, Plan]>([
    ['castling', standing('chess', castling), [{ when: 'e8g8', reply: 'e1c1' }]],
    ['promotion', standing('chess', promotion), [{ when: 'h2h1n', reply: 'a7a8r' }]],
    ['en passant', after('chess', 'e2e4 a7a6 e4e5'), [{ when: 'd7d5', reply: 'e5d6' }]],
    ['mate by the reply', after('chess', 'f2f3 e7e5'), [{ when: 'g2g4', reply: 'd8h4' }]],
  ])('%s', (_name, game, plan) => {
    expect(answer(game, plan)).toStrictEqual(plan);
  });

  test.each<[string, AnyGame, Plan, string[]]>([
    ['an illegal reply', afterE4, [{ when: 'e7e5', reply: 'g1g3' }], ['ILLEGAL_MOVE', 'tree.0.reply']],
    ['an illegal when', afterE4, [{ when: 'e7e5', resign: true }, { when: 'e7e4', resign: true }], ['ILLEGAL_MOVE', 'tree.1.when']], // prettier-ignore
    ['an own move as when', afterE4, [{ when: 'd2d4', resign: true }], ['ILLEGAL_MOVE', 'tree.0.when']],
    ['castling king to rook', standing('chess', castling), [{ when: 'e8h8', resign: true }], ['ILLEGAL_MOVE', 'tree.0.when']], // prettier-ignore
    ['castling through check', standing('chess', castling), [{ when: 'a8d8', reply: 'e1c1' }], ['ILLEGAL_MOVE', 'tree.0.reply']], // prettier-ignore
    ['a promotion without a piece', standing('chess', promotion), [{ when: 'h2h1q', reply: 'a7a8' }], ['ILLEGAL_MOVE', 'tree.0.reply']], // prettier-ignore
    ['an illegal move deep in the tree', afterE4, [{ when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'f1b5' }, { when: 'a7a6', reply: 'f1b5', then: [{ when: 'a6b5', reply: 'f3e5' }, { when: 'h7h6', reply: 'b5b6' }] }] }], ['ILLEGAL_MOVE', 'tree.0.then.1.then.1.reply']], // prettier-ignore
    ['a node after mate by the opponent', after('chess', 'f2f3 e7e5 g2g4'), [{ when: 'd8h4', reply: 'a2a3' }], misplaced('tree.0')], // prettier-ignore
    ['a resignation after mate', after('chess', 'f2f3 e7e5 g2g4'), [{ when: 'a7a6', resign: true }, { when: 'd8h4', resign: true }], misplaced('tree.1')], // prettier-ignore
    ['a node after mate by the reply', after('chess', 'f2f3 e7e5'), [{ when: 'g2g4', reply: 'd8h4', then: [{ when: 'a2a3', resign: true }] }], misplaced('tree.0.then.0')], // prettier-ignore
    ['a missing answer on the own turn', afterE4, [{ when: 'e7e5', then: [{ when: 'd7d5', reply: 'e4d5' }] }], misplaced('tree.0.reply')], // prettier-ignore
    ['a piece turned up', afterE4, [{ when: 'e7e5', reveals: 'P', reply: 'g1f3' }], ['INVALID_REVEAL', 'tree.0.reveals']], // prettier-ignore
    ['a piece turned up by the reply', afterE4, [{ when: 'e7e5', reply: 'g1f3', then: [{ when: 'b8c6', reply: 'f1b5' }, { when: 'a7a6', replyRevealed: 'N', reply: 'f1b5' }] }], ['INVALID_REVEAL', 'tree.0.then.1.replyRevealed']], // prettier-ignore
  ])('refuses %s', (_name, game, plan, expected) => {
    expect(answer(game, plan)).toEqual(expected);
  });

  test('refuses plans in an ended game', () => {
    const mated = after('chess', 'f2f3 e7e5 g2g4 d8h4');
    expect(answer(mated, [{ when: 'a2a3', resign: true }])).toEqual(['GAME_OVER', 'tree.0.when']);
  });

  test('refuses a plan of the side to move', () => {
    expect(verifyPlan(start, 'first', [{ when: 'e2e4', reply: 'e7e5' }])).toMatchObject({ ok: false });
  });

  test('words errors in a when from the opponent’s point of view', () => {
    const verified = verify(afterE4, [{ when: 'e4e5', resign: true }]);
    expect(verified).toMatchObject({
      refusal: { fault: 'notYours', message: expect.stringContaining('Your opponent cannot play e4e5') },
    });
  });

  /** The plan along a game: its moves in turn, as deep as they go. */
  function deep(plies: readonly { readonly move: string }[]): Plan {
    let plan: PlanNode[] = [];
    for (let at = plies.length - 2; at >= 0; at -= 2) {
      const then = plan.length === 0 ? {} : { then: plan };
      plan = [{ when: plies[at]!.move, reply: plies[at + 1]!.move, ...then }];
    }
    return plan;
  }

  test('tries a line of 100 nodes to its end', () => {
    const seeds = Array.from({ length: 50 }, (_, seed) => seed);
    const game = seeds.map((seed) => randomGame(chess, {}, seed)).find(({ plies }) => plies.length > 201)!; // prettier-ignore
    const plies = game.plies.slice(0, 2 * MAX_NODES);
    const plan = deep(plies);
    expect(answer(start, plan)).toStrictEqual(plan);
    const wrong = deep([...plies.slice(0, -1), { move: 'a1a1' }]);
    expect(answer(start, wrong)).toEqual(['ILLEGAL_MOVE', `tree${'.0.then'.repeat(MAX_NODES - 1)}.0.reply`]);
  });

  test('detects a repetition that ends the game, including the plies before the plan', () => {
    const shuffle = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
    const game = after('chess', [...shuffle, ...shuffle, ...shuffle].join(' '));
    const more = deep([...shuffle, ...shuffle].map((move) => ({ move })));
    expect(answer(game, more)).toEqual(misplaced('tree.0.then.0.then.0'));
  });
});
