import fc from 'fast-check';
import { finishVacation, due, flag, startVacation, withheld } from '../../src/arbiter/clock-acts.js';
import { finish, type Decision, type GameState } from '../../src/arbiter/state.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import { PLAYERS } from '../../src/rules/ruleset.js';
import { deepFreeze } from '../support/deep-freeze.js';
import { acted, begin, daily, DAY, decided, HOUR, pending, plies, ply, START, untimed } from './states.js';

const always = () => true;
const dueNow = (state: GameState, now: number): Decision => {
  const decision = due(state, now);
  return decided(decision === 'flag' ? null : decision);
};
const pausedAt = (state: GameState, at: number) =>
  acted(state, at, ['first', 'offerPause'], ['second', 'acceptPause']);
const types = ({ log }: Decision) => log.map(({ type }) => type);

/** Everything that the clock does by `now`, and when; `unheard` is asked before a player is flagged. */
function settled(state: GameState, now: number, unheard: (state: GameState) => Decision | null = () => null) {
  const log: (readonly [string, number])[] = [];
  for (let after = state; ;) {
    const decision = due(after, now);
    if (decision === null) return { state: after, log };
    const done = decision === 'flag' ? (unheard(after) ?? flag(after, after.turn!, always)) : decision;
    expect(log.length).toBeLessThan(50);
    log.push([types(done)[0]!, done.at]);
    after = done.state;
  }
}

describe('a turn that runs out', () => {
  const game = plies(2, begin(daily));
  const last = game.deadlineAt!;

  test('ends just after its deadline, however late that is noticed', () => {
    expect(due({ ...game, clock: { ...game.clock, reminded: true } }, last)).toBeNull();
    expect(due(game, last + 1)).toBe('flag');
    expect(due(game, last + 400 * DAY)).toBe('flag');
  });

  test('ends as of the deadline itself and is lost by the side to move', () => {
    const { state, log, at } = flag(game, 'first', always);
    expect(at).toBe(last);
    expect(log).toEqual([
      { type: 'flag', player: 'first' },
      { type: 'end', player: null, data: { winner: 'second', reason: 'timeout' } },
    ]);
    expect(state).toMatchObject({
      status: 'finished',
      turn: null,
      deadlineAt: null,
      wakeAt: null,
      outcome: { winner: 'second', reason: 'timeout' },
    });
  });

  test('is a draw when the opponent could never win, with or without an open offer', () => {
    const offered = acted(game, last, ['second', 'offerDraw']);
    const asked: string[] = [];
    const canWin = (player: string) => (asked.push(player), false);
    const { state } = flag(offered, 'first', canWin);
    expect(asked).toEqual(['second']);
    expect(state.outcome).toEqual({ winner: null, reason: 'timeout' });
    expect(state.offers.draw).toBeNull();
    expect(flag(offered, 'first', always).state.outcome).toEqual({ winner: 'second', reason: 'timeout' });
  });

  test.each([
    [['creator'], 'second'],
    [['accepter'], 'first'],
    [['creator', 'accepter'], null],
  ] as const)('aborts a game that is waiting for seeds: of %j', (late, player) => {
    const waiting = pending(daily);
    expect(due(waiting, waiting.deadlineAt!)).toBeNull();
    expect(due(waiting, waiting.deadlineAt! + 1)).toBe('flag');
    const seats = { creator: 'second', accepter: 'first' } as const;
    const parts = late.map((role) => ({ role, player: seats[role] }));
    const { state, log, at } = withheld(waiting, parts);
    const outcome = { winner: null, reason: 'aborted' };
    expect([state.status, state.outcome]).toEqual(['aborted', outcome]);
    expect(state).toMatchObject({ turn: null, deadlineAt: null, wakeAt: null });
    expect(log).toEqual([
      { type: 'flag', player, data: { withheld: late } },
      { type: 'end', player: null, data: outcome },
    ]);
    expect(at).toBe(waiting.deadlineAt);
  });

  test('does nothing when the game is over', () => {
    expect(due(finish(game, { winner: null, reason: 'agreement' }, [], last).state, last + 1)).toBeNull();
  });
});

