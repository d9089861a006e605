import type { History, Ruleset } from './ruleset.js';

/** The current position of a history. */
export const present = <P>(history: History<P>): P => history.positions.at(-1)!;

/** How often the current position has occurred, including now. */
export function occurrences<P>(same: Ruleset<P>['same'], history: History<P>): number {
  const last = present(history);
  let count = 0;
  for (const position of history.positions) if (same(position, last)) count++;
  return count;
}
