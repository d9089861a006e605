import {
  abort,
  acceptDraw,
  acceptPause,
  acceptTakeback,
  afterPly,
  claimAbandoned,
  claimDraw,
  declineDraw,
  declinePause,
  declineTakeback,
  giveTime,
  isObjection,
  offerDraw,
  offerPause,
  offerTakeback,
  resign,
  unpause,
  type Ruling,
} from '../../src/arbiter/acts.js';
import { objectionTo, type ActName, type Situation } from '../../src/arbiter/conditions.js';
import { decide, NO_OFFERS, withTurn, type Decision, type Table } from '../../src/arbiter/table.js';
import { newClock, type TimeControl } from '../../src/arbiter/time-control.js';
import { opponent, type Player } from '../../src/rules/ruleset.js';

/** Games at which nobody sits, for the tests of the arbiter. */

export const START = Date.UTC(2026, 0, 31, 12);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const daily: TimeControl = { type: 'perMove', seconds: 86_400 };
export const untimed: TimeControl = { type: 'none' };

/** A casual game that nobody has begun. */
export const pending = (timeControl: TimeControl): Table => ({
  status: 'pending',
  version: 1,
  plyCount: 0,
  turn: null,
  rated: false,
  timeControl,
  turnStartedAt: START,
  clock: newClock(timeControl),
  offers: NO_OFFERS,
  takebacks: [],
  outcome: null,
  deadlineAt: START + DAY,
  wakeAt: null,
});

/** A casual game that begins at START. */
export const begin = (timeControl: TimeControl): Table =>
  withTurn({ ...pending(timeControl), status: 'active' }, 'first', START);

/** The game after a ply of the player to move. */
export const ply = (table: Table, at: number, offersDraw = false): Decision =>
  afterPly(table, table.turn!, { then: opponent(table.turn!), offersDraw, claim: null }, at);

/** The game after so many plies, an hour each. */
export function plies(count: number, table: Table): Table {
  let after = table;
  for (let i = 0; i < count; i += 1) after = ply(after, after.turnStartedAt + HOUR).table;
  return after;
}

/** What was decided; fails when nothing was. */
export function decided(ruling: Ruling | null): Decision {
  if (ruling === null || ruling === 'unchanged' || isObjection(ruling)) {
    throw new Error(`not decided: ${JSON.stringify(ruling)}`);
  }
  return ruling;
}

/** All acts by name; the rules allow whatever they are asked, and the banks were empty before. */
export const ACTS: Readonly<Record<ActName, (situation: Situation) => Ruling>> = {
  move: (situation) => objectionTo('move', situation) ?? ply(situation.table, situation.now),
  resign,
  abort,
  offerDraw,
  acceptDraw,
  declineDraw,
  claimDraw: (situation) => claimDraw(situation, 'threefoldRepetition'),
  offerTakeback,
  acceptTakeback: (situation) => acceptTakeback(situation, earlier(situation)),
  declineTakeback,
  giveTime,
  offerPause,
  acceptPause,
  declinePause,
  unpause,
  claimAbandoned: (situation) => claimAbandoned(situation, true),
  conditionalMoves: (situation) =>
    objectionTo('conditionalMoves', situation) ?? decide(situation.table, {}, [], situation.now),
};

const earlier = ({ table }: Situation) => ({
  turn: (table.offers.takeback?.ply ?? 0) % 2 === 0 ? ('first' as const) : ('second' as const),
  bank: null,
});

/** The game after acts that are all allowed: `[player, act]`, one after the other at `now`. */
export function acted(table: Table, now: number, ...acts: readonly (readonly [Player, ActName])[]): Table {
  let after = table;
  for (const [player, name] of acts) {
    after = decided(ACTS[name]({ table: after, player, now, ply: after.plyCount + 1 })).table;
  }
  return after;
}
