import { twinFault, type Plan, type PlanNode } from '../arbiter/plans.js';
import { readMove } from '../formats/move.js';
import * as rules from '../rules/play.js';
import { accept, each, refuse, type MoveFault, type Refusal, type Result } from '../rules/result.js';
import type { Player } from '../rules/ruleset.js';

/** Conditional moves tried on the game that they are for. */

type Game = rules.Game<unknown>;

/** Who is to move, as the owner of the plan sees it; nobody when the game is over. */
type Turn = 'owner' | 'opponent' | 'nobody' | 'unknown';

/** What is known of the game at one point of the tree. */
interface Standing {
  /** The game there, or, behind an unknown turn-up, the last one that is known. */
  readonly game: Game;
  readonly isKnown: boolean;
  readonly turn: Turn;
}

/** A node that is still to be tried. */
interface Untried {
  readonly node: PlanNode;
  /** As `tree.0.then.2`. */
  readonly path: string;
  readonly before: Standing;
}

/**
 * Tries a plan on a game in which the owner's opponent is to move, as far as that can be known: what depends on a
 * piece that is not named and not certain comes back marked `unverified`. Moves come back as they are stored. Refused with the path to what is wrong:
 * ILLEGAL_MOVE or AMBIGUOUS_MOVE; INVALID_REVEAL for a letter that cannot turn up; INVALID_CONDITIONAL_MOVES for a node that the
 * course of the game has no room for.
 */
export function verifyPlan(game: Game, owner: Player, plan: Plan): Result<Plan> {
  return verifyFrom({ game, isKnown: true, turn: turnIn(game, owner) }, owner, plan);
}

/**
 * The same for a plan that comes with a move of its owner. It is tried from the board before that move: a refusal must
 * not tell what the move would turn up. Empty when nothing can follow the move. Refused also with what is wrong with it.
 */
export function verifyPlanAfter(game: Game, owner: Player, move: string, plan: Plan): Result<Plan> {
  const after = step({ game, isKnown: true, turn: turnIn(game, owner) }, owner, move);
  if (!after.ok) return after;
  const { turn } = after.value;
  return turn === 'nobody' || turn === 'owner' ? accept([]) : verifyFrom(after.value, owner, plan);
}

const verifyFrom = (before: Standing, owner: Player, plan: Plan): Result<Plan> =>
  tryAll(
    plan.map((node, at) => ({ node, path: `tree.${at}`, before })),
    'tree',
    owner,
  );

/** Tries the nodes of one place. Two may mean one move that is written in two ways. */
function tryAll(nodes: readonly Untried[], path: string, owner: Player): Result<Plan> {
  const tried = each(nodes, (node) => tryNode(node, owner));
  return tried.ok ? (twinFault(tried.value, path) ?? tried) : tried;
}

/** Tries one node, and what follows it. */
function tryNode({ node: given, path, before }: Untried, owner: Player): Result<PlanNode> {
  const node = withMove(given, 'when', before, path);
  if (!node.ok) return inWords(node.refusal, given.when!);
  const after = occasion(node.value, path, before, owner);
  if (!after.ok) return after;
  return answerFault(node.value, path, after.value.turn) ?? tryAnswer(node.value, path, after.value, owner);
}

/** Tries the answer of a node, and what follows it. */
function tryAnswer(given: PlanNode, path: string, after: Standing, owner: Player): Result<PlanNode> {
  const node = withMove(given, 'reply', after, path);
  if (!node.ok) return node;
  const below = children(node.value, path, after, owner);
  if (!below.ok) return below;
  const then = tryAll(below.value, `${path}.then`, owner);
  return then.ok ? accept(marked(node.value, then.value, after.isKnown)) : then;
}

/** The node with this move as it is stored, however it is written; as it came where the position is not known. */
function withMove(
  node: PlanNode,
  key: 'when' | 'reply',
  { game, isKnown }: Standing,
  path: string,
): Result<PlanNode> {
  const move = node[key];
  if (move === undefined || !isKnown) return accept(node);
  const read = within(`${path}.${key}`, `${path}.${key}`, readMove(game, move, null));
  return read.ok ? accept({ ...node, [key]: read.value }) : read;
}

/** One ply of the opponent on: the move that the node names, or whatever it is. */
function occasion(node: PlanNode, path: string, before: Standing, owner: Player): Result<Standing> {
  const { when, reveals } = node;
  if (when === undefined) return anyPly(before, path);
  const after = within(`${path}.when`, `${path}.reveals`, step(before, owner, when, reveals));
  return after.ok ? after : inWords(after.refusal, when);
}

/**
 * Where pieces lie face-down an answer to any move could be one to a piece that nobody has named: what is played then,
 * or is not legal, would tell of it. Elsewhere a turn is one ply.
 */
function anyPly({ game, turn }: Standing, path: string): Result<Standing> {
  if (game.ruleset.hidden) {
    return misplaced(
      `${path}.any`,
      'In a game with face-down pieces name the moves that you answer: `any` is not taken there.',
    );
  }
  if (game.outcome !== null || turn === 'owner')
    return misplaced(path, 'No move of your opponent can come here: leave this node out.');
  return accept({ game, isKnown: false, turn: 'owner' });
}

