import { due, flag, goAway, withheld } from '../../arbiter/clock-acts.js';
import { isOver, type Decision } from '../../arbiter/state.js';
import { awaitedOf } from '../../engine/deals.service.js';
import type { Player } from '../../rules/ruleset.js';
import type { TurnOf } from '../calendar/calendar.service.js';
import type { VacationRow } from '../calendar/vacation.row.js';
import { isNothing, start, withEvent } from './transition.js';
import { seatOfRole, stateOf, userOf, type Transition, type GameRow, type ShownGame } from './game.row.js';

/** What the clock has done in a game by now, as a pure function of its row and of the vacations of its players. */

/** Of a clock in one game at one moment: each absence, pause and notice of its players is one or two. */
const MOST_STEPS = 1000;

/** An act that was judged in time is stored up to so long behind the deadline: commit.store.ts guards it. */
export const STORED_LATE_MS = 1_000;

/**
 * Reads show what the clock has done, and nobody has stored, so long behind its moment: by then no act that was judged in
 * time is on its way any more. Locks are waited for up to three seconds.
 */
export const SHOWN_LATE_MS = 5_000;

type Moments = Pick<GameRow, 'status' | 'deadlineAt' | 'wakeAt'>;

/** Can this player still win, as the board stands? */
type CanWin = (row: GameRow, player: Player) => boolean;

/** When the clock next has something to do; null while it has nothing to wait for. */
export function nextMoment({ status, deadlineAt, wakeAt }: Moments): number | null {
  if (isOver({ status })) return null;
  // The deadline itself is still in time.
  const moments = [...(deadlineAt ? [deadlineAt.getTime() + 1] : []), ...(wakeAt ? [wakeAt.getTime()] : [])];
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Has the clock something to do? */
export function isDue(row: Moments, now: Date): boolean {
  const next = nextMoment(row);
  return next !== null && next <= now.getTime();
}

/** The turns that have run out, unless a vacation that their games have not heard of has stopped them. */
export const turnsRunOut = (rows: readonly GameRow[], now: Date): readonly TurnOf[] =>
  rows
    .filter(({ turn, deadlineAt }) => turn !== null && deadlineAt !== null && deadlineAt < now)
    .map((row) => ({ userId: userOf(row, row.turn!), since: row.turnStartedAt }));

/** What the clock has done by now. Nobody is flagged whose vacation, among `absences`, the game has not heard of yet. */
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
  throw new Error(`The clock of game ${row.id} comes to no end`);
}

/** The row as it is shown once this act has been done, whether anybody has stored it or not. */
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
  return unheardOf(row, absences, now) ?? flag(state, row.turn, (player) => canWin(row, player));
}

/** The beginning of a vacation of the late player that began in time, and that his game does not know of. */
function unheardOf(row: GameRow, absences: readonly VacationRow[], now: Date): Decision | null {
  const { turn, deadlineAt } = row;
  if (turn === null) return null;
  const state = stateOf(row);
  const own = absences.filter(
    ({ userId, startsAt }) => userId === userOf(row, turn) && startsAt <= deadlineAt!,
  );
  for (const { startsAt, endsAt } of own) {
    const away = goAway(state, turn, { from: startsAt.getTime(), until: endsAt.getTime() }, now.getTime());
    if (away !== null) return away;
  }
  return null;
}
