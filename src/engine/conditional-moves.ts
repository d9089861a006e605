import { duplicateFault, type Plan, type PlanNode } from '../arbiter/conditional-moves.js';
import { readMove } from '../formats/move.js';
import * as rules from '../rules/play.js';
import { accept, each, refuse, type MoveFault, type Refusal, type Result } from '../rules/result.js';
import type { Player } from '../rules/ruleset.js';

/** Checks conditional moves against their game. */

type Game = rules.Game<unknown>;

/** Who is to move, seen from the owner of the plan; nobody if the game is over. */
type Turn = 'owner' | 'opponent' | 'nobody' | 'unknown';

/** What is known of the game at one node of the tree. */
interface Standing {
  /** The game at the node, or after an unknown turn-up the last one that is known. */
  readonly game: Game;
  readonly isKnown: boolean;
  readonly turn: Turn;
}

/** A node that is still to be checked. */
interface Untried {
  readonly node: PlanNode;
  /** For example `tree.0.then.2`. */
  readonly path: string;
  readonly before: Standing;
}

/**
 * Checks a plan on a game in which the owner's opponent is to move. What depends on an unknown piece is returned
 * marked `unverified`; moves are returned in coordinates. Refused with the path of the fault: ILLEGAL_MOVE or
 * AMBIGUOUS_MOVE; INVALID_REVEAL for a letter that cannot turn up; INVALID_CONDITIONAL_MOVES for a node that the game
 * cannot reach.
 */
export function verifyPlan(game: Game, owner: Player, plan: Plan): Result<Plan> {
  return verifyFrom({ game, isKnown: true, turn: turnIn(game, owner) }, owner, plan);
}

/**
 * Like verifyPlan, for a plan sent with a move of its owner. It is checked from the board before that move, so that a
 * refusal does not tell what the move would turn up. Empty if nothing can follow the move. Also refused if the move
 * is illegal.
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

/** Checks siblings. Two of them may write the same move differently. */
function tryAll(nodes: readonly Untried[], path: string, owner: Player): Result<Plan> {
  const tried = each(nodes, (node) => tryNode(node, owner));
  return tried.ok ? (duplicateFault(tried.value, path) ?? tried) : tried;
}

/** Checks one node and its children. */
function tryNode({ node: given, path, before }: Untried, owner: Player): Result<PlanNode> {
  const node = withMove(given, 'when', before, path);
  if (!node.ok) return toldToOpponent(node.refusal, given.when!);
  const after = occasion(node.value, path, before, owner);
  if (!after.ok) return after;
  return answerFault(node.value, path, after.value.turn) ?? tryAnswer(node.value, path, after.value, owner);
}

/** Checks the answer of a node and its children. */
function tryAnswer(given: PlanNode, path: string, after: Standing, owner: Player): Result<PlanNode> {
  const node = withMove(given, 'reply', after, path);
  if (!node.ok) return node;
  const below = children(node.value, path, after, owner);
  if (!below.ok) return below;
  const then = tryAll(below.value, `${path}.then`, owner);
  return then.ok ? accept(marked(node.value, then.value, after.isKnown)) : then;
}

/** The node with this move in coordinates; unchanged if the position is not known. */
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

/** The game after the opponent's ply: the named move, or any. */
function occasion(node: PlanNode, path: string, before: Standing, owner: Player): Result<Standing> {
  const { when, reveals } = node;
  if (when === undefined) return anyPly(before, path);
  const after = within(`${path}.when`, `${path}.reveals`, step(before, owner, when, reveals));
  return after.ok ? after : toldToOpponent(after.refusal, when);
}

/**
 * Refused with face-down pieces, since whether the answer is played would tell which piece was turned up. In other
 * games a turn is one ply.
 */
function anyPly({ game, turn }: Standing, path: string): Result<Standing> {
  if (game.ruleset.hidden) {
    return misplaced(
      `${path}.any`,
      'any cannot be used in a game with face-down pieces. Name the move that you answer in when.',
    );
  }
  if (game.outcome !== null || turn === 'owner')
    return misplaced(path, 'Your opponent cannot move at this point. Leave this node out.');
  return accept({ game, isKnown: false, turn: 'owner' });
}

/** The node with its checked children and an up-to-date mark. */
function marked({ unverified: _, ...node }: PlanNode, then: Plan, isKnown: boolean): PlanNode {
  return {
    ...node,
    ...(node.then === undefined ? {} : { then }),
    ...(isKnown ? {} : { unverified: true }),
  };
}

/** Refuses an answer that does not match the side to move after `when`. */
function answerFault(node: PlanNode, path: string, turn: Turn): Result<never> | null {
  const { when = 'any move', reply, offerDraw, resign } = node;
  if (turn === 'nobody') return misplaced(path, `The game would be over after ${when}. Leave this node out.`);
  if (turn === 'opponent' && reply !== undefined) {
    return misplaced(
      `${path}.reply`,
      `After ${when} it would still be your opponent’s turn. Leave out reply, and answer the next move in then.`,
    );
  }
  const waits = reply === undefined && offerDraw === undefined && resign === undefined;
  return turn === 'owner' && waits
    ? misplaced(`${path}.reply`, `After ${when} it would be your turn. Add reply, offerDraw or resign.`)
    : null;
}

/** The children of a node, each with what is known before it. */
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

/** Refuses a node after a reply that ends the game or does not end the turn. */
function sequelFault(path: string, turn: Turn): Result<never> | null {
  if (turn === 'nobody')
    return misplaced(path, 'The game would be over after the reply. Leave this node out.');
  return turn === 'owner'
    ? misplaced(path, 'The reply does not end your turn, so nothing can follow it here. Leave this node out.')
    : null;
}

/** The game after one ply; `letter` is the piece that it turns up. */
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

/** Faults that a move has in every position. */
const ALWAYS: readonly (MoveFault | undefined)[] = ['malformed', 'offBoard'];

/** One ply from an unknown position: refuses only what is wrong in every position. */
function guess(game: Game, move: string, letter?: string): Result<Standing> {
  const found = rules.find(game, move);
  if (!found.ok && ALWAYS.includes(found.refusal.fault)) return found;
  const letters = [...new Set(game.ruleset.mayTurnUp(rules.position(game)))].join('');
  if (letter !== undefined && !letters.includes(letter)) {
    return refuse('INVALID_REVEAL', 'reveals', rules.notFaceDown(letter, letters));
  }
  return accept({ game, isKnown: false, turn: 'unknown' });
}

function turnIn(game: Game, owner: Player): Turn {
  if (game.outcome !== null) return 'nobody';
  return game.ruleset.turn(rules.position(game)) === owner ? 'owner' : 'opponent';
}

/** Sets the path of a refusal: that of the letter for INVALID_REVEAL, else that of the move. */
function within<T>(move: string, letter: string, tried: Result<T>): Result<T> {
  if (tried.ok) return tried;
  const field = tried.refusal.code === 'INVALID_REVEAL' ? letter : move;
  return { ok: false, refusal: { ...tried.refusal, field } };
}

/** The rules address the player who moves, who is the reader's opponent here. */
function toldToOpponent(refusal: Refusal, move: string): Result<never> {
  const isMove = refusal.code === 'ILLEGAL_MOVE';
  const message = isMove ? `Your opponent cannot play ${move} here. ${refusal.message}` : refusal.message;
  return { ok: false, refusal: { ...refusal, message } };
}

const misplaced = (field: string, message: string): Result<never> =>
  refuse('INVALID_CONDITIONAL_MOVES', field, message);
