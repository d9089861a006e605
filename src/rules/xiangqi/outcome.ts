import { occurrences, present } from '../repetition.js';
import type { History, Outcome, Player } from '../ruleset.js';
import { inCheck } from './attack.js';
import { chases } from './chase.js';
import { countFreeMoves, countSafeMoves } from './generate.js';
import { NO_SQUARE } from './geometry.js';
import { BLACK, RED, crosses, type Side } from './pieces.js';
import {
  generalOf,
  has,
  other,
  playerOf,
  samePosition,
  sidePlayedBy,
  type XiangqiPosition,
} from './position.js';

/** How games end: the first that holds, in the normative order. */

const QUIET_LIMIT = 120;
const SIDES = [RED, BLACK] as const;

const draw = (reason: Outcome['reason']): Outcome => ({ winner: null, reason });

/** The outcome under king capture. */
export function freeOutcome(history: History<XiangqiPosition>): Outcome | null {
  const position = present(history);
  const winner = playerOf(other(position.side));
  if (generalOf(position, position.side) === NO_SQUARE) return { winner, reason: 'kingCaptured' };
  if (countFreeMoves(position) === 0) return { winner, reason: 'noLegalMove' };
  if (isDead(position)) return draw('insufficientMaterial');
  if (occurrences(samePosition, history) >= 3) return draw('threefoldRepetition');
  return position.quiet >= QUIET_LIMIT ? draw('quietLimit') : null;
}

/** The outcome under tournament rules. */
export function safeOutcome(history: History<XiangqiPosition>): Outcome | null {
  const position = present(history);
  if (countSafeMoves(position) === 0) {
    return {
      winner: playerOf(other(position.side)),
      reason: inCheck(position) ? 'checkmate' : 'noLegalMove',
    };
  }
  if (isDead(position)) return draw('insufficientMaterial');
  if (occurrences(samePosition, history) >= 3) return judgeRepetition(sinceFirst(history));
  return position.quiet >= QUIET_LIMIT ? draw('quietLimit') : null;
}

/** Could this player still win? Only with a piece that can cross the river. */
export const canWin = (position: XiangqiPosition, player: Player): boolean =>
  has(position, sidePlayedBy(player), crosses);

const isDead = (position: XiangqiPosition): boolean =>
  !has(position, RED, crosses) && !has(position, BLACK, crosses);

/** The history from the first occurrence of its present position on. */
function sinceFirst({ positions, moves }: History<XiangqiPosition>): History<XiangqiPosition> {
  const last = positions.at(-1)!;
  const first = positions.findIndex((position) => samePosition(position, last));
  return { positions: positions.slice(first), moves: moves.slice(first) };
}

/** A player who alone gives perpetual check loses; else one who alone chases perpetually; else it is a draw. */
function judgeRepetition(history: History<XiangqiPosition>): Outcome {
  const checking = SIDES.filter((side) => alwaysChecks(history, side));
  if (checking.length === 2) return draw('threefoldRepetition');
  if (checking.length === 1) return { winner: playerOf(other(checking[0]!)), reason: 'perpetualCheck' };
  const chasing = SIDES.filter((side) => chases(history, side));
  if (chasing.length !== 1) return draw('threefoldRepetition');
  return { winner: playerOf(other(chasing[0]!)), reason: 'perpetualChase' };
}

/** True if each ply of this side gave check. */
const alwaysChecks = ({ positions }: History<XiangqiPosition>, side: Side): boolean =>
  positions.every((position, at) => at === 0 || position.side === side || inCheck(position));