describe('the reminder', () => {
  const game = begin(daily);
  const moment = START + 0.8 * DAY;

  test('goes to the side to move once, when 80 % of the turn are used', () => {
    expect(game.wakeAt).toBe(moment);
    expect(due(game, moment - 1)).toBeNull();
    const { state, log } = dueNow(game, moment + 5);
    expect(log).toEqual([{ type: 'reminder', player: 'first' }]);
    expect([state.deadlineAt, state.wakeAt]).toEqual([game.deadlineAt, null]);
    expect(due(state, game.deadlineAt!)).toBeNull();
  });

  test('is sent again when its time has moved into the future', () => {
    const reminded = dueNow(game, moment).state;
    const more = acted(reminded, moment, ['second', 'giveTime']);
    expect(more.wakeAt).toBe(START + 1.6 * DAY);
    expect(types(dueNow(more, more.wakeAt!))).toEqual(['reminder']);
    const away = startVacation(
      reminded,
      'first',
      { from: moment - HOUR, until: moment + DAY },
      moment,
    )!.state;
    expect(away.clock.reminded).toBe(false);
  });

  test('is not sent again while its time is in the past', () => {
    const reminded = dueNow(game, moment + HOUR).state;
    const away = startVacation(
      reminded,
      'first',
      { from: moment + HOUR, until: moment + DAY },
      moment + HOUR,
    )!.state;
    expect([away.clock.reminded, due(away, moment + HOUR)]).toEqual([true, null]);
    const paused = acted(pausedAt(reminded, moment + HOUR), moment + 2 * HOUR, ['first', 'unpause']);
    expect(settled(paused, paused.deadlineAt!).log.map(([type]) => type)).toEqual(['resume']);
  });

  test('belongs to one turn: the next turn has its own', () => {
    const next = ply(dueNow(game, moment).state, moment).state;
    expect(types(dueNow(next, next.wakeAt!))).toEqual(['reminder']);
  });

  test('is not sent during a pause or without a time control', () => {
    const paused = pausedAt(game, START + HOUR);
    expect(due(paused, START + 400 * DAY)).toBeNull();
    expect(due(begin(untimed), START + 400 * DAY)).toBeNull();
  });

  test('is not sent during a pause when a vacation has brought its time closer', () => {
    const slow = begin({ type: 'perMove', seconds: 60 * 86_400 });
    const paused = acted(pausedAt(slow, START + 45 * DAY), START + 45 * DAY, ['first', 'unpause']);
    const now = START + 45 * DAY + HOUR;
    const away = startVacation(paused, 'first', { from: now, until: now + 30 * DAY }, now)!.state;
    expect(due(away, now)).toBeNull();
    expect(away.wakeAt).toBe(START + 46 * DAY);
    expect(settled(away, away.wakeAt!).log.map(([type]) => type)).toEqual(['resume', 'reminder']);
  });
});

describe('a pause that was called off', () => {
  const game = begin(daily);
  const off = acted(pausedAt(game, START + HOUR), START + 2 * HOUR, ['second', 'unpause']);

  test('ends a day after the notice, as of that time', () => {
    expect(off.wakeAt).toBe(START + 2 * HOUR + DAY);
    expect(off.deadlineAt).toBe(START + 2 * DAY + HOUR);
    expect(due(off, off.wakeAt! - 1)).toBeNull();
    const { state, log, at } = dueNow(off, off.wakeAt! + 7);
    expect([log, at]).toEqual([[{ type: 'resume', player: null }], off.wakeAt]);
    expect([state.status, state.deadlineAt]).toEqual(['active', off.deadlineAt]);
  });

  test('ends before the turn it stopped can run out, even when both are noticed at once', () => {
    expect(settled(off, off.deadlineAt! + DAY).log).toEqual([
      ['resume', off.wakeAt],
      ['flag', off.deadlineAt],
    ]);
  });
});

