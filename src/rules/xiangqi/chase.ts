import type { History, Move } from '../ruleset.js';
import { freeMoves, safeMoves } from './generate.js';
import { isOwnHalf } from './geometry.js';
import { fromOf, makeMove, toOf } from './move.js';
import { CANNON, CHARIOT, GENERAL, HORSE, SOLDIER, type Side } from './pieces.js';
import { play } from './play.js';
import { other, withTurn, type XiangqiPosition } from './position.js';

/** Perpetual chase, after the Asian rule. The letters are those of the rules text. */

/** True if each ply of this side newly threatens the same enemy piece. The history has no captures. */
export function chases({ positions, moves }: History<XiangqiPosition>, side: Side): boolean {
  let chased = squaresOf(positions[0]!, other(side));
  for (const [at, move] of moves.entries()) {
    const before = positions[at]!;
    chased =
      before.side === side
        ? chased.filter((target) => newlyThreatens(before, move, target))
        : chased.map((square) => (square === fromOf(move) ? toOf(move) : square));
  }
  return chased.length > 0;
}

const squaresOf = ({ cells }: XiangqiPosition, side: Side): readonly number[] =>
  [...cells.keys()].filter((square) => cells[square]! * side > 0);

/** True if the ply creates a threat to the target by a piece that did not attack it before. */
function newlyThreatens(before: XiangqiPosition, move: Move, target: number): boolean {
  if (!canBeChased(before, target)) return false; // (b)
  const after = withTurn(play(before, move), before.side);
  return safeMoves(after).some((capture) => {
    if (toOf(capture) !== target) return false; // (a)
    const attacker = fromOf(capture);
    const origin = attacker === toOf(move) ? fromOf(move) : attacker;
    return isThreat(after, attacker, target) && !aims(before, origin, target); // (e)
  });
}

/** (b) A general cannot be chased, nor a soldier that has not crossed the river. */
function canBeChased({ cells, side }: XiangqiPosition, target: number): boolean {
  const kind = Math.abs(cells[target]!);
  return kind !== GENERAL && !(kind === SOLDIER && isOwnHalf(other(side), target));
}

/**
 * (e) True if the piece could take the target, ignoring the safety of its own general, and that would be a threat.
 */
const aims = (position: XiangqiPosition, from: number, target: number): boolean =>
  freeMoves(position).includes(makeMove(from, target)) && isThreat(position, from, target);

/** (c) and (d), for a piece of the side to move that could take the target. */
function isThreat(position: XiangqiPosition, from: number, target: number): boolean {
  const { cells } = position;
  const attacker = Math.abs(cells[from]!);
  const chased = Math.abs(cells[target]!);
  if (attacker === GENERAL || attacker === SOLDIER) return false;
  if (attacker === chased && isExchange(position, from, target)) return false;
  const isWorthMore = chased === CHARIOT && (attacker === HORSE || attacker === CANNON);
  return isWorthMore || !isProtected(position, from, target);
}

/** (c) Two pieces of one kind that can take each other are no threat. */
const isExchange = (position: XiangqiPosition, from: number, target: number): boolean =>
  safeMoves(withTurn(position, other(position.side))).includes(makeMove(target, from));

/** (d) Could the other side take back? */
const isProtected = (position: XiangqiPosition, from: number, target: number): boolean =>
  safeMoves(play(position, makeMove(from, target))).some((move) => toOf(move) === target);
