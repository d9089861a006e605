import fc from 'fast-check';
import {
  afterReply,
  follow,
  MAX_NODES,
  parsePlan,
  type Plan,
  type PlanNode,
} from '../../src/arbiter/conditional-moves.js';
import { verifyPlan } from '../../src/engine/conditional-moves.js';
import { legalMoves, play, position, turnsUp } from '../../src/rules/play.js';
import { rulesets } from '../../src/rules/registry.js';
import { opponent, type Player } from '../../src/rules/ruleset.js';
import { turn, type AnyGame } from '../support/conditional-moves.js';
import {
  must,
  optionSets,
  random,
  randomGame,
  type Random,
  type RandomGame,
} from '../support/random-games.js';
import { runs } from '../support/scale.js';

/** Conditional moves along random games of all rule sets. */

/** A plan that follows a game from one of its states, with other branches beside it. */
interface Along {
  readonly plan: Plan;
  readonly owner: Player;
  /** The replies of the plan: their paths and the games in which they are played. */
  readonly replies: readonly { readonly path: string; readonly game: AnyGame }[];
}

type Growing = { -readonly [Key in keyof PlanNode]: PlanNode[Key] };

const letters = (reveals: string | null | undefined, name: 'reveals' | 'replyRevealed') =>
  reveals == null ? {} : { [name]: reveals };

/** A ply that may be played here, with a piece that may turn up. */
function anyPly(game: AnyGame, pick: Random) {
  const moves = legalMoves(game);
  const move = moves[pick(moves.length)]!;
  const may = game.ruleset.mayTurnUp(position(game));
  const reveals = must(turnsUp(game, move)) === null ? null : may.charAt(pick(may.length));
  return { move, reveals, after: must(play(game, move, reveals)).game };
}

/** A node for another move than the one played, or null if that would end the game or repeat a node. */
function sideBranch(game: AnyGame, owner: Player, taken: readonly string[], pick: Random) {
  const { move, reveals, after } = anyPly(game, pick);
  if (taken.includes(move) || after.outcome !== null) return null;
  const node = { when: move, ...letters(reveals, 'reveals') };
  if (turn(after) !== owner) return { node: { ...node, offerDraw: true as const }, after: null };
  return { node: { ...node, reply: anyPly(after, pick).move }, after };
}

/** Nodes for this state of the game: one for the ply played, at `index`, among others. */
function branches({ plies, states }: RandomGame, at: number, owner: Player, most: number, pick: Random) {
  const after = states[at + 1]!;
  const ply = plies[at]!;
  const node: Growing = { when: ply.move, ...letters(ply.reveals, 'reveals') };
  const reply = turn(after) === owner ? plies[at + 1] : undefined;
  if (reply === undefined) node.offerDraw = true;
  else node.reply = reply.move;
  const nodes: { node: Growing; after: AnyGame | null }[] = [];
  for (let n = Math.min(pick(3), most - 1); n > 0; n--) {
    const taken = [ply.move, ...nodes.map((one) => one.node.when!)];
    const side = sideBranch(states[at]!, owner, taken, pick);
    if (side !== null) nodes.push(side);
  }
  const index = pick(nodes.length + 1);
  nodes.splice(index, 0, { node, after });
  return { nodes, index, node, reply };
}

function planAlong(game: RandomGame, from: number, pick: Random): Along {
  const { plies, states } = game;
  const owner = opponent(turn(states[from]!));
  const plan: Growing[] = [];
  const replies: { path: string; game: AnyGame }[] = [];
  let [at, count, path, named, last] = [from, 0, 'tree', {}, null as Growing | null];
  while (at < plies.length && count < MAX_NODES && states[at + 1]!.outcome === null) {
    const { nodes, index, node, reply } = branches(game, at, owner, MAX_NODES - count, pick);
    count += nodes.length;
    const list = nodes.map((one) => Object.assign(one.node, named));
    if (last === null) plan.push(...list);
    else last.then = list;
    // A node with children and without a reply only waits.
    if (last?.reply === undefined) delete last?.offerDraw;
    for (const [i, one] of nodes.entries()) {
      if (one.node.reply !== undefined) replies.push({ path: `${path}.${i}.reply`, game: one.after! });
    }
    at += reply === undefined ? 1 : 2;
    const next = states[at];
    if (next === undefined || next.outcome !== null || turn(next) === owner) break;
    named = letters(reply?.reveals, 'replyRevealed');
    [last, path] = [node, `${path}.${index}.then`];
  }
  return { plan, owner, replies };
}

