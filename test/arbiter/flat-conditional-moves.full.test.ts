import fc from 'fast-check';
import { flatten, readPlan } from '../../src/arbiter/flat-conditional-moves.js';
import { MAX_NODES, type Plan, type PlanNode } from '../../src/arbiter/conditional-moves.js';
import { must } from '../support/random-games.js';
import { runs } from '../support/scale.js';

const PLAN: Plan = [
  {
    when: 'e7e5',
    reply: 'g1f3',
    then: [
      { when: 'b8c6', reply: 'f1b5' },
      { any: true, offerDraw: true },
    ],
  },
  { any: true, resign: true },
];

const NOTHING = { when: null, any: false, reveals: null, replyRevealed: null, reply: null, offerDraw: false, resign: false, unverified: false }; // prettier-ignore

test('a plan is stored as a list in which each node precedes its children', () => {
  expect(flatten(PLAN)).toEqual([
    { ...NOTHING, id: 1, parent: null, when: 'e7e5', reply: 'g1f3' },
    { ...NOTHING, id: 2, parent: 1, when: 'b8c6', reply: 'f1b5' },
    { ...NOTHING, id: 3, parent: 1, any: true, offerDraw: true },
    { ...NOTHING, id: 4, parent: null, any: true, resign: true },
  ]);
});

test('reads the list and the tree as the same plan', () => {
  expect(must(readPlan(flatten(PLAN)))).toStrictEqual(PLAN);
  expect(must(readPlan(PLAN))).toStrictEqual(PLAN);
});

/** A plan in which each node follows a chosen earlier node, or none. */
function planOf(choices: readonly number[]): Plan {
  const nodes: { when: string; reply: string; then?: PlanNode[] }[] = [];
  const roots: PlanNode[] = [];
  for (const [at, choice] of choices.entries()) {
    const parent = nodes[(choice % (at + 1)) - 1];
    const made = { when: `m${at}`, reply: 'e2e4' };
    (parent === undefined ? roots : (parent.then ??= [])).push(made);
    nodes.push(made);
  }
  return roots;
}

test('reads back any plan', () => {
  const plans = fc.array(fc.nat(), { minLength: 1, maxLength: MAX_NODES }).map(planOf);
  const isRead = (plan: Plan) => expect(must(readPlan(flatten(plan)))).toStrictEqual(plan);
  fc.assert(fc.property(plans, isRead), runs(200));
});

const node = { when: 'e7e5', reply: 'g1f3' };
test.each<[string, unknown, string, RegExp]>([
  [
    'an id twice',
    [
      { id: 1, ...node },
      { id: 1, ...node },
    ],
    'tree.1',
    /no other node has/,
  ],
  ['no id', [{ parent: null, ...node }], 'tree.0', /whole number/],
  ['a text as an id', [{ id: 'a', ...node }], 'tree.0', /whole number/],
  [
    'a parent that comes later',
    [
      { id: 1, parent: 2, ...node },
      { id: 2, ...node },
    ],
    'tree.0',
    /id of an earlier node/,
  ],
  ['its own parent', [{ id: 1, parent: 1, ...node }], 'tree.0', /id of an earlier node/],
  ['a tree in the list', [{ id: 1, ...node, then: [] }], 'tree.0', /but no then/],
  [
    'a node of a tree',
    [
      { id: 1, ...node },
      { when: 'd7d5', reply: 'g1f3' },
    ],
    'tree.1',
    /must have an id, and a parent/,
  ],
  ['no node', [{ id: 1, ...node }, null], 'tree.1', /must have an id, and a parent/],
  ['too many', Array.from({ length: 101 }, (_, id) => ({ id, ...node })), 'tree', /at most 100/],
])('refuses a list with %s', (_name, given, field, words) => {
  const refusal = {
    code: 'INVALID_CONDITIONAL_MOVES',
    field,
    message: expect.stringMatching(words) as string,
  };
  expect(readPlan(given)).toMatchObject({ refusal });
});
