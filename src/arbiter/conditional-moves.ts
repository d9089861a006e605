import type { RecordedPly } from '../rules/play.js';
import { accept, each, refuse, type Result } from '../rules/result.js';
import { shown } from '../rules/shown.js';

/** Conditional moves: a player's prepared answers to possible moves of the opponent, as a tree. */

export const MAX_NODES = 100;

/** One branch of a player's plan: a move of the opponent and the answer to it. */
export interface PlanNode {
  /** The opponent's move, as it is stored; absent with `any`. */
  readonly when?: string;
  /** Instead of `when`: any move that no sibling names. */
  readonly any?: true;
  /** The letter that this move turns up; any if absent. */
  readonly reveals?: string;
  /** The letter that the reply of the parent node turned up; any if absent. Only below a reply. */
  readonly replyRevealed?: string;
  /** The owner's move. */
  readonly reply?: string;
  /** With the reply, or alone. */
  readonly offerDraw?: true;
  /** Instead of a reply; nothing can follow. */
  readonly resign?: true;
  /** What follows the reply, or `when` itself if the opponent is to move again. */
  readonly then?: readonly PlanNode[];
  /** Set by the server if the answer could not be checked, because it depends on a piece or move not known yet. */
  readonly unverified?: true;
}

/** The branches of which one comes next. A stored plan has at least one. */
export type Plan = readonly PlanNode[];

/** The node that answers this ply, or null. The most specific wins: a named piece, then any piece, then any ply. */
export function follow(plan: Plan, { move, reveals }: RecordedPly): PlanNode | null {
  const matching = plan.filter(({ when }) => when === move);
  const naming = matching.find((node) => node.reveals === reveals);
  const forAll = matching.find((node) => node.reveals === undefined);
  return naming ?? forAll ?? plan.find(({ any }) => any) ?? null;
}

/**
 * What is left of the plan after this node's reply, which turned up this letter or nothing (null). Empty when used
 * up.
 */
export function afterReply({ then = [] }: PlanNode, replyReveals: string | null): Plan {
  const naming = then.filter((node) => node.replyRevealed !== undefined);
  const fitting = naming.filter((node) => node.replyRevealed === replyReveals);
  const hides = (node: PlanNode) => fitting.some((one) => trigger(one) === trigger(node));
  const left = then.filter((node) => fitting.includes(node) || (!naming.includes(node) && !hides(node)));
  return left.map(({ replyRevealed: _, ...node }) => node);
}

const trigger = ({ when, reveals }: Pick<GivenNode, 'when' | 'reveals'>): string =>
  `${when ?? 'any'} ${reveals ?? ''}`;

/** A node whose own values have the right form; its children are not parsed yet. Null means absent. */
interface GivenNode {
  readonly when?: string | null;
  readonly any?: boolean | null;
  readonly reveals?: string | null;
  readonly replyRevealed?: string | null;
  readonly reply?: string | null;
  readonly offerDraw?: boolean | null;
  readonly resign?: boolean | null;
  readonly then?: readonly unknown[] | null;
}

/**
 * Parses a tree from JSON: an array of nodes, nested by `then`. Moves are not checked here. Refused with
 * INVALID_CONDITIONAL_MOVES and the path of the fault, such as `tree.0.then.2.reply`.
 */
export function parsePlan(given: unknown): Result<Plan> {
  if (!Array.isArray(given) || given.length === 0) {
    return bad('tree', `Conditional moves must be a list of one or more nodes; got ${shown(given)}.`);
  }
  let count = 0;
  const branches = (among: readonly unknown[], path: string, followsReply: boolean): Result<Plan> => {
    count += among.length;
    // Before any of them is parsed, since the client chooses the depth of the input.
    if (count > MAX_NODES) {
      return refuse('INVALID_CONDITIONAL_MOVES', 'tree', TOO_MANY, { limit: MAX_NODES });
    }
    const read = readNodes(among, path, followsReply);
    if (!read.ok) return read;
    return each(read.value, (node, index) => {
      const then = branches(node.then ?? [], `${path}.${index}.then`, node.reply != null);
      return then.ok ? accept(planNode(node, then.value)) : then;
    });
  };
  return branches(given, 'tree', false);
}

const TOO_MANY = `Conditional moves must have at most ${MAX_NODES} nodes in all; these have more. Leave some out.`;

/** Parses siblings without their children. */
function readNodes(
  given: readonly unknown[],
  path: string,
  followsReply: boolean,
): Result<readonly GivenNode[]> {
  const read = each(given, (one, index) => readNode(one, `${path}.${index}`, followsReply));
  return read.ok ? (duplicateFault(read.value, path) ?? read) : read;
}

