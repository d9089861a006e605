import { occurrences, present } from '../repetition.js';
import { opponent, type History, type Outcome, type Player } from '../ruleset.js';
import { perpetualAttacker } from './attack.js';
import { countLegalMoves } from './generate.js';
import { same, sideOfPlayer, wipedOut, type Position } from './position.js';

const lost = (loser: Player, reason: Outcome['reason']): Outcome => ({ winner: opponent(loser), reason });

function repetition(history: History<Position>): Outcome {
  const attacker = present(history).rules.attackForbidden ? perpetualAttacker(history) : null;
  return attacker === null
    ? { winner: null, reason: 'threefoldRepetition' }
    : lost(attacker, 'perpetualAttack');
}

/** The outcome after the last ply of the history; the first that holds counts. */
export function outcome(history: History<Position>): Outcome | null {
  const position = present(history);
  const gone = wipedOut(position);
  if (gone !== null)
    return lost(sideOfPlayer(position, 'first') === gone ? 'first' : 'second', 'allPiecesCaptured');
  if (countLegalMoves(position) === 0) return lost(position.turn, 'noLegalMove');
  if (occurrences(same, history) >= 3) return repetition(history);
  return position.quiet >= position.rules.quietLimit ? { winner: null, reason: 'quietLimit' } : null;
}
