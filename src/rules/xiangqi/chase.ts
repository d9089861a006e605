import type { History, Move } from '../ruleset.js';
import { freeMoves, safeMoves } from './generate.js';
import { isOwnHalf } from './geometry.js';
import { fromOf, makeMove, toOf } from './move.js';
import { CANNON, CHARIOT, GENERAL, HORSE, SOLDIER, type Side } from './pieces.js';
import { play } from './play.js';
import { other, withTurn, type XiangqiPosition } from './position.js';

/** Perpetual chase, after the Asian rule. The letters are those of the rules text. */

/** Does one enemy piece stand newly threatened after each ply of this side? Nothing is captured in the history. */
export function chases({ positions, moves }: History<XiangqiPosition>, side: Side): boolean {
  let hunted = squaresOf(positions[0]!, other(side));
  for (const [at, move] of moves.entries()) {
    const before = positions[at]!;
    hunted =
      before.side === side
        ? hunted.filter((target) => newlyThreatens(before, move, target))
        : hunted.map((square) => (square === fromOf(move) ? toOf(move) : square));
  }
  return hunted.length > 0;
}

const squaresOf = ({ cells }: XiangqiPosition, side: Side): readonly number[] =>
  [...cells.keys()].filter((square) => cells[square]! * side > 0);

/** Does the ply make one of its side's pieces threaten the target, which did not aim at it before? */
function newlyThreatens(before: XiangqiPosition, move: Move, target: number): boolean {
  if (!isPrey(before, target)) return false; // (b)
  const after = withTurn(play(before, move), before.side);
  return safeMoves(after).some((capture) => {
    if (toOf(capture) !== target) return false; // (a)
    const hunter = fromOf(capture);
    const stood = hunter === toOf(move) ? fromOf(move) : hunter;
    return isThreat(after, hunter, target) && !aims(before, stood, target); // (e)
  });
}

/** (b) A general cannot be chased, nor a soldier that has not crossed the river. */
function isPrey({ cells, side }: XiangqiPosition, target: number): boolean {
  const kind = Math.abs(cells[target]!);
  return kind !== GENERAL && !(kind === SOLDIER && isOwnHalf(other(side), target));
}

/** (e) Could the piece take the target, its own general left out of account, and would that be a threat? */
const aims = (position: XiangqiPosition, from: number, target: number): boolean =>
  freeMoves(position).includes(makeMove(from, target)) && isThreat(position, from, target);

/** (c) and (d), for a piece of the side to move that could take the target. */
function isThreat(position: XiangqiPosition, from: number, target: number): boolean {
  const { cells } = position;
  const hunter = Math.abs(cells[from]!);
  const hunted = Math.abs(cells[target]!);
  if (hunter === GENERAL || hunter === SOLDIER) return false;
  if (hunter === hunted && isExchange(position, from, target)) return false;
  const isWorthMore = hunted === CHARIOT && (hunter === HORSE || hunter === CANNON);
  return isWorthMore || !isProtected(position, from, target);
}

/** (c) Two of one kind that can take each other threaten nothing. */
const isExchange = (position: XiangqiPosition, from: number, target: number): boolean =>
  safeMoves(withTurn(position, other(position.side))).includes(makeMove(target, from));

/** (d) Could the other side take back? */
const isProtected = (position: XiangqiPosition, from: number, target: number): boolean =>
  safeMoves(play(position, makeMove(from, target))).some((move) => toOf(move) === target);
