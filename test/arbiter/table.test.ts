import fc from 'fast-check';
import { refusalFor } from '../../src/arbiter/acts/act.js';
import { makeMove } from '../../src/arbiter/acts/make-move.js';
import { timeUsed } from '../../src/arbiter/ply.js';
import { comeBack, due, flag, goAway } from '../../src/arbiter/clock-acts.js';
import { explain, leftAt } from '../../src/arbiter/clock.js';
import { isOver, resumesAt, turnOf, type Decision, type Table } from '../../src/arbiter/table.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import { PLAYERS, type Player } from '../../src/rules/ruleset.js';
import { freeze } from '../support/frozen.js';
import { ChessClock } from './model.js';
import { type ActName, ACTS, type Ruling, begin, DAY, HOUR, isDecision, START } from './tables.js';
import { runs, SEED } from '../support/scale.js';

/** Whatever the players do, and whenever: nobody gets more or less time than a chess clock would show. */

type Name = Exclude<ActName, 'conditionalMoves' | 'resign' | 'abort' | 'claimDraw'> | 'goAway' | 'comeBack';

interface Step {
  readonly wait: number | 'toDeadline' | 'pastDeadline' | 'toWake';
  readonly name: Name;
  readonly player: Player;
  readonly days: number;
}

/** Of those that are not named: 1. */
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
  goAway: 4,
  comeBack: 2,
};

