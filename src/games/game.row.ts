import type { Status } from '../arbiter/acts.js';
import type { TimeControl } from '../arbiter/clock.js';
import type { StoredGame } from '../engine/engine.service.js';
import type { Proof } from '../fairness/merkle.js';
import type { Outcome, Player, Reason } from '../rules/ruleset.js';

/** The rows of a game as the program handles them. */

export interface GameRow extends StoredGame {
  readonly timeControl: TimeControl;
  readonly firstId: string;
  readonly secondId: string;
  readonly status: Status;
  readonly version: number;
  readonly plyCount: number;
  readonly turn: Player | null;
  readonly termsHash: string | null;
  readonly headHash: string | null;
  readonly commitment: string;
  readonly dealRoot: string | null;
  readonly clientSeedHash: string | null;
  readonly creator: Player;
  /** Did the seeds decide who makes ply 1? */
  readonly sidesDrawn: boolean;
  readonly turnStartedAt: Date;
  readonly deadlineAt: Date | null;
  readonly winner: Player | null;
  readonly reason: Reason | null;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
}

export interface PlyRow {
  readonly gameId: string;
  readonly seq: number;
  readonly ply: number;
  readonly player: Player;
  readonly move: string;
  readonly reveals: string | null;
  readonly captured: string | null;
  readonly san: string;
  readonly position: string;
  /** Whole seconds. */
  readonly timeUsed: number;
  readonly automatic: boolean;
  readonly playedAt: Date;
  readonly previousHash: string;
  readonly hash: string;
  readonly proof: Proof | null;
}

export const EVENT_TYPES = ['accept', 'start', 'resign', 'abort', 'flag', 'end'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface EventRow {
  readonly gameId: string;
  readonly seq: number;
  readonly type: EventType;
  readonly player: Player | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** What an act changes in the row of its game. */
export type Change = Pick<
  GameRow,
  | 'status'
  | 'plyCount'
  | 'turn'
  | 'position'
  | 'anchorPosition'
  | 'anchorPly'
  | 'moves'
  | 'headHash'
  | 'turnStartedAt'
  | 'deadlineAt'
  | 'winner'
  | 'reason'
  | 'lastActivityAt'
  | 'endedAt'
>;

/** One act, ready to be committed against the version that it was judged on. */
export interface Act {
  readonly before: GameRow;
  readonly change: Change;
  readonly ply: PlyRow | null;
  readonly events: readonly EventRow[];
}

export const playerOf = (row: GameRow, userId: string): Player | null => {
  if (row.firstId === userId) return 'first';
  return row.secondId === userId ? 'second' : null;
};

export const outcomeOf = ({ winner, reason }: GameRow): Outcome | null =>
  reason === null ? null : { winner, reason };

/** The row as the arbiter sees it. */
export const tableOf = ({ status, plyCount, turn, deadlineAt }: GameRow) => ({
  status,
  plyCount,
  turn,
  deadlineAt: deadlineAt?.getTime() ?? null,
});
