import type { Claim, Outcome, Player } from '../rules/ruleset.js';
import { deadlineOf, reminderOf, secondsBehind, type Clock, type Stop, type Turn } from './clock.js';
import { NO_OFFERS, type Offers } from './offers.js';
import { turnClock, type TimeControl } from './time-control.js';

/** The state of a game apart from the board: players, clocks and offers. Instants are milliseconds since 1970. */

export const STATUSES = ['pending', 'active', 'paused', 'finished', 'aborted'] as const;
export type Status = (typeof STATUSES)[number];

/** An accepted takeback: its version, and the ply to which play returned. */
export interface Takeback {
  readonly seq: number;
  readonly ply: number;
}

export interface GameState {
  readonly status: Status;
  readonly version: number;
  readonly plyCount: number;
  /** The player to move; null before the start and after the end. */
  readonly turn: Player | null;
  readonly rated: boolean;
  readonly timeControl: TimeControl;
  readonly turnStartedAt: number;
  readonly clock: Clock;
  readonly offers: Offers;
  readonly takebacks: readonly Takeback[];
  /** Not null when the game is over. */
  readonly outcome: Outcome | null;
  readonly deadlineAt: number | null;
  /** When the clock next has something to do other than running out. */
  readonly wakeAt: number | null;
}

/** An entry of the log. */
export interface LogEntry {
  /** One of EVENT_TYPES in acts/registry.ts. */
  readonly type: string;
  readonly player: Player | null;
  readonly data?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
  /** Further data whose values are instants. */
  readonly instants?: Readonly<Record<string, number>>;
}

/** The result of an act: the new state and its log entries. */
export interface Decision {
  readonly state: GameState;
  readonly log: readonly LogEntry[];
  /** When it takes effect; acts of the clock have their own time. */
  readonly at: number;
  /** The ply to which play returns, for a takeback. */
  readonly returnsTo?: number;
}

export const isOver = ({ status }: Pick<GameState, 'status'>): boolean =>
  status === 'finished' || status === 'aborted';

/** True if the turn has run out. A move at the deadline itself is in time. */
export const isOverdue = ({ deadlineAt }: Pick<GameState, 'deadlineAt'>, now: number): boolean =>
  deadlineAt !== null && now > deadlineAt;

export const turnOf = ({ turnStartedAt, clock }: GameState): Turn => ({ startedAt: turnStartedAt, clock });

/** When the pause ends after notice was given; null otherwise. */
export function resumesAt({ status, turnStartedAt, clock }: GameState): number | null {
  const until = status === 'paused' ? clock.stops.findLast(({ kind }) => kind === 'pause')?.until : null;
  return until == null ? null : turnStartedAt + until * 1000;
}

/** The state with its derived times. */
export function timed(state: GameState): GameState {
  if (state.turn === null) return { ...state, deadlineAt: null, wakeAt: null };
  return { ...state, deadlineAt: deadlineOf(turnOf(state)), wakeAt: wakeOf(state) };
}

function wakeOf(state: GameState): number | null {
  const { first, second } = state.clock.away;
  // No reminders in a pause, even if a vacation has moved the moment.
  const reminds = state.status === 'active' && !state.clock.reminded;
  const reminder = reminds ? reminderOf(turnOf(state)) : null;
  const moments = [reminder, resumesAt(state), first?.until ?? null, second?.until ?? null];
  return moments.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b)), null);
}

export const withTurn = (state: GameState, turn: Player, at: number): GameState =>
  timed({
    ...state,
    turn,
    turnStartedAt: at,
    clock: turnClock(state.timeControl, state.clock, turn, at),
  });

/** The decision of an act that makes this change. */
export const decide = (
  state: GameState,
  change: Partial<GameState>,
  log: readonly LogEntry[],
  at: number,
): Decision => ({
  state: timed({ ...state, ...change }),
  log,
  at,
});

/** The decision of an act that ends the game. */
export function finish(state: GameState, outcome: Outcome, log: readonly LogEntry[], at: number): Decision {
  const status = outcome.reason === 'aborted' ? 'aborted' : 'finished';
  const over = timed({ ...state, status, turn: null, offers: NO_OFFERS, outcome });
  const end: LogEntry = { type: 'end', player: null, data: { ...outcome } };
  return { state: over, log: [...log, end], at };
}

export const won = (player: Player, reason: Outcome['reason']): Outcome => ({ winner: player, reason });
export const drawn = (reason: Outcome['reason']): Outcome => ({ winner: null, reason });

/** The outcome of a timeout: a draw if the opponent could never win. */
export const timeoutFor = (winner: Player, canWin: boolean): Outcome =>
  canWin ? won(winner, 'timeout') : drawn('timeout');

export const endedBy = (
  { outcome }: GameState,
  reason: Outcome['reason'],
  winner: Player | null = null,
): boolean => outcome?.reason === reason && outcome.winner === winner;

/** The log entry of a claim. */
export const claimed = (player: Player, reason: Claim): LogEntry => ({
  type: 'claimDraw',
  player,
  data: { reason },
});

/** The stops, the last of this kind ended at an instant. */
export function ended(
  state: GameState,
  kind: Stop['kind'],
  at: number,
  notice: Player | null = null,
): readonly Stop[] {
  const { stops } = state.clock;
  const last = stops.findLastIndex((stop) => stop.kind === kind);
  const until = secondsBehind(state.turnStartedAt, at);
  return stops.map((stop, index) =>
    index === last ? { ...stop, until: Math.max(stop.from, until), ...(notice && { notice }) } : stop,
  );
}

/** The clock, with the reminder to be sent again if its moment now lies in the future. */
export function reminding(state: GameState, clock: Clock, now: number): Clock {
  const reminder = reminderOf({ startedAt: state.turnStartedAt, clock });
  return { ...clock, reminded: clock.reminded && !(reminder !== null && reminder > now) };
}
