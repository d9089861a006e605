import { isMove, refusalFor, refusalsOf, rule, type Act } from '../../src/arbiter/acts/act.js';
import { planning } from '../../src/arbiter/acts/conditions.js';
import { ACTS as REGISTERED, type ActName as Registered } from '../../src/arbiter/acts/registry.js';
import type { Situation } from '../../src/arbiter/acts/situation.js';
import { NO_OFFERS } from '../../src/arbiter/offers.js';
import { afterPly } from '../../src/arbiter/ply.js';
import { decide, withTurn, type Decision, type GameState } from '../../src/arbiter/state.js';
import { newClock, type TimeControl } from '../../src/arbiter/time-control.js';
import type { Refusal } from '../../src/rules/result.js';
import { opponent, type Player } from '../../src/rules/ruleset.js';

/** Games at which nobody sits, for the tests of the arbiter. */

export const START = Date.UTC(2026, 0, 31, 12);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const daily: TimeControl = { type: 'perMove', seconds: 86_400 };
export const untimed: TimeControl = { type: 'none' };

/** A casual game that nobody has begun. */
export const pending = (timeControl: TimeControl): GameState => ({
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
export const begin = (timeControl: TimeControl): GameState =>
  withTurn({ ...pending(timeControl), status: 'active' }, 'first', START);

/** The game after a ply of the player to move. */
export const ply = (state: GameState, at: number, offersDraw = false): Decision =>
  afterPly(state, state.turn!, { then: opponent(state.turn!), offersDraw, claim: null }, at);

/** The game after so many plies, an hour each. */
export function plies(count: number, state: GameState): GameState {
  let after = state;
  for (let i = 0; i < count; i += 1) after = ply(after, after.turnStartedAt + HOUR).state;
  return after;
}

/** What was decided; fails when nothing was. */
export function decided(ruling: Ruling | null): Decision {
  if (ruling === null || !isDecision(ruling)) {
    throw new Error(`not decided: ${JSON.stringify(ruling)}`);
  }
  return ruling;
}

/** What a test asks of the arbiter: the acts by their names, a move for short, and planning answers. */
export type ActName = Exclude<Registered, 'makeMove'> | 'move' | 'conditionalMoves';
export type Ruling = Refusal | 'unchanged' | Decision;
export const isDecision = (ruling: Ruling): ruling is Decision => ruling !== 'unchanged' && 'state' in ruling;
type Asked = Situation & { readonly reason?: string; readonly offerDraw?: boolean };

const byName = Object.fromEntries(
  REGISTERED.map((act) => [
    act.name === 'makeMove' ? 'move' : act.name,
    (asked: Asked): Ruling => {
      const ruled = rule(act, { ...found(asked), ...asked });
      if (!ruled.ok) return named(act, ruled.refusal);
      return isMove(ruled.value) ? ply(asked.state, asked.now) : ruled.value;
    },
  ]),
) as unknown as Readonly<Record<Exclude<ActName, 'conditionalMoves'>, (asked: Asked) => Ruling>>;

/** A refusal, of which the act tells the code. */
function named(act: Act, refusal: Refusal): Refusal {
  if (refusalsOf(act).includes(refusal.code)) return refusal;
  throw new Error(`${act.name} does not name ${refusal.code}`);
}

/** What an act finds out by itself where a test does not say it: the rules allow whatever they are asked, and the banks were empty before. */
const found = ({ state }: Asked) => ({
  reason: 'threefoldRepetition',
  canWin: true,
  earlier: {
    turn: (state.offers.takeback?.ply ?? 0) % 2 === 0 ? ('first' as const) : ('second' as const),
    bank: null,
  },
});

export const ACTS: Readonly<Record<ActName, (asked: Asked) => Ruling>> = {
  ...byName,
  conditionalMoves: (asked) =>
    refusalFor({ conditions: planning }, asked) ?? decide(asked.state, {}, [], asked.now),
};

/** The game after acts that are all allowed: `[player, act]`, one after the other at `now`. */
export function acted(
  state: GameState,
  now: number,
  ...acts: readonly (readonly [Player, ActName])[]
): GameState {
  let after = state;
  for (const [player, name] of acts) {
    after = decided(ACTS[name]({ state: after, player, now, ply: after.plyCount + 1 })).state;
  }
  return after;
}
