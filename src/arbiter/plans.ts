import type { RecordedPly } from '../rules/play.js';
import { accept, each, refuse, type Result } from '../rules/result.js';

/** Conditional moves: what a player answers to moves of the opponent that may come, as a tree. */

export const MOST_NODES = 100;

/** One branch of a player's plan: a move of the opponent and the answer to it. */
export interface PlanNode {
  /** The opponent's move, as it is stored; absent with `any`. */
  readonly when?: string;
  /** In place of `when`: whatever the opponent plays that no node beside it names. */
  readonly any?: true;
  /** The letter that this move turns up; absent: whatever it is. */
  readonly reveals?: string;
  /** The letter that the own reply before this node turned up; absent: whatever it is. Only below a reply. */
  readonly replyRevealed?: string;
  /** The own move. */
  readonly reply?: string;
  /** With the reply, or alone. */
  readonly offerDraw?: true;
  /** In place of a reply; nothing follows. */
  readonly resign?: true;
  /** What follows the reply, or, without one, `when` itself where the opponent is to move again. */
  readonly then?: readonly PlanNode[];
  /** Set by the server: the answer depends on a piece or a move that nobody knows yet, so that it could not be tried. */
  readonly unverified?: true;
}

/** The branches of which one comes next; a plan that is stored has one at least. */
export type Plan = readonly PlanNode[];

/** The node that answers this ply, or null; one that names the piece turned up goes before one for all, and that before one for any ply. */
export function follow(plan: Plan, { move, reveals }: RecordedPly): PlanNode | null {
  const matching = plan.filter(({ when }) => when === move);
  const naming = matching.find((node) => node.reveals === reveals);
  const forAll = matching.find((node) => node.reveals === undefined);
  return naming ?? forAll ?? plan.find(({ any }) => any) ?? null;
}

/**
 * What is left of the plan once this node's reply was played and turned this letter up, or nothing (null). Also
 * what is left of a node that only waits for the opponent's next ply. Empty when the plan is used up.
 */
export function afterReply({ then = [] }: PlanNode, replyReveals: string | null): Plan {
  const naming = then.filter((node) => node.replyRevealed !== undefined);
  const fitting = naming.filter((node) => node.replyRevealed === replyReveals);
  const hides = (node: PlanNode) => fitting.some((one) => occasion(one) === occasion(node));
  const left = then.filter((node) => fitting.includes(node) || (!naming.includes(node) && !hides(node)));
  return left.map(({ replyRevealed: _, ...node }) => node);
}

const occasion = ({ when, reveals }: Pick<GivenNode, 'when' | 'reveals'>): string =>
  `${when ?? 'any'} ${reveals ?? ''}`;

/** A node as it came in, each value in the right form; what follows is not looked into. Null is absent. */
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
 * Reads a tree from JSON: an array of nodes, nested by `then`. Refused with INVALID_CONDITIONAL_MOVES and the path
 * to what is wrong, as `tree.0.then.2.reply`. No move is tried here.
 */
