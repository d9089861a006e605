import type { Ruleset } from './ruleset.js';

/**
 * Counts the move sequences of `depth` plies from a position, the field's check of a move generator.
 * `identity` says what lies face-down on a square; draws do not stop the counting.
 */
export function perft<P>(
  ruleset: Ruleset<P>,
  position: P,
  depth: number,
  identity: (square: string) => string | null = () => null,
): number {
  if (depth === 0) return 1;
  const moves = ruleset.legalMoves(position);
  if (depth === 1) return moves.length;
  let nodes = 0;
  for (const move of moves) {
    const square = ruleset.turnsUp(position, move);
    const reveal = square === null ? null : identity(square);
    nodes += perft(ruleset, ruleset.play(position, move, reveal), depth - 1, identity);
  }
  return nodes;
}
