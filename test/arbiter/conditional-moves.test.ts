import fc from 'fast-check';
import { afterReply, follow, MAX_NODES, parsePlan, type Plan, type PlanNode } from '../../src/arbiter/conditional-moves.js'; // prettier-ignore
import { must } from '../support/random-games.js';

const refusalOf = (given: unknown) => {
  const read = parsePlan(given);
  return read.ok ? 'accepted' : { code: read.refusal.code, field: read.refusal.field };
};

const at = (field: string) => ({ code: 'INVALID_CONDITIONAL_MOVES', field });

const sent = (plan: unknown): unknown => JSON.parse(JSON.stringify(plan));

const leaf: PlanNode = { when: 'e7e5', reply: 'g1f3' };

/** Nodes one below the other, each with a reply. */
function line(length: number): Plan {
  let plan: Plan = [];
  for (let n = 0; n < length; n++) plan = [n === 0 ? leaf : { ...leaf, then: plan }];
  return plan;
}

const wide = (length: number): Plan =>
  Array.from({ length }, (_, n) => ({ when: `m${n}`, reply: 'e2e4' }) satisfies PlanNode);

describe('reading a plan', () => {
  test.each<[string, Plan]>([
    ['a reply', [leaf]],
    ['a resignation', [{ when: 'e7e5', resign: true }]],
    ['a draw offer alone', [{ when: 'e7e5', offerDraw: true }]],
    ['a draw offer with a reply', [{ ...leaf, offerDraw: true, then: [leaf] }]],
    ['what a move turns up', [{ when: 'c5', reveals: 'P', reply: 'b5c5' }]],
    ['what a reply turned up', [{ ...leaf, then: [{ ...leaf, replyRevealed: 'n' }, leaf] }]],
    ['a move after which the opponent’s turn continues', [{ when: 'a1b1', then: [leaf] }]],
    ['nodes that differ in what is turned up', [leaf, { ...leaf, reveals: 'P' }, { ...leaf, reveals: 'p' }]],
    ['the longest line', line(MAX_NODES)],
    ['the widest tree', wide(MAX_NODES)],
  ])('%s', (_name, plan) => {
    expect(must(parsePlan(sent(plan)))).toEqual(plan);
  });

  test('leaves out marks, nulls, false flags and empty lists', () => {
    const empty = { reveals: null, replyRevealed: null, offerDraw: null, resign: false, then: null };
    const given = [{ ...leaf, ...empty, unverified: true, then: [{ ...leaf, offerDraw: false, then: [] }] }];
    expect(must(parsePlan(given))).toStrictEqual([{ ...leaf, then: [leaf] }]);
  });

  test.each<[string, unknown, string]>([
    ['not an array', { when: 'e7e5' }, 'tree'],
    ['nothing', undefined, 'tree'],
    ['null', null, 'tree'],
    ['a string', 'e7e5', 'tree'],
    ['a number as a node', [], 'tree'],
    ['a string as a node', [leaf, 'e7e5'], 'tree.1'],
    ['null as a node', [null], 'tree.0'],
    ['an array as a node', [[leaf]], 'tree.0'],
    ['an unknown key', [{ ...leaf, answer: 'g1f3' }], 'tree.0'],
    ['an inherited key', [JSON.parse('{"when":"e7e5","reply":"g1f3","__proto__":1}')], 'tree.0'],
    ['a missing when', [{ reply: 'g1f3' }], 'tree.0.when'],
    ['null as when', [{ when: null, reply: 'g1f3' }], 'tree.0.when'],
    ['an empty when', [{ ...leaf, when: '' }], 'tree.0.when'],
    ['a when of 21 characters', [{ ...leaf, when: 'a'.repeat(21) }], 'tree.0.when'],
    ['a when with a line break', [{ ...leaf, when: 'e7e5\n' }], 'tree.0.when'],
    ['a number as a reply', [{ ...leaf, reply: 5 }], 'tree.0.reply'],
    ['a reply with a tab', [leaf, { when: 'a7a5', reply: 'g1\tf3' }], 'tree.1.reply'],
    ['two letters', [{ ...leaf, reveals: 'PP' }], 'tree.0.reveals'],
    ['a digit as a letter', [{ ...leaf, reveals: '1' }], 'tree.0.reveals'],
    ['an accented letter', [{ ...leaf, then: [{ ...leaf, replyRevealed: 'É' }] }], 'tree.0.then.0.replyRevealed'], // prettier-ignore
    ['a string as a flag', [{ when: 'e7e5', resign: 'true' }], 'tree.0.resign'],
    ['a number as a flag', [{ when: 'e7e5', offerDraw: 1 }], 'tree.0.offerDraw'],
    ['a string as a mark', [{ ...leaf, unverified: 'yes' }], 'tree.0.unverified'],
    ['an object as then', [{ ...leaf, then: { 0: leaf } }], 'tree.0.then'],
    ['no answer', [{ when: 'e7e5' }], 'tree.0.reply'],
    ['neither an answer nor children', [{ when: 'e7e5', then: [] }], 'tree.0.reply'],
    ['a reply and a resignation', [{ ...leaf, resign: true }], 'tree.0.resign'],
    ['a draw offer and a resignation', [{ when: 'e7e5', offerDraw: true, resign: true }], 'tree.0.resign'],
    ['children after a resignation', [{ when: 'e7e5', resign: true, then: [leaf] }], 'tree.0.resign'],
    ['children after a draw offer alone', [{ when: 'e7e5', offerDraw: true, then: [leaf] }], 'tree.0.then'],
    ['replyRevealed at the root', [{ ...leaf, replyRevealed: 'P' }], 'tree.0.replyRevealed'],
    ['replyRevealed after a node without a reply', [{ when: 'a1', then: [{ ...leaf, replyRevealed: 'P' }] }], 'tree.0.then.0.replyRevealed'], // prettier-ignore
    ['the same node twice', [leaf, { when: 'd7d5', resign: true }, { ...leaf, reply: 'd2d4' }], 'tree.2'],
    ['the same piece twice', [{ ...leaf, reveals: 'P' }, leaf, { ...leaf, reveals: 'P' }], 'tree.2'],
    ['reports the first of several faults', [{ ...leaf, then: [leaf, { ...leaf, when: 'a', then: [{ when: 'x' }] }] }, { ...leaf, when: 'b', then: [{ when: 'y' }] }], 'tree.0.then.1.then.0.reply'], // prettier-ignore
    ['101 nodes in a line', line(MAX_NODES + 1), 'tree'],
    ['101 nodes side by side', wide(MAX_NODES + 1), 'tree'],
    [
      '101 nodes in two lists',
      [
        { ...leaf, then: wide(60) },
        { ...leaf, when: 'a', then: wide(39) },
      ],
      'tree',
    ],
  ])('refuses %s', (_name, given, field) => {
    expect(refusalOf(given)).toEqual(at(field));
  });

  test('reports the whole path of a deep fault', () => {
    let given: unknown[] = [{ when: 'e7e5', reply: 5 }];
    for (let n = 1; n < MAX_NODES; n++) given = [{ ...leaf, then: given }];
    expect(refusalOf(given)).toEqual(at(`tree${'.0.then'.repeat(MAX_NODES - 1)}.0.reply`));
  });

  test.each([
    ['nodes', '{"when":"a","reply":"b","then":[', ']}', 'tree'],
    ['nodes without anything', '{"then":[', ']}', 'tree.0.when'],
    ['arrays', '[', ']', 'tree.0'],
    ['a move', '{"when":{"a":', '}}', 'tree.0.when'],
  ])('refuses 5,000 nested levels, %s, without a stack overflow', (_name, open, close, field) => {
    const given: unknown = JSON.parse(`[${open.repeat(5000)}${close.repeat(5000)}]`.replace('{"a":}', '{}'));
    expect(refusalOf(given)).toEqual(at(field));
  });

  test('refuses a list of a million nodes without reading it', () => {
    expect(refusalOf(new Array(1_000_000).fill(null))).toEqual(at('tree'));
  });
});