const LEFT_OUT: readonly ActName[] = ['conditionalMoves', 'resign', 'abort', 'claimDraw'];
const NAMES = [
  ...(Object.keys(ACTS) as ActName[]).filter((name) => !LEFT_OUT.includes(name)),
  'goAway',
  'comeBack',
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

/** After these alone a deadline may be nearer than before: a new turn, a vacation or a pause that is over. */
const NEARER = ['move', 'acceptTakeback', 'vacationEnd', 'unpause'];
/** After these a reminder may come again, when its moment has come to lie ahead. */
const LONGER = ['vacationStart', 'vacationEnd', 'unpause', 'acceptTakeback'];

class World {
  now = START;
  table: Table;
  readonly clock: ChessClock;
  readonly seen: Set<string>;
  /** After each ply: who is to move, and the banks. */
  private banks: { turn: Player; bank: Table['clock']['bank'] }[];
  private mayRemind = true;
  private lastAt = START;

  constructor(control: TimeControl, seen: Set<string>) {
    this.table = begin(control);
    this.clock = new ChessClock(control);
    this.clock.startTurn('first', START);
    this.banks = [{ turn: 'first', bank: this.table.clock.bank }];
    this.seen = seen;
  }

  step({ wait, name, player, days }: Step): void {
    this.now += this.milliseconds(wait);
    this.clockActs();
    if (isOver(this.table)) return;
    this.clock.run(this.now);
    this.compare();
    freeze(this.table);
    const before = this.table;
    const ruling = this.ask(name, player, days);
    if (ruling === null || !isDecision(ruling)) return;
    this.mirror(name, player, before, ruling);
    this.take(name === 'move' ? 'move' : null, ruling);
    const longer =
      name === 'move' ||
      ruling.log.some(({ type, data }) => LONGER.includes(type) || data?.['seconds'] !== undefined);
    if (longer && !this.clock.needsReminder()) this.mayRemind = true;
    if (!isOver(this.table)) this.compare();
  }

  private milliseconds(wait: Step['wait']): number {
    if (typeof wait === 'number') return wait;
    const { deadlineAt, wakeAt } = this.table;
    const moment = wait === 'toWake' ? wakeAt : deadlineAt;
    return moment === null ? HOUR : Math.max(0, moment - this.now) + (wait === 'pastDeadline' ? 1 : 0);
  }

  /** What the server does before it looks at anything else. */
  private clockActs(): void {
    const { deadlineAt } = this.table;
    for (;;) {
      const decision = due(this.table, this.now);
      if (decision === null) break;
      if (decision === 'flag') {
        this.flagged();
        return;
      }
      const [entry] = decision.log;
      if (entry!.type === 'reminder') this.remind(entry!.player);
      if (entry!.type === 'vacationEnd') this.clock.comeBack(entry!.player!, decision.at);
      this.take(null, decision);
      // What the clock does by itself was known before: it moves no deadline.
      expect(this.table.deadlineAt).toBe(deadlineAt);
    }
    const { wakeAt } = this.table;
    expect(wakeAt === null || wakeAt > this.now).toBe(true);
  }

  private flagged(): void {
    expect(this.clock.deadline()).toBe(this.table.deadlineAt);
    expect(this.now).toBeGreaterThan(this.table.deadlineAt!);
    const loser = this.table.turn!;
    const decision = flag(this.table, 'first', () => true);
    expect(decision.at).toBe(this.table.deadlineAt);
    expect(decision.table.outcome).toEqual({
      winner: PLAYERS.find((player) => player !== loser),
      reason: 'timeout',
    });
    this.take(null, decision);
  }

  private remind(player: Player | null): void {
    this.clock.run(this.now);
    expect([player, this.mayRemind, this.clock.needsReminder()]).toEqual([this.table.turn, true, true]);
    this.mayRemind = false;
  }

  private ask(name: Name, player: Player, days: number): Ruling | null {
    const { table, now } = this;
    const until = now + days * DAY;
    if (name === 'goAway') return goAway(table, player, { from: now, until }, now);
    if (name === 'comeBack') return comeBack(table, player, now, false);
    const situation = { table, player, now, ply: table.plyCount + 1 };
    if (name === 'acceptTakeback') {
      return ACTS.acceptTakeback({ ...situation, earlier: this.banks[table.offers.takeback?.ply ?? 0]! });
    }
    const { ply: _, ...other } = situation;
    return ACTS[name](name === 'move' || name === 'giveTime' ? situation : other);
  }

  /** The same act at the chess clock. */
  private mirror(name: Name, player: Player, before: Table, { table, log }: Decision): void {
    const { clock, now } = this;
    if (name === 'move') {
      expect(timeUsed(before, now)).toBe(clock.used());
      clock.move(now);
      this.banks = [...this.banks.slice(0, table.plyCount), { turn: table.turn!, bank: table.clock.bank }];
    }
    if (name === 'acceptTakeback') {
      const { turn, bank } = this.banks[table.plyCount]!;
      if (bank !== null) clock.bank = bank;
      clock.startTurn(turn, now);
    }
    const given = log[0]?.data?.['seconds'];
    if (given !== undefined) {
      expect(given).toBe(clock.gift());
      clock.give(clock.gift());
    }
    if (name === 'goAway') clock.leave(player, table.clock.away[player]!.until);
    if (name === 'comeBack') clock.comeBack(player, now);
    if (before.status === 'active' && table.status === 'paused') clock.pause();
    if (name === 'unpause') clock.resumeAt(table.status === 'active' ? now : now + DAY);
  }

  private take(act: 'move' | null, { table, log, at }: Decision): void {
    const types = [...(act === null ? [] : [act]), ...log.map(({ type }) => type)];
    const [before, after] = [this.table.deadlineAt, table.deadlineAt];
    types.forEach((type) => this.seen.add(type));
    expect(types.length).toBeGreaterThan(0);
    if (before !== null && after !== null && after < before) {
      expect(types.some((type) => NEARER.includes(type))).toBe(true);
    }
    // The log is in the order of time, but that a reminder may come late.
    expect(at).toBeGreaterThanOrEqual(this.lastAt);
    expect(at).toBeLessThanOrEqual(this.now);
    this.lastAt = at;
    this.table = table;
  }

  private compare(): void {
    const { table, clock, now } = this;
    const turn = turnOf(table);
    expect(table.deadlineAt).toBe(clock.deadline());
    expect(leftAt(turn, now)).toBe(clock.left());
    expect(timeUsed(table, now)).toBe(clock.used());
    if (table.clock.bank !== null) expect(table.clock.bank).toEqual(clock.bank);
    if (table.status === 'active' && clock.needsReminder()) {
      const asked = due(table, now);
      expect(table.clock.reminded || (asked as Decision).log[0]!.type === 'reminder').toBe(true);
    }
    this.explained();
    wholeNumbers(table.clock);
  }

  private explained(): void {
    const { table } = this;
    const parts = explain(turnOf(table));
    if (table.clock.allowance === null) return expect(parts).toEqual([]);
    const sum = parts.reduce((all, part) => all + (part.seconds ?? Infinity), 0);
    parts.forEach(({ kind }) => this.seen.add(`segment ${kind}`));
    if (table.deadlineAt === null) {
      expect([table.status, resumesAt(table), sum]).toEqual(['paused', null, Infinity]);
    } else {
      expect(table.turnStartedAt + 1000 * sum).toBe(table.deadlineAt);
    }
  }
}

function wholeNumbers({ away: _, ...clock }: Table['clock']): void {
  JSON.stringify(clock, (_key, value: unknown) => {
    if (typeof value === 'number') expect(Number.isInteger(value) && value >= 0).toBe(true);
    return value;
  });
}

describe('any sequence of acts', () => {
  test('leaves each player the time that the facts allow', () => {
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
    // Some acts are rare in random sequences: more rounds until each was seen.
    for (let round = 0; round === 0 || (missing().length > 0 && round < 20); round++) {
      fc.assert(
        fc.property(control, fc.array(step, { minLength: 5, maxLength: 60 }), (timeControl, steps) => {
          const world = new World(timeControl, seen);
          for (const next of steps) {
            world.step(next);
            if (isOver(world.table)) break;
          }
        }),
        { ...runs(1500), seed: SEED + round },
      );
    }
    expect(missing()).toEqual([]);
  });

  test('no clock of a player who is not to move is touched by a vacation', () => {
    const table = begin({ type: 'perMove', seconds: 86_400 });
    const away = goAway(table, 'second', { from: START, until: START + DAY }, START)!.table;
    expect(away.deadlineAt).toBe(table.deadlineAt);
    expect(refusalFor(makeMove, { table: away, player: 'first', now: START })).toBeNull();
  });
});
