import { opponent, type Outcome, type Player, type Ruleset } from './ruleset.js';

/** Which player of a game that is over makes ply 1 of its rematch; `outcome` is null where it came to none. */
export function firstOfRematch<P>({ rematch }: Pick<Ruleset<P>, 'rematch'>, outcome: Outcome | null): Player {
  const swapped = opponent('first');
  return rematch === 'winnerStarts' ? (outcome?.winner ?? swapped) : swapped;
}