describe('a vacation', () => {
  const game = plies(2, begin(daily));
  const now = game.turnStartedAt + HOUR;
  const week = { from: now, until: now + 7 * DAY };

  test('stops the clock of the side to move and is logged', () => {
    const { state, log, at } = startVacation(game, 'first', week, now)!;
    expect([log, at]).toEqual([[{ type: 'vacationStart', player: 'first', instants: week }], now]);
    expect(state.deadlineAt).toBe(game.deadlineAt! + 7 * DAY);
    expect(state.clock.away).toEqual({ first: week, second: null });
  });

  test('does not affect the clock of the opponent until it is their turn', () => {
    const { state } = startVacation(game, 'second', week, now)!;
    expect(state.deadlineAt).toBe(game.deadlineAt);
    const next = ply(state, now + DAY - HOUR).state;
    expect(next.deadlineAt).toBe(week.until + DAY);
  });

  test('of the side to move continues when the opponent comes back', () => {
    const away = startVacation(startVacation(game, 'first', week, now)!.state, 'second', week, now)!.state;
    const { state } = finishVacation(away, 'second', now + DAY, false)!;
    expect([state.deadlineAt, state.clock.away]).toEqual([away.deadlineAt, { first: week, second: null }]);
  });

  test('is not ended by moving', () => {
    const moved = ply(startVacation(game, 'first', week, now)!.state, now + DAY).state;
    expect(moved.clock.away.first).toEqual(week);
    expect(moved.deadlineAt).toBe(now + 2 * DAY);
    const back = ply(moved, now + 1.5 * DAY).state;
    expect(back.deadlineAt).toBe(week.until + DAY);
  });

  test('is used up at its end, as of that time', () => {
    const away = startVacation(game, 'first', week, now)!.state;
    expect(away.wakeAt).toBe(week.until);
    expect(due(away, week.until - 1)).toBeNull();
    const { state, log, at } = dueNow(away, week.until + HOUR);
    expect(log).toEqual([{ type: 'vacationEnd', player: 'first', data: { usedUp: true } }]);
    expect([at, state.deadlineAt]).toEqual([week.until, away.deadlineAt]);
    expect(state.clock.away.first).toBeNull();
  });

  test('brings the deadline closer when it is ended early', () => {
    const away = startVacation(game, 'first', week, now)!.state;
    const { state, log, at } = finishVacation(away, 'first', now + 2 * DAY, false)!;
    expect(log).toEqual([{ type: 'vacationEnd', player: 'first', data: { usedUp: false } }]);
    expect([at, state.deadlineAt]).toEqual([now + 2 * DAY, game.deadlineAt! + 2 * DAY]);
    const twice = startVacation(
      state,
      'first',
      { from: now + 2 * DAY, until: now + 3 * DAY },
      now + 2 * DAY,
    )!.state;
    expect(twice.deadlineAt).toBe(game.deadlineAt! + 3 * DAY);
  });

  test('changes nothing in a game that forbids vacations, is over, waits for a seed, or already counts it', () => {
    const strict = begin({ ...daily, noVacation: true });
    const away = startVacation(game, 'first', week, now)!.state;
    const over = finish(away, { winner: null, reason: 'agreement' }, [], now).state;
    for (const state of [strict, over, pending(daily), away]) {
      expect(startVacation(state, 'first', week, now)).toBeNull();
    }
    expect(startVacation(game, 'first', { from: now + 500, until: now + 500 }, now)).toBeNull();
    expect(startVacation(away, 'second', week, now)).not.toBeNull();
    for (const state of [game, over]) expect(finishVacation(state, 'first', now, false)).toBeNull();
  });

  test('is announced once: not again when it is used up, nor when it ended before the turn', () => {
    const usedUp = settled(startVacation(game, 'first', week, now)!.state, week.until).state;
    expect(startVacation(usedUp, 'first', week, week.until)).toBeNull();
    const before = { from: game.turnStartedAt - 2 * DAY, until: game.turnStartedAt };
    expect(startVacation(game, 'first', before, now)).toBeNull();
    const next = { from: week.until, until: week.until + DAY };
    expect(startVacation(usedUp, 'first', next, week.until)!.state.deadlineAt).toBe(
      game.deadlineAt! + 8 * DAY,
    );
  });

  test('of both players ends separately for each', () => {
    const both = startVacation(
      startVacation(game, 'first', week, now)!.state,
      'second',
      { ...week, until: now + DAY },
      now,
    )!;
    expect(settled(both.state, week.until).log).toEqual([
      ['vacationEnd', now + DAY],
      ['vacationEnd', week.until],
    ]);
  });
});

