import type { Plan, PlanNode } from '../../src/arbiter/conditional-moves.js';
import { after, answer, misplaced, standing } from '../support/conditional-moves.js';

describe('a piece that the opponent turns up', () => {
  // Red general on a1, black soldier next to it; the second player, black, makes plans.
  const game = after('banqi-hongkong', 'a1=K b1=p');

  test('is used to try the reply if it is named', () => {
    const plan: Plan = [
      { when: 'c1', reveals: 'P', reply: 'b1c1' },
      { when: 'c1', reveals: 'p', reply: 'b1a1' },
    ];
    expect(answer(game, plan)).toStrictEqual(plan);
    const own: Plan = [plan[0]!, { when: 'c1', reveals: 'p', reply: 'b1c1' }];
    expect(answer(game, own)).toEqual(['ILLEGAL_MOVE', 'tree.1.reply']);
  });

  test('is unknown to the reply if it is not named, which marks the node', () => {
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
    ['a piece that is already on the board', [{ when: 'c1', reveals: 'K', reply: 'b1a1' }], ['INVALID_REVEAL', 'tree.0.reveals']], // prettier-ignore
    ['an unknown letter', [{ when: 'c1', reveals: 'Q', reply: 'b1a1' }], ['INVALID_REVEAL', 'tree.0.reveals']], // prettier-ignore
    ['the letter of a face-down piece', [{ when: 'c1', reveals: 'x', reply: 'b1a1' }], ['INVALID_REVEAL', 'tree.0.reveals']], // prettier-ignore
    ['a piece already turned up on this branch', [{ when: 'c1', reveals: 'k', reply: 'd1', then: [{ when: 'c2', reveals: 'k', resign: true }] }], ['INVALID_REVEAL', 'tree.0.then.0.reveals']], // prettier-ignore
    ['a turn-up without a face-down piece', [{ when: 'a1', reply: 'd1' }], ['ILLEGAL_MOVE', 'tree.0.when']],
    ['a missing answer, whatever the piece', [{ when: 'c1', then: [{ when: 'd1', reply: 'd2' }] }], misplaced('tree.0.reply')], // prettier-ignore
    ['after an unknown piece, an impossible move', [{ when: 'c1', reply: 'b1c1q' }], ['ILLEGAL_MOVE', 'tree.0.reply']], // prettier-ignore
    ['after an unknown piece, a move off the board', [{ when: 'c1', reply: 'd1', then: [{ when: 'a1', reply: 'e1' }] }], ['ILLEGAL_MOVE', 'tree.0.then.0.reply']], // prettier-ignore
    ['after an unknown piece, an impossible piece', [{ when: 'c1', reply: 'd1', then: [{ when: 'd2', reveals: 'K', reply: 'd3' }] }], ['INVALID_REVEAL', 'tree.0.then.0.reveals']], // prettier-ignore
    ['after an unknown piece, one that the reply cannot turn up', [{ when: 'c1', reply: 'd1', then: [{ when: 'd2', replyRevealed: 'K', reply: 'd3' }] }], ['INVALID_REVEAL', 'tree.0.then.0.replyRevealed']], // prettier-ignore
  ])('refuses %s', (_name, plan, expected) => {
    expect(answer(game, plan)).toEqual(expected);
  });

  test('is certain if only one kind is left', () => {
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

  test('is used to try the children that name it; the others are marked', () => {
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
    ['an impossible piece', [{ when: 'c1b1', resign: true }, { when: 'c1b1', replyRevealed: 'K', resign: true }], ['INVALID_REVEAL', 'tree.0.then.1.replyRevealed']], // prettier-ignore
    ['an unknown piece', [{ when: 'c1b1', replyRevealed: 'z', resign: true }], ['INVALID_REVEAL', 'tree.0.then.0.replyRevealed']], // prettier-ignore
  ])('refuses %s', (_name, then, expected) => {
    expect(answer(game, turningUp(then))).toEqual(expected);
  });

  test('cannot be named if the reply turns nothing up', () => {
    const plan: Plan = [
      { when: 'c1', reveals: 'P', reply: 'b1c1', then: [{ when: 'a1b1', replyRevealed: 'P', resign: true }] },
    ];
    expect(answer(game, plan)).toEqual(['INVALID_REVEAL', 'tree.0.then.0.replyRevealed']);
  });

  test('is refused with its own path if the turn-up is illegal, whatever follows', () => {
    const plan: Plan = [{ when: 'c1', reveals: 'P', reply: 'a1', then: [{ when: 'd1', replyRevealed: 'P', resign: true }] }]; // prettier-ignore
    expect(answer(game, plan)).toEqual(['ILLEGAL_MOVE', 'tree.0.reply']);
  });
});

describe.each(['banqi-hongkong', 'banqi-taiwan'])('%s with darkCaptures', (id) => {
  // Red chariot on a1, black soldier on b1, a2 and b2 face-down.
  const game = after(id, 'a1=R b1=p', { darkCaptures: true });

  test('allows an attempt of the opponent', () => {
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

  test('allows an attempt as the reply', () => {
    const then: Plan = [
      { when: 'a1a2', replyRevealed: 'P', reveals: 'n', reply: 'b2b1' },
      { when: 'b2a2', replyRevealed: 'C', reveals: 'p', resign: true },
      { when: 'a1a2', replyRevealed: 'N', reveals: 'n', reply: 'b2b1' },
    ];
    const tried = (nodes: Plan): unknown =>
      answer(game, [{ when: 'd1', reveals: 'A', reply: 'b1b2', then: nodes }]);
    // A soldier captures a soldier and then stands on b2; it cannot capture a horse, which then is red's on b2.
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

  test('refuses attempts without the option', () => {
    const plain = after(id, 'a1=R b1=p');
    expect(answer(plain, [{ when: 'a1a2', resign: true }])).toEqual(['ILLEGAL_MOVE', 'tree.0.when']);
  });
});

describe.each(['banqi-hongkong', 'banqi-taiwan'])('%s with multipleCaptures', (id) => {
  // Red's chariot captures the soldier and may capture the horse behind it; black's general waits.
  const game = standing(id, '4/4/4/4/4/4/P3/Rpnk first r - 0 40', { multipleCaptures: true });

  test('keeps a node waiting while the opponent continues', () => {
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

  test('allows a resignation and a draw offer at any time', () => {
    const plan: Plan = [{ when: 'a1b1', resign: true }];
    expect(answer(game, plan)).toStrictEqual(plan);
    expect(answer(game, [{ when: 'a1b1', offerDraw: true }])).toMatchObject([{ offerDraw: true }]);
  });

  test.each<[string, Plan, string[]]>([
    ['a reply while the opponent continues', [{ when: 'a1b1', reply: 'd1d2' }], misplaced('tree.0.reply')],
    ['a missing answer when the turn is over', [{ when: 'a2a3', then: [{ when: 'pass', reply: 'd1d2' }] }], misplaced('tree.0.reply')], // prettier-ignore
    ['another piece that continues', [{ when: 'a1b1', then: [{ when: 'a2a3', reply: 'd1d2' }] }], ['ILLEGAL_MOVE', 'tree.0.then.0.when']], // prettier-ignore
  ])('refuses %s', (_name, plan, expected) => {
    expect(answer(game, plan)).toEqual(expected);
  });

  test('ends the tree at a reply that does not end the turn', () => {
    const own = standing(id, '4/4/4/4/4/4/3k/Rpn1 second r - 0 40', { multipleCaptures: true });
    const plan: Plan = [{ when: 'd2d3', reply: 'a1b1' }];
    expect(answer(own, plan)).toStrictEqual(plan);
    const longer: Plan = [{ ...plan[0]!, then: [{ when: 'd3d2', reply: 'b1c1' }] }];
    expect(answer(own, longer)).toEqual(misplaced('tree.0.then.0'));
  });

  test('does not know the turn after an attempt on an unknown piece', () => {
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

  test('refuses a reply if the opponent stays to move with every possible piece', () => {
    const options = { multipleCaptures: true, darkCaptures: true };
    const sure = standing(id, 'x3/4/4/4/4/4/P3/Rxnk first r - 0 40', options, 'pn');
    expect(answer(sure, [{ when: 'a1b1', reply: 'd1d2' }])).toEqual(misplaced('tree.0.reply'));
    expect(answer(sure, [{ when: 'a1b1', then: [{ when: 'pass', reply: 'd1d2' }] }])).toMatchObject([
      { unverified: true },
    ]);
  });
});

describe('the last capture', () => {
  test('by the opponent leaves no reply', () => {
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

  test('by the reply ends the tree where it is certainly the last', () => {
    // One of the two face-down pieces is red's last; the opponent's turn-up tells which.
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

  test('accepts turn-ups of both players along one branch', () => {
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

  test('refuses an attempt on a face-down piece', () => {
    expect(answer(game, [{ when: 'a1a2', resign: true }])).toEqual(['ILLEGAL_MOVE', 'tree.0.when']);
    expect(answer(game, [{ when: 'c1', reveals: 'N', reply: 'b1b2' }])).toEqual([
      'ILLEGAL_MOVE',
      'tree.0.reply',
    ]);
  });
});