/** The node at a path, with the lists around it copied. */
function replaced(plan: Plan, [index, , ...rest]: readonly string[], reply: string): Plan {
  return plan.map((node, at) => {
    if (at !== Number(index)) return node;
    return rest.length === 0 ? { ...node, reply } : { ...node, then: replaced(node.then!, rest, reply) };
  });
}

describe.each(rulesets().map((one) => [one.id, one] as const))('plans along random games: %s', (_id, one) => {
  const along = fc.tuple(fc.nat(), fc.nat(), fc.nat()).map(([seed, set, at]) => {
    const options = optionSets(one, seed);
    const game = randomGame(one, options[set % options.length]!, seed);
    const from = at % game.plies.length;
    return { label: game.label, game, from, seed, toString: () => `${game.label} from ${from}` };
  });
  // The counts below need the same games each time.
  const tries = runs(25);
  const planned = ({ game, from, seed }: { game: RandomGame; from: number; seed: number }) =>
    planAlong(game, from, random(seed));

  test('accepts playable plans without marks, and following one reaches every node of the line', () => {
    let reached = 0;
    fc.assert(
      fc.property(along, (drawn) => {
        const { plan, owner } = planned(drawn);
        if (plan.length === 0) return;
        const { states, plies } = drawn.game;
        expect(must(parsePlan(JSON.parse(JSON.stringify(plan))))).toEqual(plan);
        expect(must(verifyPlan(states[drawn.from]!, owner, plan))).toEqual(plan);
        const pick = random(drawn.seed);
        let left: Plan = plan;
        reached++;
        for (let at = drawn.from; left.length > 0;) {
          // Not after every reply: each time the whole plan is tried.
          if (pick(8) === 0) expect(must(verifyPlan(states[at]!, owner, left))).toEqual(left);
          const node = follow(left, plies[at]!)!;
          expect(node.when).toBe(plies[at]!.move);
          if (node.reply === undefined) at += 1;
          else {
            expect(node.reply).toBe(plies[at + 1]!.move);
            at += 2;
          }
          left = afterReply(node, node.reply === undefined ? null : plies[at - 1]!.reveals);
        }
      }),
      tries,
    );
    expect(reached).toBeGreaterThan(tries.numRuns / 2);
  });

  test('refuses one illegal reply with its path', () => {
    const texts = ['a1', 'a1a2', 'b1b2', 'c3c4', 'e2e4', 'd8d1', 'pass', 'h9h9', 'zz', 'a1a1'];
    let tried = 0;
    fc.assert(
      fc.property(along, fc.nat(), fc.constantFrom(...texts), (drawn, which, text) => {
        const { plan, owner, replies } = planned(drawn);
        const reply = replies[which % replies.length];
        if (reply === undefined || legalMoves(reply.game).includes(text)) return;
        tried++;
        const wrong = replaced(plan, reply.path.split('.').slice(1, -1), text);
        const refused = verifyPlan(drawn.game.states[drawn.from]!, owner, wrong);
        expect(refused).toMatchObject({ refusal: { code: 'ILLEGAL_MOVE', field: reply.path } });
      }),
      tries,
    );
    expect(tried).toBeGreaterThan(tries.numRuns / 2);
  });

  test('accepts them without named pieces too, and marks where one is unknown', () => {
    const nameless = (plan: Plan): Plan =>
      plan
        .filter(({ when }, at) => plan.findIndex((node) => node.when === when) === at)
        .map(({ reveals: _, replyRevealed: __, ...node }) => ({
          ...node,
          ...(node.then === undefined ? {} : { then: nameless(node.then) }),
        }));
    const marks = (plan: Plan): boolean[] =>
      plan.flatMap((node) => [node.unverified === true, ...marks(node.then ?? [])]);
    let marked = 0;
    fc.assert(
      fc.property(along, (drawn) => {
        const { plan, owner } = planned(drawn);
        if (plan.length === 0) return;
        const given = nameless(plan);
        const verified = must(verifyPlan(drawn.game.states[drawn.from]!, owner, given));
        expect(must(parsePlan(JSON.parse(JSON.stringify(verified))))).toEqual(given);
        marked += marks(verified).filter(Boolean).length;
      }),
      tries,
    );
    expect(marked > 0).toBe(one.hidden);
  });
});
