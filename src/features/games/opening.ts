import type { Absence } from '../../arbiter/clock.js';
import { NO_OFFERS } from '../../arbiter/offers.js';
import { withTurn, type GameState } from '../../arbiter/state.js';
import { newClock, seedDeadline, type TimeControl } from '../../arbiter/time-control.js';
import { isAwaited } from '../../engine/deals.service.js';
import { termsHash } from '../../fairness/chain.js';
import type { Options, Player } from '../../rules/ruleset.js';
import { seenBy, stateOf, type EventRow, type GameRow } from './game.row.js';

/** What two players have agreed on. */
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
  const hash = isAwaited(terms) ? null : hashOf(terms);
  return {
    ...terms,
    ...seenBy(openingTable(terms, now.getTime())),
    setup,
    version: 1,
    position,
    anchorPosition: position,
    anchorPly: 0,
    moves: '',
    termsHash: hash,
    headHash: hash,
    dealRoot,
    plans: 0,
    firstPlan: null,
    secondPlan: null,
    unrated: null,
    createdAt: now,
    lastActivityAt: now,
    endedAt: null,
  };
}

function openingTable(terms: Terms, now: number): GameState {
  const { rated, timeControl } = terms;
  const state: GameState = {
    status: 'active',
    version: 1,
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

/** The opening of a game whose players are on vacation as it begins. */
export function openedIn(row: GameRow, away: Readonly<Record<Player, Absence | null>>): GameRow {
  if (row.turn === null || row.timeControl.noVacation) return row;
  const state = stateOf(row);
  const began = withTurn({ ...state, clock: { ...state.clock, away } }, row.turn, state.turnStartedAt);
  return { ...row, ...seenBy(began) };
}

export const startEvent = (row: GameRow): EventRow => ({
  gameId: row.id,
  seq: row.version,
  type: row.status === 'pending' ? 'accept' : 'start',
  player: null,
  data: awayData(row),
  at: row.lastActivityAt,
});

/** Who is on vacation at the start, and until when. */
function awayData({ clock: { away } }: GameRow): Readonly<Record<string, unknown>> {
  const until = ([player, absence]: [string, Absence | null]): [string, string][] =>
    absence === null ? [] : [[player, new Date(absence.until).toISOString()]];
  const entries = Object.entries(away).flatMap(until);
  return entries.length === 0 ? {} : { onVacationUntil: Object.fromEntries(entries) };
}

const hashOf = ({ id, ruleset, options, firstId, secondId, timeControl, commitment }: Terms): string =>
  termsHash({
    game: id,
    ruleset,
    options,
    players: { first: firstId, second: secondId },
    timeControl: { ...timeControl },
    commitment,
  });
