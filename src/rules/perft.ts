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
  if (depth === 1) return ruleset.countLegalMoves(position);
  let nodes = 0;
  for (const move of ruleset.legalMoves(position)) {
    const square = ruleset.turnsUp(position, move);
    const reveal = square === null ? null : identity(square);
    nodes += perft(ruleset, ruleset.play(position, move, reveal), depth - 1, identity);
  }
  return nodes;
}