export function parsePlan(given: unknown): Result<Plan> {
  if (!Array.isArray(given) || given.length === 0) {
    return bad('tree', 'Conditional moves are an array of nodes, one at least.');
  }
  let count = 0;
  const branches = (among: readonly unknown[], path: string, followsReply: boolean): Result<Plan> => {
    count += among.length;
    // Before any of them is read, since the depth of the input is the sender's choice.
    if (count > MOST_NODES) {
      return bad('tree', `A tree of conditional moves has at most ${MOST_NODES} nodes.`);
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

/** Reads the nodes of one place in the tree; what follows them is not looked into. */
function readNodes(
  given: readonly unknown[],
  path: string,
  followsReply: boolean,
): Result<readonly GivenNode[]> {
  const read = each(given, (one, index) => readNode(one, `${path}.${index}`, followsReply));
  return read.ok ? (twinFault(read.value, path) ?? read) : read;
}

/** What is wrong with the nodes of one place, of which at most one may match a ply as closely. */
export function twinFault(nodes: readonly GivenNode[], path: string): Result<never> | null {
  const matches = nodes.map((node) => `${occasion(node)} ${node.replyRevealed ?? ''}`);
  const at = matches.findIndex((match, index) => matches.indexOf(match) < index);
  if (at === -1) return null;
  const twin = `${path}.${matches.indexOf(matches[at]!)}`;
  return bad(
    `${path}.${at}`,
    `It matches the same as ${twin}: leave one of them out, or name different pieces.`,
  );
}

/** The node without what it was sent with for nothing: empty values and the server's own marks. */
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
    return bad(path, 'A node is an object, as {"when": "e7e5", "reply": "g1f3"}.');
  }
  const wrong = formFault(given, path);
  if (wrong !== null) return wrong;
  const node = given as GivenNode;
  if (node.replyRevealed != null && !followsReply) {
    return bad(`${path}.replyRevealed`, 'No reply comes before this node: leave `replyRevealed` out.');
  }
  return answerFault(node, path) ?? accept(node);
}

interface Form {
  readonly fits: (value: unknown) => boolean;
  readonly words: string;
}

const MOVE: Form = {
  fits: (value) => typeof value === 'string' && /^\P{Cc}{1,20}$/u.test(value),
  words: 'a move of 1 to 20 characters, as "e2e4"',
};
const LETTER: Form = {
  fits: (value) => typeof value === 'string' && /^[A-Za-z]$/.test(value),
  words: 'the letter of a piece, as "N"',
};
const FLAG: Form = { fits: (value) => typeof value === 'boolean', words: 'true, or left out' };

const FORMS: ReadonlyMap<string, Form> = new Map(
  Object.entries({
    when: MOVE,
    any: FLAG,
    reveals: LETTER,
    replyRevealed: LETTER,
    reply: MOVE,
    offerDraw: FLAG,
    resign: FLAG,
    then: { fits: Array.isArray, words: 'an array of nodes' },
    unverified: FLAG,
  } satisfies Record<keyof PlanNode, Form>),
);

/** What is wrong with the keys and values of a node, each taken alone. */
function formFault(given: object, path: string): Result<never> | null {
  for (const [key, value] of Object.entries(given) as [string, unknown][]) {
    const form = FORMS.get(key);
    if (form === undefined) {
      const name = JSON.stringify(key.slice(0, 40));
      return bad(path, `A node has no ${name}; allowed: ${[...FORMS.keys()].join(', ')}.`);
    }
    if (value != null && !form.fits(value)) return bad(`${path}.${key}`, `${key} must be ${form.words}.`);
  }
  return occasionFault(given, path);
}

/** What is wrong with the occasion of a node. */
function occasionFault({ when, any, reveals }: GivenNode, path: string): Result<never> | null {
  if (any !== true)
    return when == null
      ? bad(`${path}.when`, `A node needs \`when\`: ${MOVE.words}; or \`any\`: true.`)
      : null;
  if (when != null) return bad(`${path}.any`, 'A node has `when` or `any`: leave one of them out.');
  return reveals == null ? null : bad(`${path}.reveals`, 'Any move may be played: leave `reveals` out.');
}

/** What is wrong with the answer as a whole. */
function answerFault(node: GivenNode, path: string): Result<never> | null {
  const [hasReply, offers, resigns] = [node.reply != null, node.offerDraw === true, node.resign === true];
  if (resigns && (hasReply || offers || isFollowed(node))) {
    return bad(`${path}.resign`, 'Resigning ends the game: leave out reply, offerDraw and then, or resign.');
  }
  if (offers && !hasReply && isFollowed(node)) {
    return bad(
      `${path}.then`,
      'Nothing follows a draw offer without a reply: add a reply, or leave out then.',
    );
  }
  const isIdle = !hasReply && !offers && !resigns && !isFollowed(node);
  return isIdle ? bad(`${path}.reply`, 'A node needs an answer: reply, offerDraw or resign.') : null;
}

const bad = (field: string, message: string): Result<never> =>
  refuse('INVALID_CONDITIONAL_MOVES', field, message);
