import { opponent, type Outcome, type Player, type Ruleset } from './ruleset.js';

/** The player of a finished game who makes ply 1 of its rematch; `outcome` is null if it had none. */
export function firstOfRematch<P>({ rematch }: Pick<Ruleset<P>, 'rematch'>, outcome: Outcome | null): Player {
  const swapped = opponent('first');
  return rematch === 'winnerStarts' ? (outcome?.winner ?? swapped) : swapped;
}
