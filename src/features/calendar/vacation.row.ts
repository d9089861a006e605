import type { Vacation } from '../../arbiter/vacation.js';

/** Whole days in which a player's clocks stand still. */
export interface VacationRow {
  readonly id: string;
  readonly userId: string;
  readonly startsAt: Date;
  /** Earlier if it was ended early; equal to the start if it was called off. */
  readonly endsAt: Date;
  /** The days that count: those planned, those begun if it was ended early, 0 if it was called off. */
  readonly days: number;
  /** Whether the user's games have been updated for it. */
  readonly settled: boolean;
  readonly createdAt: Date;
}

/** The row in the form of the arbiter. */
export const vacationOf = ({ startsAt, endsAt, days }: VacationRow): Vacation => ({
  startsAt: startsAt.getTime(),
  endsAt: endsAt.getTime(),
  days,
});
