import { actOf, EVENT_TYPES, type EventType } from '../../arbiter/acts/registry.js';
import { afterPly, timeUsed, type Played } from '../../arbiter/ply.js';
import { isOver, type Decision, type LogEntry } from '../../arbiter/state.js';
import type { Judged } from '../../engine/engine.service.js';
import { appendPly } from '../../engine/moves-text.js';
import { rowHash, type RowContent } from '../../fairness/chain.js';
import { rulesetById } from '../../rules/registry.js';
import {
  arbiterColumns,
  stateOf,
  type Transition,
  type EventRow,
  type GameRow,
  type PlanNews,
  type PlyRow,
} from './game.row.js';
import { unratedReason } from './unrated.js';

/** Builds the transition that a change of a game writes: pure functions, one for each kind of step. */

export const start = (row: GameRow): Transition => ({
  before: row,
  after: row,
  plies: [],
  events: [],
  planNews: [],
  byClock: false,
});

export const isNothing = ({ before, after }: Transition): boolean => before.version === after.version;

/** Events by the clock, which do not count as activity of a player. */
const OF_THE_CLOCK: readonly EventType[] = ['reminder', 'resume', 'vacationStart', 'vacationEnd'];

/** Events by the clock whose log entry states the new deadline; acts declare this themselves. */
const SETS_DEADLINE: readonly EventType[] = ['vacationStart', 'vacationEnd'];
const logsDeadline = (type: EventType): boolean =>
  SETS_DEADLINE.includes(type) || actOf(type)?.logsDeadline === true;

/** Adds a decision of the arbiter as the next step; `board` has the columns changed by the rules. */
export function withEvent(
  transition: Transition,
  decision: Decision,
  board: Partial<GameRow> = {},
): Transition {
  const { state, log } = decision;
  const at = new Date(decision.at);
  const over = isOver(state);
  // The decision of a plain ply has no log entry.
  const isClockOnly = log.length > 0 && log.every(({ type }) => OF_THE_CLOCK.includes(type as EventType));
  const seen: GameRow = {
    ...transition.after,
    ...board,
    ...arbiterColumns(state),
    version: transition.after.version + 1,
    lastActivityAt: isClockOnly ? transition.after.lastActivityAt : at,
  };
  const after = over
    ? { ...seen, endedAt: at, unrated: unratedOf(seen), firstPlan: null, secondPlan: null }
    : seen;
  if (log.length === 0) return { ...transition, after };
  const events = chainedOn(
    after.headHash,
    log.map((entry) => eventOf(after, entry, at)),
  );
  const headHash = events.at(-1)!.hash;
  return { ...transition, after: { ...after, headHash }, events: [...transition.events, ...events] };
}

/** Chains the events of a game behind the row with this hash; null if they are its first. */
export function chainedOn(headHash: string | null, events: readonly NewEvent[]): readonly EventRow[] {
  let previousHash = headHash;
  return [...events].sort(inOrder).map((event): EventRow => {
    const hash = rowHash(event.gameId, { ...event, at: event.at.toISOString() }, previousHash);
    const row = { ...event, previousHash, hash };
    previousHash = hash;
    return row;
  });
}

/** Sorts the events of one act so that the end comes last. */
export const inOrder = (a: Pick<EventRow, 'seq' | 'type'>, b: Pick<EventRow, 'seq' | 'type'>): number =>
  a.seq - b.seq || EVENT_TYPES.indexOf(a.type) - EVENT_TYPES.indexOf(b.type);

/** An event before it is chained. */
export type NewEvent = Omit<EventRow, 'previousHash' | 'hash'>;

const unratedOf = (row: GameRow) => unratedReason(row, rulesetById(row.ruleset)!);

function eventOf(after: GameRow, { type, player, data = {}, instants = {} }: LogEntry, at: Date): NewEvent {
  const moments = Object.entries(instants).map(([name, moment]) => [name, new Date(moment).toISOString()]);
  const deadline = logsDeadline(type as EventType)
    ? { deadlineAt: after.deadlineAt?.toISOString() ?? null }
    : {};
  return {
    gameId: after.id,
    seq: after.version,
    type: type as EventType,
    player,
    data: { ...data, ...(Object.fromEntries(moments) as Record<string, string>), ...deadline },
    at,
  };
}

/** How a ply was played: by hand or as a conditional move, with an offer or a claim. */
export interface Manner extends Omit<Played, 'then'> {
  readonly automatic: boolean;
}

export const BY_HAND: Manner = { offersDraw: false, claim: null, automatic: false };

/** Adds a judged ply, played at `at`, as the next step. */
export function withPly(transition: Transition, judged: Judged, manner: Manner, at: Date): Transition {
  const row = transition.after;
  const { player } = judged.ply;
  const then = judged.outcome ?? judged.turn!;
  const decision = afterPly(stateOf(row), player, { ...manner, then }, at.getTime());
  const bank = decision.state.clock.bank?.[player] ?? null;
  const ply = plyRow(row, judged, { automatic: manner.automatic, clock: bank }, at);
  const next = withEvent(transition, decision, {
    position: ply.position,
    anchorPosition: judged.anchors ? ply.position : row.anchorPosition,
    anchorPly: judged.anchors ? ply.ply : row.anchorPly,
    moves: appendPly(row.moves, judged.ply),
    headHash: ply.hash,
  });
  return { ...next, plies: [...transition.plies, ply] };
}

/** Changes the row without a step: only the owner of the value may notice. */
export const withSilentChange = (transition: Transition, change: Partial<GameRow>): Transition => ({
  ...transition,
  after: { ...transition.after, ...change },
});

/** Adds a notification for the owner of conditional moves. */
export const withPlanNews = (transition: Transition, news: PlanNews): Transition => ({
  ...transition,
  planNews: [...transition.planNews, news],
});

function plyRow(
  before: GameRow,
  { ply: { move, player, reveals, captured, san, fen }, proof }: Judged,
  { automatic, clock }: Pick<PlyRow, 'automatic' | 'clock'>,
  at: Date,
): PlyRow {
  const content = {
    seq: before.version + 1,
    ply: before.plyCount + 1,
    player,
    move,
    reveals,
    san,
    position: fen,
    timeUsed: timeUsed(stateOf(before), at.getTime()),
    automatic,
  };
  const hash = rowHash(before.id, chainRowOf(content, at.toISOString()), before.headHash);
  return {
    ...content,
    gameId: before.id,
    captured,
    clock,
    playedAt: at,
    previousHash: before.headHash,
    hash,
    proof,
  };
}

/** What a ply adds to the chain, beside its time. */
type PlyContent = Pick<
  PlyRow,
  'seq' | 'player' | 'ply' | 'move' | 'reveals' | 'san' | 'position' | 'timeUsed' | 'automatic'
>;

/** A ply as a row of the chain. */
export const chainRowOf = (
  { seq, ply, player, move, reveals, san, position, timeUsed, automatic }: PlyContent,
  at: string,
): RowContent => ({
  seq,
  type: 'ply',
  player,
  data: { ply, move, reveals, san, position, timeUsed, automatic },
  at,
});
