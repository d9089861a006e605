import { occurrences, present } from './repetition.js';
import type { Claim, History, Ruleset } from './ruleset.js';

/** What each claim counts up to: occurrences of the position, and quiet plies. */
export const NEEDED: Readonly<Record<Claim, number>> = { threefoldRepetition: 3, fiftyMoves: 100 };

/** How far a history has come to what the claim needs. */
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
