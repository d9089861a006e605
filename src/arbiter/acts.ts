import type { Outcome, Player } from '../rules/ruleset.js';

/** Who may do what in which state of a game. */

export const STATUSES = ['pending', 'active', 'finished', 'aborted'] as const;
export type Status = (typeof STATUSES)[number];

/** What the arbiter looks at. */
export interface Table {
  readonly status: Status;
  readonly plyCount: number;
  /** Who is to move; null when the game is over. */
  readonly turn: Player | null;
  /** Milliseconds since 1970, or null. */
  readonly deadlineAt: number | null;
}

export const OBJECTIONS = [
  'GAME_OVER',
  'GAME_PENDING',
  'DEADLINE_PASSED',
  'STALE_PLY',
  'NOT_YOUR_TURN',
  'TOO_LATE_TO_ABORT',
] as const;

/** Why an act is refused: a stable code, and what to do in words. */
export interface Objection {
  readonly code: (typeof OBJECTIONS)[number];
  readonly message: string;
}

export const isOver = (table: Table): boolean => table.status === 'finished' || table.status === 'aborted';

/** Has the turn run out? The deadline itself is still in time. */
export const isOverdue = (table: Table, now: number): boolean =>
  table.deadlineAt !== null && now > table.deadlineAt;

/** What stands against ply number `ply` by this player now, or null. */
export function objectionToMove(table: Table, player: Player, ply: number, now: number): Objection | null {
  return (
    // First: what was asked for is already decided, however the game has gone on.
    (ply <= table.plyCount ? stalePly(table) : null) ??
    objectionToAny(table, now) ??
    (ply !== table.plyCount + 1 ? stalePly(table) : null) ??
    (player !== table.turn ? { code: 'NOT_YOUR_TURN', message: 'It is your opponent who is to move.' } : null)
  );
}

/** What stands against resigning, which needs no turn, or null. */
export const objectionToResign = (table: Table, now: number): Objection | null => objectionToAny(table, now);

/** What stands against calling the game off, or null: it may be done until ply 2 has been played. */
export function objectionToAbort(table: Table, now: number): Objection | null {
  if (table.status === 'pending') return isOverdue(table, now) ? tooLate : null;
  const late = {
    code: 'TOO_LATE_TO_ABORT',
    message: 'After ply 2 a game is resigned, not aborted.',
  } as const;
  return objectionToAny(table, now) ?? (table.plyCount >= 2 ? late : null);
}

export const afterResignation = (player: Player): Outcome => ({
  winner: player === 'first' ? 'second' : 'first',
  reason: 'resignation',
});

export const afterAbort: Outcome = { winner: null, reason: 'aborted' };

/** The result of a turn that ran out: a draw when the opponent could never win. */
export const afterTimeout = (opponent: Player, opponentCanWin: boolean): Outcome => ({
  winner: opponentCanWin ? opponent : null,
  reason: 'timeout',
});

const tooLate: Objection = { code: 'DEADLINE_PASSED', message: 'The time for this turn is over.' };

function objectionToAny(table: Table, now: number): Objection | null {
  if (isOver(table)) return { code: 'GAME_OVER', message: 'The game is over.' };
  if (isOverdue(table, now)) return tooLate;
  if (table.status === 'pending') {
    return { code: 'GAME_PENDING', message: 'The game waits for the client seed of its creator.' };
  }
  return null;
}

const stalePly = (table: Table): Objection => ({
  code: 'STALE_PLY',
  message: isOver(table)
    ? `The game ended with ply ${table.plyCount}.`
    : `The next ply is number ${table.plyCount + 1}. Read the game and decide again.`,
});
