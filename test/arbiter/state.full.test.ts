import fc from 'fast-check';
import { refusalFor } from '../../src/arbiter/acts/act.js';
import { makeMove } from '../../src/arbiter/acts/make-move.js';
import { timeUsed } from '../../src/arbiter/ply.js';
import { finishVacation, due, flag, startVacation } from '../../src/arbiter/clock-acts.js';
import { explain, leftAt } from '../../src/arbiter/clock.js';
import { isOver, resumesAt, turnOf, type Decision, type GameState } from '../../src/arbiter/state.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import { PLAYERS, type Player } from '../../src/rules/ruleset.js';
import { deepFreeze } from '../support/deep-freeze.js';
import { ChessClock } from './model.js';
import { type ActName, ACTS, type Ruling, begin, DAY, HOUR, isDecision, START } from './states.js';
import { runs, SEED } from '../support/scale.js';

/** Whatever the players do, and whenever: no player gets more or less time than on a chess clock. */

type Name =
  | Exclude<ActName, 'conditionalMoves' | 'resign' | 'abort' | 'claimDraw'>
  | 'startVacation'
  | 'finishVacation';

interface Step {
  readonly wait: number | 'toDeadline' | 'pastDeadline' | 'toWake';
  readonly name: Name;
  readonly player: Player;
  readonly days: number;
}

/** Weight of the acts; those not listed have 1. */
const WEIGHTS: Readonly<Partial<Record<Name, number>>> = {
  move: 12,
  acceptDraw: 0,
  declineDraw: 2,
  offerTakeback: 3,
  acceptTakeback: 3,
  giveTime: 4,
  offerPause: 5,
  acceptPause: 3,
  unpause: 5,
  startVacation: 4,
  finishVacation: 2,
};

const LEFT_OUT: readonly ActName[] = ['conditionalMoves', 'resign', 'abort', 'claimDraw'];
const NAMES = [
  ...(Object.keys(ACTS) as ActName[]).filter((name) => !LEFT_OUT.includes(name)),
  'startVacation',
  'finishVacation',
] as Name[];

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const wait = fc.oneof(
  weighted(4, fc.integer({ min: 0, max: 2500 })),
  weighted(3, fc.integer({ min: 0, max: HOUR })),
  weighted(4, fc.integer({ min: 0, max: 3 * DAY })),
  weighted(2, fc.integer({ min: 0, max: 40 * DAY })),
  weighted(3, fc.constant('toWake' as const)),
  weighted(1, fc.constant('toDeadline' as const)),
  weighted(1, fc.constant('pastDeadline' as const)),
);

const step: fc.Arbitrary<Step> = fc.record({
  wait,
  name: fc.oneof(...NAMES.map((name) => weighted(WEIGHTS[name] ?? 1, fc.constant(name)))),
  player: fc.constantFrom(...PLAYERS),
  days: fc.integer({ min: 1, max: 30 }),
});

const seconds = fc.oneof(
  fc.integer({ min: 60, max: 900 }),
  fc.integer({ min: 3600, max: 5 * 86_400 }),
  fc.integer({ min: 86_400, max: 60 * 86_400 }),
);

const vacations = fc.constantFrom<{ noVacation?: true }>({}, {}, {}, { noVacation: true });
const control: fc.Arbitrary<TimeControl> = fc.oneof(
  fc.tuple(seconds, vacations).map(([s, v]) => ({ type: 'perMove' as const, seconds: s, ...v })),
  fc.tuple(seconds, seconds, seconds, vacations).map(([a, b, c, v]) => {
    const cap = Math.max(a, b);
    return { type: 'bank' as const, initial: Math.min(a, b), increment: c % (cap + 1), cap, ...v };
  }),
  vacations.map((v) => ({ type: 'none' as const, ...v })),
);

/** Only these may move a deadline forward: a new turn, or the end of a vacation or pause. */
const NEARER = ['move', 'acceptTakeback', 'vacationEnd', 'unpause'];
/** After these a reminder may be sent again, if its time has moved into the future. */
const LONGER = ['vacationStart', 'vacationEnd', 'unpause', 'acceptTakeback'];

