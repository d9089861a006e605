import type { Plan, PlanNode } from '../../src/arbiter/plans.js';
import { after, answer, misplaced, standing } from '../support/plans.js';

describe('a piece that the opponent turns up', () => {
  // Red general on a1, black soldier beside it; the second player, black, makes plans.
  const game = after('banqi-hongkong', 'a1=K b1=p');

  test('named: the reply is tried with it', () => {
    const plan: Plan = [
      { when: 'c1', reveals: 'P', reply: 'b1c1' },
      { when: 'c1', reveals: 'p', reply: 'b1a1' },
    ];
    expect(answer(game, plan)).toStrictEqual(plan);
    const own: Plan = [plan[0]!, { when: 'c1', reveals: 'p', reply: 'b1c1' }];
    expect(answer(game, own)).toEqual(['ILLEGAL_MOVE', 'tree.1.reply']);
  });

  test('not named: it is tried as nothing, and marked', () => {
    const plan: Plan = [
      { when: 'c1', reply: 'b1c1', then: [{ when: 'a1a2', reply: 'd1' }] },
      { when: 'd1', reveals: 'P', reply: 'b1a1' },
      { when: 'd1', resign: true },
    ];
    expect(answer(game, plan)).toStrictEqual([
      {
        when: 'c1',
        reply: 'b1c1',
        unverified: true,
        then: [{ when: 'a1a2', reply: 'd1', unverified: true }],
      },
      plan[1],
      { when: 'd1', resign: true, unverified: true },
    ]);
  });

  test.each<[string, Plan, string[]]>([
    ['a piece that is on the board already', [{ when: 'c1', reveals: 'K', reply: 'b1a1' }], ['INVALID_REVEAL', 'tree.0.reveals']], // prettier-ignore
    ['a letter of no piece', [{ when: 'c1', reveals: 'Q', reply: 'b1a1' }], ['INVALID_REVEAL', 'tree.0.reveals']], // prettier-ignore
    ['the letter of a face-down piece', [{ when: 'c1', reveals: 'x', reply: 'b1a1' }], ['INVALID_REVEAL', 'tree.0.reveals']], // prettier-ignore
    ['a piece that the branch has turned up', [{ when: 'c1', reveals: 'k', reply: 'd1', then: [{ when: 'c2', reveals: 'k', resign: true }] }], ['INVALID_REVEAL', 'tree.0.then.0.reveals']], // prettier-ignore
    ['nothing to turn up', [{ when: 'a1', reply: 'd1' }], ['ILLEGAL_MOVE', 'tree.0.when']],
    ['no answer, whatever it is', [{ when: 'c1', then: [{ when: 'd1', reply: 'd2' }] }], misplaced('tree.0.reply')], // prettier-ignore
    ['behind an unknown piece, no move at all', [{ when: 'c1', reply: 'b1c1q' }], ['ILLEGAL_MOVE', 'tree.0.reply']], // prettier-ignore
    ['behind an unknown piece, off the board', [{ when: 'c1', reply: 'd1', then: [{ when: 'a1', reply: 'e1' }] }], ['ILLEGAL_MOVE', 'tree.0.then.0.reply']], // prettier-ignore
    ['behind an unknown piece, one that cannot be there', [{ when: 'c1', reply: 'd1', then: [{ when: 'd2', reveals: 'K', reply: 'd3' }] }], ['INVALID_REVEAL', 'tree.0.then.0.reveals']], // prettier-ignore
    ['behind an unknown piece, one that the reply cannot turn up', [{ when: 'c1', reply: 'd1', then: [{ when: 'd2', replyRevealed: 'K', reply: 'd3' }] }], ['INVALID_REVEAL', 'tree.0.then.0.replyRevealed']], // prettier-ignore
  ])('refused: %s', (_name, plan, expected) => {
    expect(answer(game, plan)).toEqual(expected);
  });

  test('the last kind that is left is certain', () => {
    const fen = 'xx2/4/4/4/4/4/4/Kp2 first r - 0 31';
    const last = (unseen: string) => standing('banqi-hongkong', fen, {}, unseen);
    const plan: Plan = [{ when: 'a8', reply: 'b1a1', then: [{ when: 'b8', reply: 'a1a2' }] }];
    expect(answer(last('PP'), plan)).toStrictEqual(plan);
    expect(answer(last('Pp'), plan)).toMatchObject([{ unverified: true }]);
    expect(answer(last('PP'), [{ when: 'a8', reply: 'a8a7' }])).toEqual(['ILLEGAL_MOVE', 'tree.0.reply']);
  });
});

