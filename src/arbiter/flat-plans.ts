import { accept, each, refuse, type Result } from '../rules/result.js';
import { MOST_NODES, parsePlan, type Plan, type PlanNode } from './plans.js';

/** A plan as a list, for those who cannot select a tree: each node before those that follow it. */

/** The parts of a node of the list, all of them there. */
export interface FlatNode {
  /** Its place in the list, from 1. */
  readonly id: number;
  /** The node that it follows; null: it comes next. */
  readonly parent: number | null;
  readonly when: string | null;
  readonly any: boolean;
  readonly reveals: string | null;
  readonly replyRevealed: string | null;
  readonly reply: string | null;
  readonly offerDraw: boolean;
  readonly resign: boolean;
  readonly unverified: boolean;
}

export function flatten(plan: Plan): readonly FlatNode[] {
  const list: FlatNode[] = [];
  const add = (nodes: Plan, parent: number | null): void => {
    for (const node of nodes) {
      const id = list.push(flatNode(node, list.length + 1, parent));
      add(node.then ?? [], id);
    }
  };
  add(plan, null);
  return list;
}

const flatNode = (node: PlanNode, id: number, parent: number | null): FlatNode => ({
  id,
  parent,
  when: node.when ?? null,
  any: node.any ?? false,
  reveals: node.reveals ?? null,
  replyRevealed: node.replyRevealed ?? null,
  reply: node.reply ?? null,
  offerDraw: node.offerDraw ?? false,
  resign: node.resign ?? false,
  unverified: node.unverified ?? false,
});

interface Listed {
  readonly id?: unknown;
  readonly parent?: unknown;
}

const isListed = (node: unknown): node is Listed =>
  typeof node === 'object' && node !== null && ('id' in node || 'parent' in node);

/** As parsePlan, of a tree or of a list such as flatten makes. */
export function readPlan(given: unknown): Result<Plan> {
  // One that is too long is left for the reader of trees to refuse.
  const isList = Array.isArray(given) && given.some(isListed) && given.length <= MOST_NODES;
  if (!isList) return parsePlan(given);
  const tree = treeOf(given);
  return tree.ok ? parsePlan(tree.value) : tree;
}

/** The nodes of a list, unread, as a tree. */
function treeOf(list: readonly unknown[]): Result<unknown[]> {
  const roots: unknown[] = [];
  const below = new Map<unknown, unknown[]>();
  const placed = each(list, (node, place) => {
    if (!isListed(node) || 'then' in node)
      return bad(place, 'A list has nodes with id and parent, none with then.');
    const { id, parent, ...parts } = node;
    if (!Number.isInteger(id) || below.has(id))
      return bad(place, 'The id must be a whole number that no other node has.');
    const siblings = parent == null ? roots : below.get(parent);
    if (siblings === undefined) return bad(place, 'The parent must be the id of a node before this one.');
    const then: unknown[] = [];
    below.set(id, then);
    return accept(siblings.push({ ...parts, then }));
  });
  return placed.ok ? accept(roots) : placed;
}

const bad = (place: number, message: string): Result<never> =>
  refuse('INVALID_CONDITIONAL_MOVES', `tree.${place}`, message);