describe('what is noticed late', () => {
  const control = fc
    .integer({ min: 86_400, max: 60 * 86_400 })
    .map((seconds): TimeControl => ({ type: 'perMove', seconds }));
  const ms = (days: number) => fc.integer({ min: 0, max: days * DAY });
  const times = ({ deadlineAt, clock, status, outcome }: GameState) => ({
    deadlineAt,
    status,
    outcome,
    away: clock.away,
    bank: clock.bank,
  });

  test('counts a vacation from its own start to its own end', () => {
    fc.assert(
      fc.property(control, ms(1), ms(30), ms(90), ms(90), (timeControl, from, length, lag, endLag) => {
        const game = begin(timeControl);
        deepFreeze(game);
        const absence = { from: START + from, until: START + from + 30 * DAY };
        const end = absence.from + length;
        const gone = startVacation(game, 'first', absence, absence.from)!.state;
        const goneLate = startVacation(game, 'first', absence, absence.from + lag)!.state;
        expect(times(goneLate)).toEqual(times(gone));
        const home = finishVacation(gone, 'first', end, false)!.state;
        const homeLate = finishVacation(goneLate, 'first', end, false)!.state;
        expect(times(homeLate)).toEqual(times(home));
        const later = end + endLag;
        expect(times(settled(homeLate, later).state)).toEqual(times(settled(home, later).state));
      }),
    );
  });

  test('counts vacations that the game has not recorded before a turn runs out', () => {
    const stays = fc.array(fc.tuple(ms(20), fc.integer({ min: 1, max: 30 })), { maxLength: 4 });
    fc.assert(
      fc.property(control, stays, (timeControl, days) => {
        let at = START;
        const absences = days.map(([after, length]) => {
          const from = at + after;
          return { from, until: (at = from + length * DAY) };
        });
        const game = begin(timeControl);
        let inTime = game;
        const log: (readonly [string, number])[] = [];
        for (const absence of absences) {
          const seen = settled(inTime, absence.from);
          log.push(...seen.log);
          inTime = startVacation(seen.state, 'first', absence, absence.from)?.state ?? seen.state;
        }
        const end = at + 90 * DAY;
        // The server also looks for unrecorded vacations before it flags a player.
        const unheard = (state: GameState) =>
          absences
            .filter(({ from }) => from <= state.deadlineAt!)
            .reduce<Decision | null>(
              (done, absence) => done ?? startVacation(state, 'first', absence, end),
              null,
            );
        const [once, late] = [settled(inTime, end), settled(game, end, unheard)];
        expect(times(late.state)).toEqual(times(once.state));
        expect(late.log.at(-1)).toEqual([...log, ...once.log].at(-1));
        const moments = late.log.filter(([type]) => type !== 'reminder').map(([, moment]) => moment);
        expect(moments).toEqual([...moments].sort((a, b) => a - b));
      }),
    );
  });

  test('ends a pause and vacations in order, whether it checks often or once', () => {
    fc.assert(
      fc.property(
        control,
        // Before the first deadline, which may be a day off: exactly at a deadline no time is left to stop.
        fc.tuple(fc.integer({ min: 0, max: DAY - 1 }), ms(40), ms(40), ms(40)),
        fc.array(ms(100), { maxLength: 20 }),
        (timeControl, [paused, notice, first, second], looks) => {
          const at = START + paused;
          let state = pausedAt(begin(timeControl), at);
          for (const player of PLAYERS) {
            const until = at + DAY + (player === 'first' ? first : second);
            state = startVacation(state, player, { from: at, until }, at)!.state;
          }
          const off = acted(settled(state, at + notice).state, at + notice, ['first', 'unpause']);
          deepFreeze(off);
          const end = at + notice + 100 * DAY;
          const once = settled(off, end);
          const log: (readonly [string, number])[] = [];
          let often = off;
          for (const look of [...looks].sort((a, b) => a - b).map((after) => at + notice + after)) {
            const seen = settled(often, look);
            log.push(...seen.log);
            often = seen.state;
          }
          log.push(...settled(often, end).log);
          const facts = (entries: typeof log) => entries.filter(([type]) => type !== 'reminder');
          expect(times(settled(often, end).state)).toEqual(times(once.state));
          expect(facts(log)).toEqual(facts(once.log));
          const moments = once.log.map(([, moment]) => moment);
          expect(moments).toEqual([...moments].sort((a, b) => a - b));
        },
      ),
    );
  });
});