/** Refuses siblings that match the same ply equally well. */
export function duplicateFault(nodes: readonly GivenNode[], path: string): Result<never> | null {
  const matches = nodes.map((node) => `${trigger(node)} ${node.replyRevealed ?? ''}`);
  const at = matches.findIndex((match, index) => matches.indexOf(match) < index);
  if (at === -1) return null;
  const twin = `${path}.${matches.indexOf(matches[at]!)}`;
  return bad(
    `${path}.${at}`,
    `This node answers the same move as ${twin}. Leave one of them out, or name different pieces.`,
  );
}

/** The node without empty values and marks that only the server sets. */
const planNode = (node: GivenNode, then: readonly PlanNode[]): PlanNode => ({
  ...(node.when == null ? { any: true } : { when: node.when }),
  ...(node.reveals == null ? {} : { reveals: node.reveals }),
  ...(node.replyRevealed == null ? {} : { replyRevealed: node.replyRevealed }),
  ...(node.reply == null ? {} : { reply: node.reply }),
  ...(node.offerDraw === true ? { offerDraw: true } : {}),
  ...(node.resign === true ? { resign: true } : {}),
  ...(isFollowed(node) ? { then } : {}),
});

const isFollowed = (node: GivenNode): node is GivenNode & { readonly then: readonly unknown[] } =>
  node.then != null && node.then.length > 0;

function readNode(given: unknown, path: string, followsReply: boolean): Result<GivenNode> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return bad(
      path,
      `A node must be an object such as {"when": "e7e5", "reply": "g1f3"}; got ${shown(given)}.`,
    );
  }
  const wrong = formFault(given, path);
  if (wrong !== null) return wrong;
  const node = given as GivenNode;
  if (node.replyRevealed != null && !followsReply) {
    return bad(
      `${path}.replyRevealed`,
      'replyRevealed must be left out here: there is no reply before this node.',
    );
  }
  return answerFault(node, path) ?? accept(node);
}

interface Form {
  readonly fits: (value: unknown) => boolean;
  readonly words: string;
}

const MOVE: Form = {
  fits: (value) => typeof value === 'string' && /^\P{Cc}{1,20}$/u.test(value),
  words: 'a move of 1 to 20 characters, such as "e2e4"',
};
const LETTER: Form = {
  fits: (value) => typeof value === 'string' && /^[A-Za-z]$/.test(value),
  words: 'the letter of a piece, such as "N"',
};
const FLAG: Form = { fits: (value) => typeof value === 'boolean', words: 'true or false' };

const FORMS: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    when: MOVE,
    any: FLAG,
    reveals: LETTER,
    replyRevealed: LETTER,
    reply: MOVE,
    offerDraw: FLAG,
    resign: FLAG,
    then: { fits: Array.isArray, words: 'a list of nodes' },
    unverified: FLAG,
  } satisfies Record<keyof PlanNode, Form>),
);

/** What is wrong with a single key or value of a node. */
function formFault(given: object, path: string): Result<never> | null {
  for (const [key, value] of Object.entries(given) as [string, unknown][]) {
    const form = FORMS.get(key);
    if (form === undefined) {
      return bad(path, `A node has no field ${shown(key)}. Use only ${[...FORMS.keys()].join(', ')}.`);
    }
    if (value != null && !form.fits(value)) {
      return bad(`${path}.${key}`, `${key} must be ${form.words}; got ${shown(value)}.`);
    }
  }
  return triggerFault(given, path);
}

/** What is wrong with the move that a node answers. */
function triggerFault({ when, any, reveals }: GivenNode, path: string): Result<never> | null {
  if (any !== true)
    return when == null ? bad(`${path}.when`, `This node needs when (${MOVE.words}) or any: true.`) : null;
  if (when != null) return bad(`${path}.any`, 'This node has both when and any. Leave one of them out.');
  return reveals == null
    ? null
    : bad(`${path}.reveals`, 'reveals must be left out where any is true, since any move may be played.');
}

/** What is wrong with the combination of answers. */
function answerFault(node: GivenNode, path: string): Result<never> | null {
  const [hasReply, offers, resigns] = [node.reply != null, node.offerDraw === true, node.resign === true];
  if (resigns && (hasReply || offers || isFollowed(node))) {
    return bad(
      `${path}.resign`,
      'resign ends the game. Leave out either resign, or reply, offerDraw and then.',
    );
  }
  if (offers && !hasReply && isFollowed(node)) {
    return bad(
      `${path}.then`,
      'Nothing can follow a draw offer without a reply. Add a reply, or leave out then.',
    );
  }
  const isIdle = !hasReply && !offers && !resigns && !isFollowed(node);
  return isIdle ? bad(`${path}.reply`, 'This node has no answer. Add reply, offerDraw or resign.') : null;
}

const bad = (field: string, message: string): Result<never> =>
  refuse('INVALID_CONDITIONAL_MOVES', field, message);