describe('a piece that the reply turns up', () => {
  const game = after('banqi-hongkong', 'a1=K b1=p');
  const turningUp = (then: Plan): Plan => [{ when: 'c1', reveals: 'P', reply: 'd1', then }];

  test('children that name it are tried with it, the others marked', () => {
    const then: Plan = [
      { when: 'c1b1', replyRevealed: 'n', reply: 'd1c1' },
      { when: 'c1b1', replyRevealed: 'N', reply: 'd2', then: [{ when: 'd1d2', replyRevealed: 'r', resign: true }] }, // prettier-ignore
      { when: 'c1b1', reply: 'd1c1', then: [{ when: 'a1a2', offerDraw: true }] },
    ];
    const refused = ['ILLEGAL_MOVE', 'tree.0.then.1.then.0.when'];
    expect(answer(game, turningUp(then))).toEqual(refused);
    const [one, two, three] = then as [PlanNode, PlanNode, PlanNode];
    const legal = { ...two, then: [{ when: 'd1c1', replyRevealed: 'r', resign: true as const }] };
    expect(answer(game, turningUp([one, legal, three]))).toStrictEqual([
      {
        ...turningUp([])[0],
        then: [
          one,
          legal,
          { ...three, unverified: true, then: [{ when: 'a1a2', offerDraw: true, unverified: true }] },
        ],
      },
    ]);
  });

  test.each<[string, Plan, string[]]>([
    ['an illegal reply to the named piece', [{ when: 'c1b1', replyRevealed: 'N', reply: 'd1c1' }], ['ILLEGAL_MOVE', 'tree.0.then.0.reply']], // prettier-ignore
    ['an illegal move over the named piece', [{ when: 'c1b1', resign: true }, { when: 'd1c1', replyRevealed: 'n', resign: true }], ['ILLEGAL_MOVE', 'tree.0.then.1.when']], // prettier-ignore
    ['a piece that cannot be there', [{ when: 'c1b1', resign: true }, { when: 'c1b1', replyRevealed: 'K', resign: true }], ['INVALID_REVEAL', 'tree.0.then.1.replyRevealed']], // prettier-ignore
    ['no piece of the game', [{ when: 'c1b1', replyRevealed: 'z', resign: true }], ['INVALID_REVEAL', 'tree.0.then.0.replyRevealed']], // prettier-ignore
  ])('refused: %s', (_name, then, expected) => {
    expect(answer(game, turningUp(then))).toEqual(expected);
  });

  test('a reply that turns nothing up has nothing to name', () => {
    const plan: Plan = [
      { when: 'c1', reveals: 'P', reply: 'b1c1', then: [{ when: 'a1b1', replyRevealed: 'P', resign: true }] },
    ];
    expect(answer(game, plan)).toEqual(['INVALID_REVEAL', 'tree.0.then.0.replyRevealed']);
  });

  test('an illegal turn-up is refused in its own place, whatever follows', () => {
    const plan: Plan = [{ when: 'c1', reveals: 'P', reply: 'a1', then: [{ when: 'd1', replyRevealed: 'P', resign: true }] }]; // prettier-ignore
    expect(answer(game, plan)).toEqual(['ILLEGAL_MOVE', 'tree.0.reply']);
  });
});