/** The same node with what followed it, and with the mark that is true now. */
function marked({ unverified: _, ...node }: PlanNode, then: Plan, isKnown: boolean): PlanNode {
  return {
    ...node,
    ...(node.then === undefined ? {} : { then }),
    ...(isKnown ? {} : { unverified: true }),
  };
}

/** Does the answer suit whoever is to move after `when`? */
function answerFault(node: PlanNode, path: string, turn: Turn): Result<never> | null {
  const { when = 'any move', reply, offerDraw, resign } = node;
  if (turn === 'nobody') return misplaced(path, `The game is over after ${when}: leave this node out.`);
  if (turn === 'opponent' && reply !== undefined) {
    return misplaced(
      `${path}.reply`,
      `Your opponent is to move again after ${when}: leave out the reply, and answer the next move in then.`,
    );
  }
  const waits = reply === undefined && offerDraw === undefined && resign === undefined;
  return turn === 'owner' && waits
    ? misplaced(`${path}.reply`, `You are to move after ${when}: add a reply, offerDraw or resign.`)
    : null;
}

/** The nodes below this one, each with what is known where it begins. */
function children(node: PlanNode, path: string, after: Standing, owner: Player): Result<readonly Untried[]> {
  const replied = (letter?: string) =>
    node.reply === undefined ? accept(after) : step(after, owner, node.reply, letter);
  const whatever = within(`${path}.reply`, `${path}.reply`, replied());
  if (!whatever.ok) return whatever;
  return each(node.then ?? [], (child, index) => {
    const at = `${path}.then.${index}`;
    const { replyRevealed } = child;
    const named = replyRevealed === undefined ? whatever : replied(replyRevealed);
    const before = within(`${path}.reply`, `${at}.replyRevealed`, named);
    if (!before.ok) return before;
    return sequelFault(at, before.value.turn) ?? accept({ node: child, path: at, before: before.value });
  });
}

/** May a node follow a reply after which this is the turn? */
function sequelFault(path: string, turn: Turn): Result<never> | null {
  if (turn === 'nobody') return misplaced(path, 'The game is over after the reply: leave this node out.');
  return turn === 'owner'
    ? misplaced(path, 'The tree stops at a reply that does not end your turn: leave this node out.')
    : null;
}

/** One ply on; `letter` is the piece that it is to turn up. */
function step(from: Standing, owner: Player, move: string, letter?: string): Result<Standing> {
  const { game, isKnown } = from;
  if (!isKnown) return guess(game, move, letter);
  const square = rules.turnsUp(game, move);
  if (!square.ok) return square;
  if (square.value === null || letter !== undefined) return played(game, owner, move, letter ?? null);
  const letters = [...new Set(game.ruleset.mayTurnUp(rules.position(game)))];
  if (letters.length === 1) return played(game, owner, move, letters[0]!);
  const turns = new Set(letters.map((one) => turnOf(played(game, owner, move, one))));
  return accept({ game, isKnown: false, turn: turns.size === 1 ? [...turns][0]! : 'unknown' });
}

const turnOf = (tried: Result<Standing>): Turn => (tried.ok ? tried.value.turn : 'unknown');

function played(game: Game, owner: Player, move: string, reveal: string | null): Result<Standing> {
  const next = rules.play(game, move, reveal);
  if (!next.ok) return next;
  return accept({ game: next.value.game, isKnown: true, turn: turnIn(next.value.game, owner) });
}

/** Move faults that are none of the position. */
const ALWAYS: readonly (MoveFault | undefined)[] = ['malformed', 'offBoard'];

/** One ply on where the position is unknown: only what is wrong in every position is refused. */
function guess(game: Game, move: string, letter?: string): Result<Standing> {
  const found = rules.find(game, move);
  if (!found.ok && ALWAYS.includes(found.refusal.fault)) return found;
  const letters = [...new Set(game.ruleset.mayTurnUp(rules.position(game)))].join('');
  if (letter !== undefined && !letters.includes(letter)) {
    return refuse('INVALID_REVEAL', 'reveals', `What is still face-down is one of ${letters}.`);
  }
  return accept({ game, isKnown: false, turn: 'unknown' });
}

function turnIn(game: Game, owner: Player): Turn {
  if (game.outcome !== null) return 'nobody';
  return game.ruleset.turn(rules.position(game)) === owner ? 'owner' : 'opponent';
}

/** The same answer, a refusal with its place in the tree: that of the move, or that of the letter. */
function within<T>(move: string, letter: string, tried: Result<T>): Result<T> {
  if (tried.ok) return tried;
  const field = tried.refusal.code === 'INVALID_REVEAL' ? letter : move;
  return { ok: false, refusal: { ...tried.refusal, field } };
}

/** The rules speak to the player who moves; here that is the opponent of the reader. */
function inWords(refusal: Refusal, move: string): Result<never> {
  const isMove = refusal.code === 'ILLEGAL_MOVE';
  const message = isMove
    ? `Your opponent cannot play ${move} there, and would read: ${refusal.message}`
    : refusal.message;
  return { ok: false, refusal: { ...refusal, message } };
}

const misplaced = (field: string, message: string): Result<never> =>
  refuse('INVALID_CONDITIONAL_MOVES', field, message);
