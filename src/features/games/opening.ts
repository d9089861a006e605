import type { Absence } from '../../arbiter/clock.js';
import { NO_OFFERS } from '../../arbiter/offers.js';
import { withTurn, type GameState } from '../../arbiter/state.js';
import { newClock, seedDeadline, type TimeControl } from '../../arbiter/time-control.js';
import { isAwaited, seedOf } from '../../engine/deals.service.js';
import type { Options, Player } from '../../rules/ruleset.js';
import { arbiterColumns, stateOf, type EventRow, type GameRow, type SidesBy } from './game.row.js';
import { chainedOn, type NewEvent } from './transition.js';

/** The terms that two players have agreed on. */
export interface Terms {
  /** The id of the challenge becomes the id of the game: its commitment binds the deal. */
  readonly id: string;
  readonly ruleset: string;
  readonly options: Options;
  readonly timeControl: TimeControl;
  readonly rated: boolean;
  readonly firstId: string;
  readonly secondId: string;
  readonly creator: Player;
  readonly sidesBy: SidesBy;
  readonly commitment: string;
  /** Null if announced by its hash and awaited or, without a hash, left to the server. */
  readonly firstClientSeed: string | null;
  readonly secondClientSeed: string | null;
  readonly clientSeedHash: string | null;
  readonly accepterSeedHash: string | null;
  /** The hash of the first row of the chain. */
  readonly createHash: string;
}

type AgreedTerms = Omit<Terms, 'createHash'>;

/** The id of having no conditional moves, before there were any. */
const NO_PLANS = '00000000-0000-0000-0000-000000000000';

/** The set-up or the deal. */
export interface Opening {
  /** Null if none is drawn, or not yet. */
  readonly setup: string | null;
  readonly position: string;
  readonly dealRoot: string | null;
}

/** The row of a game before ply 1; pending and with no side to move while a client seed is awaited. */
export function openingRow(
  { createHash, ...terms }: Terms,
  { setup, position, dealRoot }: Opening,
  version: number,
  now: Date,
): GameRow {
  return {
    ...terms,
    ...arbiterColumns(openingState(terms, version, now.getTime())),
    setup,
    version,
    position,
    anchorPosition: position,
    anchorPly: 0,
    moves: '',
    termsHash: createHash,
    // `beginning` sets it, with the rows that it chains.
    headHash: createHash,
    dealRoot,
    plans: NO_PLANS,
    firstPlan: null,
    secondPlan: null,
    unrated: null,
    applicationId: null,
    externalId: null,
    createdAt: now,
    lastActivityAt: now,
    endedAt: null,
  };
}

function openingState(terms: AgreedTerms, version: number, now: number): GameState {
  const { rated, timeControl } = terms;
  const state: GameState = {
    status: 'active',
    version,
    plyCount: 0,
    turn: null,
    rated,
    timeControl,
    turnStartedAt: now,
    clock: newClock(timeControl),
    offers: NO_OFFERS,
    takebacks: [],
    outcome: null,
    deadlineAt: seedDeadline(timeControl, now),
    wakeAt: null,
  };
  return isAwaited(terms) ? { ...state, status: 'pending' } : withTurn(state, 'first', now);
}

/** The row with the vacations that its players are on as it starts. */
export function openedIn(row: GameRow, away: Readonly<Record<Player, Absence | null>>): GameRow {
  if (row.turn === null || row.timeControl.noVacation) return row;
  const state = stateOf(row);
  const began = withTurn({ ...state, clock: { ...state.clock, away } }, row.turn, state.turnStartedAt);
  return { ...row, ...arbiterColumns(began) };
}

/** A game as stored when it is created or when a client seed has been given, with its new log entries. */
export interface Beginning {
  readonly row: GameRow;
  readonly events: readonly EventRow[];
}

/**
 * Adds the start event behind the given ones, unless the game still waits for a client seed. `previousHash` is that of
 * the newest stored row of the chain, null if there is none yet.
 */
export function beginning(
  row: GameRow,
  happened: readonly NewEvent[],
  previousHash: string | null,
): Beginning {
  const events = chainedOn(previousHash, [...happened, ...startEvents(row)]);
  return { row: { ...row, headHash: events.at(-1)!.hash }, events };
}

function startEvents(row: GameRow): readonly NewEvent[] {
  if (row.status === 'pending') return [];
  const data = { ...startData(row), ...awayData(row) };
  return [{ gameId: row.id, seq: row.version, type: 'start', player: null, data, at: row.lastActivityAt }];
}

/** The details of the start event: what was agreed on and drawn. */
const startData = (row: GameRow) => ({
  first: row.firstId,
  second: row.secondId,
  creator: row.creator,
  sidesBy: row.sidesBy,
  creatorSeed: seedOf(row, 'creator'),
  accepterSeed: seedOf(row, 'accepter'),
  setup: row.setup,
  dealRoot: row.dealRoot,
});

/** The players on vacation at the start, with the ends of their vacations. */
function awayData({ clock: { away } }: GameRow): Readonly<Record<string, unknown>> {
  const until = ([player, absence]: [string, Absence | null]): [string, string][] =>
    absence === null ? [] : [[player, new Date(absence.until).toISOString()]];
  const entries = Object.entries(away).flatMap(until);
  return entries.length === 0 ? {} : { onVacationUntil: Object.fromEntries(entries) };
}