describe.each(['banqi-hongkong', 'banqi-taiwan'])('%s with darkCaptures', (id) => {
  // Red chariot on a1, black soldier on b1, a2 and b2 face-down.
  const game = after(id, 'a1=R b1=p', { darkCaptures: true });

  test('an attempt of the opponent', () => {
    const plan: Plan = [
      { when: 'a1a2', reveals: 'n', reply: 'b1b2' },
      { when: 'a1a2', reveals: 'P', reply: 'c1' },
      { when: 'a1a2', reveals: 'k', reply: 'a2a1' },
    ];
    expect(answer(game, plan)).toStrictEqual(plan);
    const capturedOwn: Plan = [plan[1]!, { when: 'a1a2', reveals: 'n', reply: 'a2a1' }];
    expect(answer(game, capturedOwn)).toEqual(['ILLEGAL_MOVE', 'tree.1.reply']);
    expect(answer(game, [{ when: 'a1a2', reply: 'a2a1' }])).toEqual([
      { when: 'a1a2', reply: 'a2a1', unverified: true },
    ]);
  });

  test('an attempt as the reply', () => {
    const then: Plan = [
      { when: 'a1a2', replyRevealed: 'P', reveals: 'n', reply: 'b2b1' },
      { when: 'b2a2', replyRevealed: 'C', reveals: 'p', resign: true },
      { when: 'a1a2', replyRevealed: 'N', reveals: 'n', reply: 'b2b1' },
    ];
    const tried = (nodes: Plan): unknown =>
      answer(game, [{ when: 'd1', reveals: 'A', reply: 'b1b2', then: nodes }]);
    // A soldier takes a soldier and then stands on b2; it takes no horse, which is then red's on b2.
    expect(tried([then[0]!])).toMatchObject([{ then: [then[0]] }]);
    expect(tried([then[0]!, then[2]!])).toEqual(['ILLEGAL_MOVE', 'tree.0.then.1.reply']);
    expect(tried([{ when: 'b2b1', replyRevealed: 'P', resign: true }])).toEqual([
      'ILLEGAL_MOVE',
      'tree.0.then.0.when',
    ]);
    expect(tried([{ when: 'a1a2', reveals: 'n', reply: 'b2b1' }])).toMatchObject([
      { reply: 'b1b2', then: [{ reply: 'b2b1', unverified: true }] },
    ]);
  });

  test('without the option there is no attempt', () => {
    const plain = after(id, 'a1=R b1=p');
    expect(answer(plain, [{ when: 'a1a2', resign: true }])).toEqual(['ILLEGAL_MOVE', 'tree.0.when']);
  });
});

describe.each(['banqi-hongkong', 'banqi-taiwan'])('%s with multipleCaptures', (id) => {
  // Red's chariot takes the soldier and may take the horse behind it; black's general waits.
  const game = standing(id, '4/4/4/4/4/4/P3/Rpnk first r - 0 40', { multipleCaptures: true });

  test('a node waits while the opponent goes on', () => {
    const plan: Plan = [
      {
        when: 'a1b1',
        then: [
          { when: 'b1c1', reply: 'd1c1', then: [{ when: 'a2a1', reply: 'c1b1' }] },
          { when: 'pass', reply: 'd1d2' },
        ],
      },
      { when: 'a2a3', reply: 'd1d2' },
    ];
    expect(answer(game, plan)).toStrictEqual(plan);
  });

  test('resigning and offering a draw need no turn', () => {
    const plan: Plan = [{ when: 'a1b1', resign: true }];
    expect(answer(game, plan)).toStrictEqual(plan);
    expect(answer(game, [{ when: 'a1b1', offerDraw: true }])).toMatchObject([{ offerDraw: true }]);
  });

  test.each<[string, Plan, string[]]>([
    ['a reply while the opponent goes on', [{ when: 'a1b1', reply: 'd1d2' }], misplaced('tree.0.reply')],
    ['no answer where the turn is over', [{ when: 'a2a3', then: [{ when: 'pass', reply: 'd1d2' }] }], misplaced('tree.0.reply')], // prettier-ignore
    ['another piece that goes on', [{ when: 'a1b1', then: [{ when: 'a2a3', reply: 'd1d2' }] }], ['ILLEGAL_MOVE', 'tree.0.then.0.when']], // prettier-ignore
  ])('refused: %s', (_name, plan, expected) => {
    expect(answer(game, plan)).toEqual(expected);
  });

  test('the tree stops at a reply that does not end the turn', () => {
    const own = standing(id, '4/4/4/4/4/4/3k/Rpn1 second r - 0 40', { multipleCaptures: true });
    const plan: Plan = [{ when: 'd2d3', reply: 'a1b1' }];
    expect(answer(own, plan)).toStrictEqual(plan);
    const longer: Plan = [{ ...plan[0]!, then: [{ when: 'd3d2', reply: 'b1c1' }] }];
    expect(answer(own, longer)).toEqual(misplaced('tree.0.then.0'));
  });

  test('after an attempt on an unknown piece the turn is unknown too', () => {
    const options = { multipleCaptures: true, darkCaptures: true };
    const dark = standing(id, '4/4/4/4/4/4/P3/Rxnk first r - 0 40', options, 'p');
    const darker = standing(id, 'x3/4/4/4/4/4/P3/Rxnk first r - 0 40', options, 'pP');
    const waits: Plan = [{ when: 'a1b1', then: [{ when: 'pass', reply: 'd1d2' }] }];
    const replies: Plan = [{ when: 'a1b1', reply: 'd1d2' }];
    expect(answer(dark, waits)).toStrictEqual(waits);
    expect(answer(dark, replies)).toEqual(misplaced('tree.0.reply'));
    expect(answer(darker, waits)).toMatchObject([{ unverified: true, then: [{ unverified: true }] }]);
    expect(answer(darker, replies)).toMatchObject([{ unverified: true }]);
    const named = (reveals: string) => [{ ...replies[0]!, reveals }];
    expect(answer(darker, named('P'))).toStrictEqual(named('P'));
    expect(answer(darker, named('p'))).toEqual(misplaced('tree.0.reply'));
  });

  test('whatever it is: where every piece leaves the opponent to move, there is no reply', () => {
    const options = { multipleCaptures: true, darkCaptures: true };
    const sure = standing(id, 'x3/4/4/4/4/4/P3/Rxnk first r - 0 40', options, 'pn');
    expect(answer(sure, [{ when: 'a1b1', reply: 'd1d2' }])).toEqual(misplaced('tree.0.reply'));
    expect(answer(sure, [{ when: 'a1b1', then: [{ when: 'pass', reply: 'd1d2' }] }])).toMatchObject([
      { unverified: true },
    ]);
  });
});

