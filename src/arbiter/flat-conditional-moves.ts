import { accept, each, refuse, type Result } from '../rules/result.js';
import { shown } from '../rules/shown.js';
import { MAX_NODES, parsePlan, type Plan, type PlanNode } from './conditional-moves.js';

/**
 * Conditional moves as a flat list, for GraphQL clients, which cannot select a tree. Parents come before their
 * children.
 */

export interface FlatNode {
  /** Its place in the list, from 1. */
  readonly id: number;
  /** The id of the node that it follows; null for a root. */
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

/** Like parsePlan, but also takes a list such as flatten makes. */
export function readPlan(given: unknown): Result<Plan> {
  // parsePlan refuses a list that is too long.
  const isList = Array.isArray(given) && given.some(isListed) && given.length <= MAX_NODES;
  if (!isList) return parsePlan(given);
  const tree = treeOf(given);
  return tree.ok ? parsePlan(tree.value) : tree;
}

/** The unparsed nodes of a list as a tree. */
function treeOf(list: readonly unknown[]): Result<unknown[]> {
  const roots: unknown[] = [];
  const below = new Map<unknown, unknown[]>();
  const placed = each(list, (node, place) => {
    if (!isListed(node) || 'then' in node)
      return bad(
        place,
        'Each node of a list must have an id, and a parent or null, but no then. Send either a list or a tree.',
      );
    const { id, parent, ...parts } = node;
    if (!Number.isInteger(id) || below.has(id))
      return bad(place, `id must be a whole number that no other node has; got ${shown(id)}.`);
    const siblings = parent == null ? roots : below.get(parent);
    if (siblings === undefined)
      return bad(place, `parent must be null or the id of an earlier node; got ${shown(parent)}.`);
    const then: unknown[] = [];
    below.set(id, then);
    return accept(siblings.push({ ...parts, then }));
  });
  return placed.ok ? accept(roots) : placed;
}

const bad = (place: number, message: string): Result<never> =>
  refuse('INVALID_CONDITIONAL_MOVES', `tree.${place}`, message);