/** Any plan that may be stored. */
const plans = (): fc.Arbitrary<Plan> => {
  const letter = fc.constantFrom(...'KQRBNPkqrbnp');
  const move = fc.stringMatching(/^[a-z0-9]{1,16}$/);
  const yes = fc.constant(true as const);
  const occasion = ({ when, reveals, replyRevealed }: PlanNode) => `${when} ${reveals} ${replyRevealed}`;
  const list = (node: fc.Arbitrary<PlanNode>) =>
    fc.uniqueArray(node, { minLength: 1, maxLength: 4, selector: occasion });
  const opening = { when: fc.constantFrom('c5', 'd5', 'e5e6', 'pass'), reveals: letter };
  const some = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T, required: (keyof T & string)[]) =>
    fc.record(model, { requiredKeys: required, noNullPrototype: true }) as unknown as fc.Arbitrary<PlanNode>;
  const { root } = fc.letrec<{ root: PlanNode; below: PlanNode }>((tie) => {
    const kinds = (own: Record<string, fc.Arbitrary<unknown>>) =>
      fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        some({ ...opening, ...own, resign: yes }, ['when', 'resign']),
        some({ ...opening, ...own, offerDraw: yes }, ['when', 'offerDraw']),
        some({ ...opening, ...own, reply: move, offerDraw: yes, then: list(tie('below')) }, [
          'when',
          'reply',
        ]),
        some({ ...opening, ...own, then: list(tie('root')) }, ['when', 'then']),
      );
    return { root: kinds({}), below: kinds({ replyRevealed: letter }) };
  });
  return list(root).filter((plan) => all(plan).length <= MAX_NODES);
};

