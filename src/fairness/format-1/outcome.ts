import { position, type Game } from '../../rules/play.js';
import { CLAIMS, opponent, type Claim, type Outcome } from '../../rules/ruleset.js';
import { outcomeText } from '../outcome-text.js';
import type { GameRecord, Status } from './record.js';

/** Checks a recorded end against the rules, or whether players or the clock can have ended the game this way. */

const isClaim = (reason: string): reason is Claim => (CLAIMS as readonly string[]).includes(reason);

/** What is wrong with the recorded outcome and status, `final` being the game after the last ply. */
export function outcomeFaults(final: Game<unknown>, { outcome, status }: GameRecord): readonly string[] {
  const wrong =
    final.outcome === null ? undecidedFault(final, outcome) : decidedFault(final.outcome, outcome);
  return [wrong, statusFault(status, outcome)].filter((fault) => fault !== null);
}

const decidedFault = (given: Outcome, recorded: Outcome | null): string | null =>
  given.winner === recorded?.winner && given.reason === recorded.reason
    ? null
    : `the rules give ${outcomeText(given)}; the record says ${outcomeText(recorded)}`;

/** Without an end on the board only players, a claim or the clock can have ended the game. */
function undecidedFault(final: Game<unknown>, recorded: Outcome | null): string | null {
  if (recorded === null) return null;
  const { reason, winner } = recorded;
  if (isClaim(reason)) return claimFault(final, reason) ?? winnerFault(recorded, null);
  if (reason === 'timeout') return winnerFault(recorded, timeoutWinner(final));
  if (reason === 'agreement' || reason === 'aborted') return winnerFault(recorded, null);
  if (reason === 'resignation') return winner === null ? 'a resignation must have a winner' : null;
  return `the record says ${outcomeText(recorded)}; by the rules the game goes on`;
}

const claimFault = (final: Game<unknown>, claim: Claim): string | null =>
  final.ruleset.claimable(final.history).includes(claim)
    ? null
    : `${claim} does not hold in the last position`;

const winnerFault = (recorded: Outcome, winner: Outcome['winner']): string | null =>
  recorded.winner === winner
    ? null
    : `the record says ${outcomeText(recorded)}; with this reason it must be ${winner === null ? 'no winner' : `${winner} wins`}`;

/** On a timeout the opponent of the player to move wins, unless they could never win. */
function timeoutWinner(final: Game<unknown>): Outcome['winner'] {
  const waiting = opponent(final.ruleset.turn(position(final)));
  return final.ruleset.canWin(position(final), waiting) ? waiting : null;
}

const RUNNING: readonly Status[] = ['pending', 'active', 'paused'];

function statusFault(status: Status, outcome: Outcome | null): string | null {
  const ended: Status = outcome?.reason === 'aborted' ? 'aborted' : 'finished';
  const due = outcome === null ? RUNNING : [ended];
  return due.includes(status)
    ? null
    : `the status is ${status}; with ${outcomeText(outcome)} it must be ${due.join(' or ')}`;
}
