import { deadline, seedDeadline, type TimeControl } from '../arbiter/clock.js';
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

/** The row of a game before ply 1; `pending` without a word on who may move while a client seed is awaited. */
export function openingRow(terms: Terms, position: string, dealRoot: string | null, now: Date): GameRow {
  const pending = terms.firstClientSeed === null || terms.secondClientSeed === null;
  const hash = pending ? null : hashOf(terms);
  const due = pending
    ? seedDeadline(terms.timeControl, now.getTime())
    : deadline(terms.timeControl, now.getTime());
  return {
    ...terms,
    setup: null,
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