describe('the last capture', () => {
  test('by the opponent leaves nothing to answer', () => {
    const game = standing('banqi-hongkong', '4/4/4/4/4/4/4/Rp2 first r - 0 31');
    expect(answer(game, [{ when: 'a1b1', resign: true }])).toEqual(misplaced('tree.0'));
  });

  test('by the reply ends the tree', () => {
    const game = standing('banqi-hongkong', '4/4/4/4/4/4/4/P1r1 first r - 0 31');
    const plan: Plan = [{ when: 'a1b1', reply: 'c1b1' }];
    expect(answer(game, plan)).toStrictEqual(plan);
    const longer: Plan = [{ ...plan[0]!, then: [{ when: 'b1a1', resign: true }] }];
    expect(answer(game, longer)).toEqual(misplaced('tree.0.then.0'));
  });

  test('by the reply ends the tree where it is sure to be the last', () => {
    // Of the two face-down pieces one is red's last; what the opponent turns up tells which.
    const game = standing(
      'banqi-hongkong',
      'x3/4/4/4/4/4/4/1xr1 first r - 0 31',
      { darkCaptures: true },
      'Pp',
    );
    const turningUp = (reveals: object): Plan => [
      { when: 'a8', ...reveals, reply: 'c1b1', then: [{ when: 'a8a7', resign: true }] },
    ];
    expect(answer(game, turningUp({ reveals: 'p' }))).toEqual(misplaced('tree.0.then.0'));
    expect(answer(game, turningUp({ reveals: 'P' }))).toStrictEqual(turningUp({ reveals: 'P' }));
    expect(answer(game, turningUp({}))).toMatchObject([{ unverified: true, then: [{ unverified: true }] }]);
  });
});

describe('half-chess', () => {
  // White queen on a1, black pawn on b1.
  const game = after('half-chess', 'a1=Q b1=p');

  test('turn-ups of both players along one branch', () => {
    const plan: Plan = [
      {
        when: 'c1',
        reveals: 'N',
        reply: 'a2',
        then: [
          { when: 'a1b1', replyRevealed: 'k', reply: 'a2a1' },
          { when: 'd1', reveals: 'k', replyRevealed: 'r', reply: 'd2' },
          { when: 'd1', reveals: 'q', replyRevealed: 'k', reply: 'a2a1' },
        ],
      },
    ];
    expect(answer(game, plan)).toStrictEqual(plan);
    expect(answer(game, [{ ...plan[0]!, reveals: 'Q' }])).toEqual(['INVALID_REVEAL', 'tree.0.reveals']);
  });

  test('there is no attempt on a face-down piece', () => {
    expect(answer(game, [{ when: 'a1a2', resign: true }])).toEqual(['ILLEGAL_MOVE', 'tree.0.when']);
    expect(answer(game, [{ when: 'c1', reveals: 'N', reply: 'b1b2' }])).toEqual([
      'ILLEGAL_MOVE',
      'tree.0.reply',
    ]);
  });
});