class World {
  now = START;
  state: GameState;
  readonly clock: ChessClock;
  readonly seen: Set<string>;
  /** The side to move and the banks after each ply. */
  private banks: { turn: Player; bank: GameState['clock']['bank'] }[];
  private mayRemind = true;
  private lastAt = START;

  constructor(control: TimeControl, seen: Set<string>) {
    this.state = begin(control);
    this.clock = new ChessClock(control);
    this.clock.startTurn('first', START);
    this.banks = [{ turn: 'first', bank: this.state.clock.bank }];
    this.seen = seen;
  }

  step({ wait, name, player, days }: Step): void {
    this.now += this.milliseconds(wait);
    this.clockActs();
    if (isOver(this.state)) return;
    this.clock.run(this.now);
    this.compare();
    deepFreeze(this.state);
    const before = this.state;
    const ruling = this.ask(name, player, days);
    if (ruling === null || !isDecision(ruling)) return;
    this.mirror(name, player, before, ruling);
    this.take(name === 'move' ? 'move' : null, ruling);
    const longer =
      name === 'move' ||
      ruling.log.some(({ type, data }) => LONGER.includes(type) || data?.['seconds'] !== undefined);
    if (longer && !this.clock.needsReminder()) this.mayRemind = true;
    if (!isOver(this.state)) this.compare();
  }

  private milliseconds(wait: Step['wait']): number {
    if (typeof wait === 'number') return wait;
    const { deadlineAt, wakeAt } = this.state;
    const moment = wait === 'toWake' ? wakeAt : deadlineAt;
    return moment === null ? HOUR : Math.max(0, moment - this.now) + (wait === 'pastDeadline' ? 1 : 0);
  }

  /** What the server does before it looks at anything else. */
  private clockActs(): void {
    const { deadlineAt } = this.state;
    for (;;) {
      const decision = due(this.state, this.now);
      if (decision === null) break;
      if (decision === 'flag') {
        this.flagged();
        return;
      }
      const [entry] = decision.log;
      if (entry!.type === 'reminder') this.remind(entry!.player);
      if (entry!.type === 'vacationEnd') this.clock.finishVacation(entry!.player!, decision.at);
      this.take(null, decision);
      // What the clock does by itself was foreseeable: it moves no deadline.
      expect(this.state.deadlineAt).toBe(deadlineAt);
    }
    const { wakeAt } = this.state;
    expect(wakeAt === null || wakeAt > this.now).toBe(true);
  }

  private flagged(): void {
    expect(this.clock.deadline()).toBe(this.state.deadlineAt);
    expect(this.now).toBeGreaterThan(this.state.deadlineAt!);
    const loser = this.state.turn!;
    const decision = flag(this.state, loser, () => true);
    expect(decision.at).toBe(this.state.deadlineAt);
    expect(decision.state.outcome).toEqual({
      winner: PLAYERS.find((player) => player !== loser),
      reason: 'timeout',
    });
    this.take(null, decision);
  }

  private remind(player: Player | null): void {
    this.clock.run(this.now);
    expect([player, this.mayRemind, this.clock.needsReminder()]).toEqual([this.state.turn, true, true]);
    this.mayRemind = false;
  }

  private ask(name: Name, player: Player, days: number): Ruling | null {
    const { state, now } = this;
    const until = now + days * DAY;
    if (name === 'startVacation') return startVacation(state, player, { from: now, until }, now);
    if (name === 'finishVacation') return finishVacation(state, player, now, false);
    const situation = { state, player, now, ply: state.plyCount + 1 };
    if (name === 'acceptTakeback') {
      return ACTS.acceptTakeback({ ...situation, earlier: this.banks[state.offers.takeback?.ply ?? 0]! });
    }
    const { ply: _, ...other } = situation;
    return ACTS[name](name === 'move' || name === 'giveTime' ? situation : other);
  }

