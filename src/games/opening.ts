import { deadline, seedDeadline, type TimeControl } from '../arbiter/clock.js';
import { isAwaited } from '../engine/deals.service.js';
import { termsHash } from '../fairness/chain.js';
import type { Options, Player } from '../rules/ruleset.js';
import type { EventRow, GameRow } from './game.row.js';

/** What two players have agreed on. */
export interface Terms {
  /** The id of the challenge becomes the id of the game: its commitment binds the deal. */
  readonly id: string;
  readonly ruleset: string;
  readonly options: Options;
  readonly timeControl: TimeControl;
  readonly firstId: string;
  readonly secondId: string;
  readonly creator: Player;
  readonly sidesDrawn: boolean;
  readonly commitment: string;
  /** Null: announced by its hash, and awaited. */
  readonly firstClientSeed: string | null;
  readonly secondClientSeed: string | null;
  readonly clientSeedHash: string | null;
}

/** What was set up or dealt for it. */
export interface Opening {
  /** Null where none is drawn, or not yet. */
  readonly setup: string | null;
  readonly position: string;
  readonly dealRoot: string | null;
}

/** The row of a game before ply 1; `pending` without a word on who may move while a client seed is awaited. */
export function openingRow(terms: Terms, { setup, position, dealRoot }: Opening, now: Date): GameRow {
  const pending = isAwaited(terms);
  const hash = pending ? null : hashOf(terms);
  const due = pending
    ? seedDeadline(terms.timeControl, now.getTime())
    : deadline(terms.timeControl, now.getTime());
  return {
    ...terms,
    setup,
    status: pending ? 'pending' : 'active',
    version: 1,
    plyCount: 0,
    turn: pending ? null : 'first',
    position,
    anchorPosition: position,
    anchorPly: 0,
    moves: '',
    termsHash: hash,
    headHash: hash,
    dealRoot,
    turnStartedAt: now,
    deadlineAt: due === null ? null : new Date(due),
    winner: null,
    reason: null,
    createdAt: now,
    lastActivityAt: now,
    endedAt: null,
  };
}

export const startEvent = (row: GameRow): EventRow => ({
  gameId: row.id,
  seq: row.version,
  type: row.status === 'pending' ? 'accept' : 'start',
  player: null,
  data: {},
  at: row.lastActivityAt,
});

const hashOf = ({ id, ruleset, options, firstId, secondId, timeControl, commitment }: Terms): string =>
  termsHash({
    game: id,
    ruleset,
    options,
    players: { first: firstId, second: secondId },
    timeControl: { ...timeControl },
    commitment,
  });
