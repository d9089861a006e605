import { due, flag, startVacation, withheld } from '../../arbiter/clock-acts.js';
import { isOver, type Decision } from '../../arbiter/state.js';
import { awaitedOf } from '../../engine/deals.service.js';
import type { Player } from '../../rules/ruleset.js';
import type { TurnOf } from '../calendar/calendar.service.js';
import type { VacationRow } from '../calendar/vacation.row.js';
import { isNothing, start, withEvent } from './transition.js';
import { seatOfRole, stateOf, userOf, type Transition, type GameRow, type ShownGame } from './game.row.js';

/** What the clock has done in a game by now: a pure function of its row and of its players' vacations. */

/** Stops an endless loop; each absence, pause or reminder takes one or two steps. */
const MOST_STEPS = 1000;

/** An act judged before the deadline may still be stored this long after it (commit.store.ts enforces it). */
export const STORED_LATE_MS = 1_000;

/**
 * Reads show what the clock has done only this long after it was due. By then an act judged in time has been stored or
 * has failed: locks are waited for up to three seconds.
 */
export const SHOWN_LATE_MS = 5_000;

type Moments = Pick<GameRow, 'status' | 'deadlineAt' | 'wakeAt'>;

/** Whether this player can still win from the current position. */
type CanWin = (row: GameRow, player: Player) => boolean;

/** The time at which the clock next has something to do; null if there is none. */
export function nextMoment({ status, deadlineAt, wakeAt }: Moments): number | null {
  if (isOver({ status })) return null;
  // The deadline itself is still in time.
  const moments = [...(deadlineAt ? [deadlineAt.getTime() + 1] : []), ...(wakeAt ? [wakeAt.getTime()] : [])];
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Whether the clock has something to do by now. */
export function isDue(row: Moments, now: Date): boolean {
  const next = nextMoment(row);
  return next !== null && next <= now.getTime();
}

/** The turns whose deadline has passed, before vacations that are not yet applied to their games are considered. */
export const turnsRunOut = (rows: readonly GameRow[], now: Date): readonly TurnOf[] =>
  rows
    .filter(({ turn, deadlineAt }) => turn !== null && deadlineAt !== null && deadlineAt < now)
    .map((row) => ({ userId: userOf(row, row.turn!), since: row.turnStartedAt }));

/** What the clock has done by now. A player whose vacation (in `absences`) is not yet applied to the game is not flagged. */
export function asOfNow(
  row: GameRow,
  absences: readonly VacationRow[],
  now: Date,
  canWin: CanWin,
): Transition {
  let transition: Transition = { ...start(row), byClock: true };
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const decision = due(stateOf(transition.after), now.getTime());
    if (decision === null) return transition;
    transition = withEvent(
      transition,
      decision === 'flag' ? runOut(transition.after, absences, now, canWin) : decision,
    );
  }
  throw new Error(`The clock of game ${row.id} did not settle after ${MOST_STEPS} steps`);
}

/** The row to show after this transition, which may not be stored yet. */
export const shownAfter = (transition: Transition): ShownGame =>
  isNothing(transition) ? transition.before : { ...transition.after, unstored: transition };

function runOut(row: GameRow, absences: readonly VacationRow[], now: Date, canWin: CanWin): Decision {
  const state = stateOf(row);
  if (row.turn === null) {
    return withheld(
      state,
      awaitedOf(row).map((role) => ({ role, player: seatOfRole(row, role) })),
    );
  }
  return unappliedVacation(row, absences, now) ?? flag(state, row.turn, (player) => canWin(row, player));
}

/** The start of a vacation of the side to move that began before the deadline and is not yet applied to the game. */
function unappliedVacation(row: GameRow, absences: readonly VacationRow[], now: Date): Decision | null {
  const { turn, deadlineAt } = row;
  if (turn === null) return null;
  const state = stateOf(row);
  const own = absences.filter(
    ({ userId, startsAt }) => userId === userOf(row, turn) && startsAt <= deadlineAt!,
  );
  for (const { startsAt, endsAt } of own) {
    const away = startVacation(
      state,
      turn,
      { from: startsAt.getTime(), until: endsAt.getTime() },
      now.getTime(),
    );
    if (away !== null) return away;
  }
  return null;
}
