import type { Outcome, Player } from '../rules/ruleset.js';
import { deadlineOf, reminderOf, type Clock, type Turn } from './clock.js';
import { turnClock, type TimeControl } from './time-control.js';

/** A game as the arbiter sees it: seats, clocks and offers, without the board. Instants are milliseconds since 1970. */

export const STATUSES = ['pending', 'active', 'paused', 'finished', 'aborted'] as const;
export type Status = (typeof STATUSES)[number];

export interface Offer {
  readonly by: Player;
  readonly at: number;
}

export interface TakebackOffer extends Offer {
  /** The ply after which play would go on. */
  readonly ply: number;
}

/** What waits for an answer. */
export interface Offers {
  readonly draw: Offer | null;
  readonly takeback: TakebackOffer | null;
  readonly pause: Offer | null;
  /** Own moves that a player whose draw offer was refused has to make before the next one. */
  readonly refused: Readonly<Record<Player, number>>;
}

/** A takeback that was accepted: the version that it made, and the ply to which play returned. */
export interface Takeback {
  readonly seq: number;
  readonly ply: number;
}

export interface Table {
  readonly status: Status;
  readonly version: number;
  readonly plyCount: number;
  /** Who is to move; null when the game is over or has not begun. */
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
  /** When the clock next does something of its own, but run out. */
  readonly wakeAt: number | null;
}

/** In the order in which those of one act are told. */
export const EVENT_TYPES = [
  'accept',
  'start',
  'acceptTakeback',
  'declineDraw',
  'declineTakeback',
  'declinePause',
  'offerDraw',
  'offerTakeback',
  'offerPause',
  'acceptDraw',
  'claimDraw',
  'giveTime',
  'acceptPause',
  'unpause',
  'resume',
  'vacationStart',
  'vacationEnd',
  'reminder',
  'claimAbandoned',
  'resign',
  'abort',
  'flag',
  'adjudicate',
  'end',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What the log says of an act. */
export interface LogEntry {
  readonly type: EventType;
  readonly player: Player | null;
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
  /** Further data that are instants. */
  readonly instants?: Readonly<Record<string, number>>;
}

/** What an act makes of a table. */
export interface Decision {
  readonly table: Table;
  readonly log: readonly LogEntry[];
  /** When it counts as done: the clock's own acts have their own time. */
  readonly at: number;
}

export const NO_OFFERS: Offers = {
  draw: null,
  takeback: null,
  pause: null,
  refused: { first: 0, second: 0 },
};

export const isOver = ({ status }: Pick<Table, 'status'>): boolean =>
  status === 'finished' || status === 'aborted';

/** Has the turn run out? The deadline itself is still in time. */
export const isOverdue = ({ deadlineAt }: Pick<Table, 'deadlineAt'>, now: number): boolean =>
  deadlineAt !== null && now > deadlineAt;

export const turnOf = ({ turnStartedAt, clock }: Table): Turn => ({ startedAt: turnStartedAt, clock });

/** When a pause that was called off is over; null in any other case. */
export function resumesAt({ status, turnStartedAt, clock }: Table): number | null {
  const until = status === 'paused' ? clock.stops.findLast(({ kind }) => kind === 'pause')?.until : null;
  return until == null ? null : turnStartedAt + until * 1000;
}

/** The same table with the times that follow from its facts. */
export function timed(table: Table): Table {
  if (table.turn === null) return { ...table, deadlineAt: null, wakeAt: null };
  return { ...table, deadlineAt: deadlineOf(turnOf(table)), wakeAt: wakeOf(table) };
}

function wakeOf(table: Table): number | null {
  const { first, second } = table.clock.away;
  // In a pause nobody is reminded, even when a vacation has brought the moment nearer.
  const reminds = table.status === 'active' && !table.clock.reminded;
  const reminder = reminds ? reminderOf(turnOf(table)) : null;
  const moments = [reminder, resumesAt(table), first?.until ?? null, second?.until ?? null];
  return moments.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b)), null);
}

/** The table when this player's turn begins. */
export const withTurn = (table: Table, turn: Player, at: number): Table =>
  timed({
    ...table,
    turn,
    turnStartedAt: at,
    clock: turnClock(table.timeControl, table.clock, turn, at),
  });

/** What an act that changes this of the table decides. */
export const decide = (
  table: Table,
  change: Partial<Table>,
  log: readonly LogEntry[],
  at: number,
): Decision => ({
  table: timed({ ...table, ...change }),
  log,
  at,
});

/** What an act that ends the game decides. */
export function finish(table: Table, outcome: Outcome, log: readonly LogEntry[], at: number): Decision {
  const status = outcome.reason === 'aborted' ? 'aborted' : 'finished';
  const over = timed({ ...table, status, turn: null, offers: NO_OFFERS, outcome });
  const end: LogEntry = { type: 'end', player: null, data: { ...outcome } };
  return { table: over, log: [...log, end], at };
}
