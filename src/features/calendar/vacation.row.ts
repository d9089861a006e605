import type { Vacation } from '../../arbiter/vacation.js';

/** Whole days in which a player's clocks stand still. */
export interface VacationRow {
  readonly id: string;
  readonly userId: string;
  readonly startsAt: Date;
  /** Comes nearer when it is ended early; equal to the start when it was called off. */
  readonly endsAt: Date;
  /** Days that count: those planned, or those begun when it was ended early; 0 when it was called off. */
  readonly days: number;
  /** Do the user's games know of it as it now is? */
  readonly settled: boolean;
  readonly createdAt: Date;
}

/** The row as the arbiter sees it. */
export const vacationOf = ({ startsAt, endsAt, days }: VacationRow): Vacation => ({
  startsAt: startsAt.getTime(),
  endsAt: endsAt.getTime(),
  days,
});