/** All nodes, each before its children. */
const all = (plan: Plan): PlanNode[] => plan.flatMap((node) => [node, ...all(node.then ?? [])]);

describe('every plan', () => {
  test('reads back as it was printed, with or without marks', () => {
    fc.assert(
      fc.property(plans(), fc.infiniteStream(fc.boolean()), (plan, marks) => {
        const mark = (nodes: Plan): Plan =>
          nodes.map((node) => ({
            ...node,
            ...(node.then === undefined ? {} : { then: mark(node.then) }),
            ...(marks.next().value ? { unverified: true } : {}),
          }));
        expect(must(parsePlan(sent(plan)))).toStrictEqual(plan);
        expect(must(parsePlan(sent(mark(plan))))).toStrictEqual(plan);
      }),
    );
  });

  test('stays a valid plan after a reply', () => {
    fc.assert(
      fc.property(plans(), fc.constantFrom('N', 'p', null), (plan, letter) => {
        for (const node of all(plan)) {
          const left = afterReply(node, letter);
          if (left.length > 0) expect(must(parsePlan(sent(left)))).toStrictEqual(left);
        }
      }),
    );
  });

  test('reads any JSON or refuses it with a path', () => {
    const near = fc.dictionary(
      fc.constantFrom('when', 'reveals', 'replyRevealed', 'reply', 'offerDraw', 'resign', 'then'),
      fc.oneof(fc.constantFrom('a1', 'P', true, null, []), fc.jsonValue({ maxDepth: 2 })),
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(near)), (given) => {
        const read = parsePlan(given);
        if (read.ok) expect(must(parsePlan(sent(read.value)))).toStrictEqual(read.value);
        else expect(read.refusal.field).toMatch(/^tree(\.\d+(\.then\.\d+)*(\.[a-zA-Z]+)?)?$/);
      }),
    );
  });
});

describe('following a plan', () => {
  const forAll: PlanNode = { when: 'c5', reply: 'a1' };
  const forPawn: PlanNode = { when: 'c5', reveals: 'P', reply: 'b5c5' };
  const other: PlanNode = { when: 'd5', resign: true };

  test.each<[string, Plan, string, string | null, PlanNode | null]>([
    ['the move that was played', [other, forAll], 'c5', 'N', forAll],
    ['the node that names the piece, before the general one', [forAll, forPawn], 'c5', 'P', forPawn],
    ['the general node, when another piece is named', [forPawn, forAll], 'c5', 'p', forAll],
    ['none, when only another piece is named', [forPawn, other], 'c5', 'N', null],
    ['none, when the move is not in the plan', [forPawn, forAll], 'e5', 'P', null],
    ['the general node, when nothing is turned up', [forPawn, forAll], 'c5', null, forAll],
    ['none in an empty plan', [], 'c5', null, null],
  ])('%s', (_name, plan, move, reveals, expected) => {
    expect(follow(plan, { move, reveals })).toBe(expected);
  });

  const whatever: PlanNode = { when: 'c5', reply: 'a1' };
  const afterPawn: PlanNode = { when: 'c5', replyRevealed: 'P', reply: 'a2' };
  const afterKnight: PlanNode = { when: 'd5', replyRevealed: 'N', reply: 'a3' };
  const pawnTwice: PlanNode = { when: 'c5', reveals: 'P', replyRevealed: 'P', resign: true };
  const kingThenPawn: PlanNode = { when: 'd5', reveals: 'P', replyRevealed: 'k', resign: true };
  const then = [whatever, afterPawn, afterKnight, pawnTwice, kingThenPawn, other];
  const node: PlanNode = { ...leaf, then };
  const without = ({ replyRevealed: _, ...rest }: PlanNode): PlanNode => rest;

  test.each<[string, string | null, Plan]>([
    ['a piece that two nodes name', 'P', [without(afterPawn), without(pawnTwice), other]],
    ['a piece that one node names and another covers', 'N', [whatever, without(afterKnight)]],
    ['a piece that one node names before another', 'k', [whatever, without(kingThenPawn), other]],
    ['a piece that no node names', 'q', [whatever, other]],
    ['nothing', null, [whatever, other]],
  ])('keeps the right nodes after a reply that turned up %s', (_name, letter, expected) => {
    expect(afterReply(node, letter)).toStrictEqual(expected);
  });

  test('keeps nothing after the last reply', () => {
    expect(afterReply(leaf, 'P')).toEqual([]);
    expect(afterReply({ ...leaf, then: [afterPawn] }, 'N')).toEqual([]);
  });

  test('keeps the children of a node without a reply', () => {
    expect(afterReply({ when: 'a1b1', then: [forPawn, forAll] }, null)).toEqual([forPawn, forAll]);
  });

  test('does not change the plan itself', () => {
    const before = JSON.stringify(node);
    afterReply(node, 'P');
    expect(JSON.stringify(node)).toBe(before);
  });
});
