import { occurrences, present } from './repetition.js';
import type { Claim, History, Ruleset } from './ruleset.js';

/** The count that each claim needs: occurrences of the position, or quiet plies. */
export const NEEDED: Readonly<Record<Claim, number>> = { threefoldRepetition: 3, fiftyMoves: 100 };

/** The current count for a claim. */
export function counted<P>(
  ruleset: Pick<Ruleset<P>, 'same' | 'quiet'>,
  history: History<P>,
  claim: Claim,
): number {
  switch (claim) {
    case 'threefoldRepetition':
      return occurrences((a, b) => ruleset.same(a, b), history);
    case 'fiftyMoves':
      return ruleset.quiet(present(history));
  }
}
