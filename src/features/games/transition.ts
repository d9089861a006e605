import { actOf, EVENT_TYPES, type EventType } from '../../arbiter/acts/registry.js';
import { afterPly, timeUsed, type Played } from '../../arbiter/ply.js';
import { isOver, type Decision, type LogEntry } from '../../arbiter/state.js';
import type { Judged } from '../../engine/engine.service.js';
import { appendPly } from '../../engine/moves-text.js';
import { plyHash, rowHash, type PlyContent, type RowContent } from '../../fairness/chain.js';
import { rulesetById } from '../../rules/registry.js';
import {
  seenBy,
  stateOf,
  type Transition,
  type EventRow,
  type GameRow,
  type PlanNews,
  type PlyRow,
} from './game.row.js';
import { unratedReason } from './unrated.js';

/** What changes of a game write: pure functions from the row that they were judged on. A transition grows step by step. */

/** A transition without a step yet. */
export const start = (row: GameRow): Transition => ({
  before: row,
  after: row,
  plies: [],
  events: [],
  planNews: [],
  byClock: false,
});

export const isNothing = ({ before, after }: Transition): boolean => before.version === after.version;

/** What the clock does by itself is no activity of anybody. */
const OF_THE_CLOCK: readonly EventType[] = ['reminder', 'resume', 'vacationStart', 'vacationEnd'];

/** What of the clock tells the deadline that it has set; of the acts each says so itself. */
const SETS_DEADLINE: readonly EventType[] = ['vacationStart', 'vacationEnd'];
const tellsDeadline = (type: EventType): boolean =>
  SETS_DEADLINE.includes(type) || actOf(type)?.tellsDeadline === true;

/** The transition with a decision of the arbiter as its next step; `board` is what the rules have changed. */
export function withEvent(
  transition: Transition,
  decision: Decision,
  board: Partial<GameRow> = {},
): Transition {
  const { state, log } = decision;
  const at = new Date(decision.at);
  const over = isOver(state);
  // A ply alone has no log.
  const quiet = log.length > 0 && log.every(({ type }) => OF_THE_CLOCK.includes(type as EventType));
  const seen = { ...transition.after, ...board, ...seenBy(state) };
  const after: GameRow = {
    ...seen,
    version: transition.after.version + 1,
    lastActivityAt: quiet ? transition.after.lastActivityAt : at,
    ...(over ? { endedAt: at, unrated: unratedOf(seen), firstPlan: null, secondPlan: null } : {}),
  };
  const { events, headHash } = chainedOn(
    after,
    log.map((entry) => eventOf(after, entry, at)),
  );
  return { ...transition, after: { ...after, headHash }, events: [...transition.events, ...events] };
}

/** Events behind the newest row of a game's chain, and what is the newest then; in format 1 they are none of it. */
export function chainedOn(
  { id, format, headHash }: Pick<GameRow, 'id' | 'format' | 'headHash'>,
  events: readonly NewEvent[],
): { readonly events: readonly EventRow[]; readonly headHash: string | null } {
  if (format === 1) {
    return { events: events.map((event) => ({ ...event, previousHash: null, hash: null })), headHash };
  }
  let head = headHash;
  const rows = [...events].sort(inOrder).map((event): EventRow => {
    const previousHash = head;
    head = rowHash(id, { ...event, at: event.at.toISOString() }, previousHash);
    return { ...event, previousHash, hash: head };
  });
  return { events: rows, headHash: head };
}

/** Of the events of one act the end comes last. */
export const inOrder = (a: Pick<EventRow, 'seq' | 'type'>, b: Pick<EventRow, 'seq' | 'type'>): number =>
  a.seq - b.seq || EVENT_TYPES.indexOf(a.type) - EVENT_TYPES.indexOf(b.type);

/** One that has no place in the chain yet. */
export type NewEvent = Omit<EventRow, 'previousHash' | 'hash'>;

const unratedOf = (row: GameRow) => unratedReason(row, rulesetById(row.ruleset)!);

function eventOf(after: GameRow, { type, player, data = {}, instants = {} }: LogEntry, at: Date): NewEvent {
  const moments = Object.entries(instants).map(([name, moment]) => [name, new Date(moment).toISOString()]);
  const deadline = tellsDeadline(type as EventType)
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

/** How a ply was played, beside what the rules say of it. */
export interface Manner extends Omit<Played, 'then'> {
  readonly automatic: boolean;
}

export const BY_HAND: Manner = { offersDraw: false, claim: null, automatic: false };

/** The transition with a ply that the rules allow as its next step, played at `at`. */
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

/** The transition with another value in its row, which is no step: nobody but its owner may notice. */
export const withSilentChange = (transition: Transition, change: Partial<GameRow>): Transition => ({
  ...transition,
  after: { ...transition.after, ...change },
});

/** The transition with a word to the owner of conditional moves. */
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
  if (before.headHash === null) throw new Error(`Game ${before.id} has not started`);
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
  const hash = hashOf(before, content, before.headHash, at.toISOString());
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

/** In format 2 a ply is a row like any other. */
const hashOf = (
  { id: game, format }: GameRow,
  content: Omit<PlyContent, 'game' | 'playedAt'>,
  previousHash: string,
  at: string,
): string =>
  format === 2
    ? rowHash(game, chainRowOf(content, at), previousHash)
    : plyHash(previousHash, { ...content, game, playedAt: at });

/** A ply as a row of the chain of format 2. */
export const chainRowOf = (
  {
    seq,
    ply,
    player,
    move,
    reveals,
    san,
    position,
    timeUsed,
    automatic,
  }: Omit<PlyContent, 'game' | 'playedAt'>,
  at: string,
): RowContent => ({
  seq,
  type: 'ply',
  player,
  data: { ply, move, reveals, san, position, timeUsed, automatic },
  at,
});
