import { deadline, secondsUsed } from '../arbiter/clock.js';
import type { Judged } from '../engine/engine.service.js';
import { appendPly } from '../engine/moves-text.js';
import { plyHash } from '../fairness/chain.js';
import type { Outcome, Player } from '../rules/ruleset.js';
import type { Act, Change, EventRow, EventType, GameRow, PlyRow } from './game.row.js';

/** What an act writes: pure functions from the row it was judged on. */

/** A ply that the rules allow, played at `at`. */
export function moveAct(before: GameRow, judged: Judged, at: Date): Act {
  const ply = plyRow(before, judged, at);
  const { outcome } = judged;
  const due = outcome === null ? deadline(before.timeControl, at.getTime()) : null;
  const change: Change = {
    ...ended(before, outcome, at),
    plyCount: ply.ply,
    turn: judged.turn,
    position: ply.position,
    anchorPosition: judged.anchors ? ply.position : before.anchorPosition,
    anchorPly: judged.anchors ? ply.ply : before.anchorPly,
    moves: appendPly(before.moves, judged.ply),
    headHash: ply.hash,
    turnStartedAt: at,
    deadlineAt: due === null ? null : new Date(due),
  };
  return {
    before,
    change,
    ply,
    events: outcome === null ? [] : [event(before, 'end', null, at, { ...outcome })],
  };
}

/** An act that ends the game without a ply, at `at`. */
export function endAct(
  before: GameRow,
  type: 'resign' | 'abort' | 'flag',
  player: Player | null,
  outcome: Outcome,
  at: Date,
): Act {
  const change = { ...before, ...ended(before, outcome, at), turn: null, deadlineAt: null };
  const events = [event(before, type, player, at, {}), event(before, 'end', null, at, { ...outcome })];
  return { before, change, ply: null, events };
}

type Ending = Pick<Change, 'status' | 'winner' | 'reason' | 'endedAt' | 'lastActivityAt'>;

function ended(before: GameRow, outcome: Outcome | null, at: Date): Ending {
  if (outcome === null) {
    return { status: before.status, winner: null, reason: null, endedAt: null, lastActivityAt: at };
  }
  const status = outcome.reason === 'aborted' ? 'aborted' : 'finished';
  return { status, ...outcome, endedAt: at, lastActivityAt: at };
}

const event = (
  before: GameRow,
  type: EventType,
  player: Player | null,
  at: Date,
  data: EventRow['data'],
): EventRow => ({ gameId: before.id, seq: before.version + 1, type, player, data, at });

function plyRow(
  before: GameRow,
  { ply: { move, player, reveals, captured, san, fen }, proof }: Judged,
  at: Date,
): PlyRow {
  if (before.headHash === null) throw new Error(`Game ${before.id} has not started`);
  const content = {
    seq: before.version + 1,
    ply: before.plyCount + 1,
    player,
    move,
    reveals,
    san,
    position: fen,
    timeUsed: secondsUsed(before.turnStartedAt.getTime(), at.getTime()),
    automatic: false,
  };
  const hash = plyHash(before.headHash, { ...content, game: before.id, playedAt: at.toISOString() });
  return {
    ...content,
    gameId: before.id,
    captured,
    playedAt: at,
    previousHash: before.headHash,
    hash,
    proof,
  };
}