  /** The same act on the chess clock. */
  private mirror(name: Name, player: Player, before: GameState, { state, log }: Decision): void {
    const { clock, now } = this;
    if (name === 'move') {
      expect(timeUsed(before, now)).toBe(clock.used());
      clock.move(now);
      this.banks = [...this.banks.slice(0, state.plyCount), { turn: state.turn!, bank: state.clock.bank }];
    }
    if (name === 'acceptTakeback') {
      const { turn, bank } = this.banks[state.plyCount]!;
      if (bank !== null) clock.bank = bank;
      clock.startTurn(turn, now);
    }
    const given = log[0]?.data?.['seconds'];
    if (given !== undefined) {
      expect(given).toBe(clock.gift());
      clock.give(clock.gift());
    }
    if (name === 'startVacation') clock.leave(player, state.clock.away[player]!.until);
    if (name === 'finishVacation') clock.finishVacation(player, now);
    if (before.status === 'active' && state.status === 'paused') clock.pause();
    if (name === 'unpause') clock.resumeAt(state.status === 'active' ? now : now + DAY);
  }

  private take(act: 'move' | null, { state, log, at }: Decision): void {
    const types = [...(act === null ? [] : [act]), ...log.map(({ type }) => type)];
    const [before, after] = [this.state.deadlineAt, state.deadlineAt];
    types.forEach((type) => this.seen.add(type));
    expect(types.length).toBeGreaterThan(0);
    if (before !== null && after !== null && after < before) {
      expect(types.some((type) => NEARER.includes(type))).toBe(true);
    }
    // The log is ordered by time, except that a reminder may be late.
    expect(at).toBeGreaterThanOrEqual(this.lastAt);
    expect(at).toBeLessThanOrEqual(this.now);
    this.lastAt = at;
    this.state = state;
  }

  private compare(): void {
    const { state, clock, now } = this;
    const turn = turnOf(state);
    expect(state.deadlineAt).toBe(clock.deadline());
    expect(leftAt(turn, now)).toBe(clock.left());
    expect(timeUsed(state, now)).toBe(clock.used());
    if (state.clock.bank !== null) expect(state.clock.bank).toEqual(clock.bank);
    if (state.status === 'active' && clock.needsReminder()) {
      const asked = due(state, now);
      expect(state.clock.reminded || (asked as Decision).log[0]!.type === 'reminder').toBe(true);
    }
    this.explained();
    wholeNumbers(state.clock);
  }

  private explained(): void {
    const { state } = this;
    const parts = explain(turnOf(state));
    if (state.clock.allowance === null) return expect(parts).toEqual([]);
    const sum = parts.reduce((all, part) => all + (part.seconds ?? Infinity), 0);
    parts.forEach(({ kind }) => this.seen.add(`segment ${kind}`));
    if (state.deadlineAt === null) {
      expect([state.status, resumesAt(state), sum]).toEqual(['paused', null, Infinity]);
    } else {
      expect(state.turnStartedAt + 1000 * sum).toBe(state.deadlineAt);
    }
  }
}

function wholeNumbers({ away: _, ...clock }: GameState['clock']): void {
  JSON.stringify(clock, (_key, value: unknown) => {
    if (typeof value === 'number') expect(Number.isInteger(value) && value >= 0).toBe(true);
    return value;
  });
}

describe('any sequence of acts', () => {
  test('gives each player the time that the facts allow', () => {
    const seen = new Set<string>();
    const must = [
      'move',
      'acceptTakeback',
      'giveTime',
      'acceptPause',
      'unpause',
      'resume',
      'reminder',
      'flag',
    ];
    const segments = ['given', 'vacation', 'pause', 'ceiling'].map((kind) => `segment ${kind}`);
    const all = [...must, 'vacationStart', 'vacationEnd', ...segments];
    const missing = () => all.filter((type) => !seen.has(type));
    // Some acts are rare in random sequences: run more rounds until each has occurred.
    for (let round = 0; round === 0 || (missing().length > 0 && round < 20); round++) {
      fc.assert(
        fc.property(control, fc.array(step, { minLength: 5, maxLength: 60 }), (timeControl, steps) => {
          const world = new World(timeControl, seen);
          for (const next of steps) {
            world.step(next);
            if (isOver(world.state)) break;
          }
        }),
        { ...runs(1500), seed: SEED + round },
      );
    }
    expect(missing()).toEqual([]);
  });

  test('never changes the clock of the player who is not to move by a vacation', () => {
    const state = begin({ type: 'perMove', seconds: 86_400 });
    const away = startVacation(state, 'second', { from: START, until: START + DAY }, START)!.state;
    expect(away.deadlineAt).toBe(state.deadlineAt);
    expect(refusalFor(makeMove, { state: away, player: 'first', now: START })).toBeNull();
  });
});
