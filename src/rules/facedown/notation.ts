import type { Move } from '../ruleset.js';
import { captured, squaresOf } from './play.js';
import { EMPTY, FACE_DOWN, type Position } from './position.js';

/**
 * The move as written for people: `a1(N)`, `a1-a2`, `a1xa2`, `a1?a2(n)x`, `a1?a2(P)`, `pass`. What has not been
 * turned up yet (`reveal` null) is `a1(?)` and, as an attempt, `a1?a2`.
 */
export function san(position: Position, move: Move, reveal: string | null): string {
  const squares = squaresOf(position, move);
  if (squares === null) return 'pass';
  const from = position.rules.geometry.names[squares.from]!;
  const to = position.rules.geometry.names[squares.to]!;
  if (from === to) return `${from}(${reveal ?? '?'})`;
  const target = position.board[squares.to];
  if (target === EMPTY) return `${from}-${to}`;
  if (target !== FACE_DOWN) return `${from}x${to}`;
  if (reveal === null) return `${from}?${to}`;
  return `${from}?${to}(${reveal})${captured(position, move, reveal) === null ? '' : 'x'}`;
}
