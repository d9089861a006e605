import fc from 'fast-check';
import { comeBack, due, flag, goAway, withheld } from '../../src/arbiter/clock-acts.js';
import { finish, type Decision, type GameState } from '../../src/arbiter/state.js';
import type { TimeControl } from '../../src/arbiter/time-control.js';
import { PLAYERS } from '../../src/rules/ruleset.js';
import { freeze } from '../support/frozen.js';
import { acted, begin, daily, DAY, decided, HOUR, pending, plies, ply, START, untimed } from './states.js';

const always = () => true;
const dueNow = (state: GameState, now: number): Decision => {
  const decision = due(state, now);
  return decided(decision === 'flag' ? null : decision);
};
const pausedAt = (state: GameState, at: number) =>
  acted(state, at, ['first', 'offerPause'], ['second', 'acceptPause']);
const types = ({ log }: Decision) => log.map(({ type }) => type);

/** Everything that the clock does by `now`, and when; `unheard` is asked before somebody is flagged. */
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

  test('is due the moment after its deadline, however late somebody looks', () => {
    expect(due({ ...game, clock: { ...game.clock, reminded: true } }, last)).toBeNull();
    expect(due(game, last + 1)).toBe('flag');
    expect(due(game, last + 400 * DAY)).toBe('flag');
  });

  test('is stamped with the deadline itself, and lost by the player to move', () => {
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

  test('is a draw when the opponent could never win, an open offer or not', () => {
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
  ] as const)('calls the game off while it waits for seeds: of %j', (late, player) => {
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

  test('is nobody’s concern when the game is over', () => {
    expect(due(finish(game, { winner: null, reason: 'agreement' }, [], last).state, last + 1)).toBeNull();
  });
});

describe('the reminder', () => {
  const game = begin(daily);
  const moment = START + 0.8 * DAY;

  test('is for the player to move, when 80 % of the turn are used, once', () => {
    expect(game.wakeAt).toBe(moment);
    expect(due(game, moment - 1)).toBeNull();
    const { state, log } = dueNow(game, moment + 5);
    expect(log).toEqual([{ type: 'reminder', player: 'first' }]);
    expect([state.deadlineAt, state.wakeAt]).toEqual([game.deadlineAt, null]);
    expect(due(state, game.deadlineAt!)).toBeNull();
  });

  test('comes again when its moment has come to lie ahead', () => {
    const reminded = dueNow(game, moment).state;
    const more = acted(reminded, moment, ['second', 'giveTime']);
    expect(more.wakeAt).toBe(START + 1.6 * DAY);
    expect(types(dueNow(more, more.wakeAt!))).toEqual(['reminder']);
    const away = goAway(reminded, 'first', { from: moment - HOUR, until: moment + DAY }, moment)!.state;
    expect(away.clock.reminded).toBe(false);
  });

  test('does not come again while its moment stays behind', () => {
    const reminded = dueNow(game, moment + HOUR).state;
    const away = goAway(
      reminded,
      'first',
      { from: moment + HOUR, until: moment + DAY },
      moment + HOUR,
    )!.state;
    expect([away.clock.reminded, due(away, moment + HOUR)]).toEqual([true, null]);
    const paused = acted(pausedAt(reminded, moment + HOUR), moment + 2 * HOUR, ['first', 'unpause']);
    expect(settled(paused, paused.deadlineAt!).log.map(([type]) => type)).toEqual(['resume']);
  });

  test('belongs to a turn: the next one has its own', () => {
    const next = ply(dueNow(game, moment).state, moment).state;
    expect(types(dueNow(next, next.wakeAt!))).toEqual(['reminder']);
  });

  test('does not come in a pause, nor without a time control', () => {
    const paused = pausedAt(game, START + HOUR);
    expect(due(paused, START + 400 * DAY)).toBeNull();
    expect(due(begin(untimed), START + 400 * DAY)).toBeNull();
  });

  test('wakes nobody in a pause when a vacation has brought its moment nearer', () => {
    const slow = begin({ type: 'perMove', seconds: 60 * 86_400 });
    const paused = acted(pausedAt(slow, START + 45 * DAY), START + 45 * DAY, ['first', 'unpause']);
    const now = START + 45 * DAY + HOUR;
    const away = goAway(paused, 'first', { from: now, until: now + 30 * DAY }, now)!.state;
    expect(due(away, now)).toBeNull();
    expect(away.wakeAt).toBe(START + 46 * DAY);
    expect(settled(away, away.wakeAt!).log.map(([type]) => type)).toEqual(['resume', 'reminder']);
  });
});

describe('a pause that was called off', () => {
  const game = begin(daily);
  const off = acted(pausedAt(game, START + HOUR), START + 2 * HOUR, ['second', 'unpause']);

  test('is over a day after the notice, as of that moment', () => {
    expect(off.wakeAt).toBe(START + 2 * HOUR + DAY);
    expect(off.deadlineAt).toBe(START + 2 * DAY + HOUR);
    expect(due(off, off.wakeAt! - 1)).toBeNull();
    const { state, log, at } = dueNow(off, off.wakeAt! + 7);
    expect([log, at]).toEqual([[{ type: 'resume', player: null }], off.wakeAt]);
    expect([state.status, state.deadlineAt]).toEqual(['active', off.deadlineAt]);
  });

  test('is over before the turn that it stopped runs out, even when all is seen at once', () => {
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

  test('stops the clock of the player to move, and says so in the log', () => {
    const { state, log, at } = goAway(game, 'first', week, now)!;
    expect([log, at]).toEqual([[{ type: 'vacationStart', player: 'first', instants: week }], now]);
    expect(state.deadlineAt).toBe(game.deadlineAt! + 7 * DAY);
    expect(state.clock.away).toEqual({ first: week, second: null });
  });

  test('leaves the clock of the opponent alone, until it is his turn', () => {
    const { state } = goAway(game, 'second', week, now)!;
    expect(state.deadlineAt).toBe(game.deadlineAt);
    const next = ply(state, now + DAY - HOUR).state;
    expect(next.deadlineAt).toBe(week.until + DAY);
  });

  test('of the player to move goes on when his opponent comes back', () => {
    const away = goAway(goAway(game, 'first', week, now)!.state, 'second', week, now)!.state;
    const { state } = comeBack(away, 'second', now + DAY, false)!;
    expect([state.deadlineAt, state.clock.away]).toEqual([away.deadlineAt, { first: week, second: null }]);
  });

  test('is not ended by moving', () => {
    const moved = ply(goAway(game, 'first', week, now)!.state, now + DAY).state;
    expect(moved.clock.away.first).toEqual(week);
    expect(moved.deadlineAt).toBe(now + 2 * DAY);
    const back = ply(moved, now + 1.5 * DAY).state;
    expect(back.deadlineAt).toBe(week.until + DAY);
  });

  test('is used up at its end, as of that moment', () => {
    const away = goAway(game, 'first', week, now)!.state;
    expect(away.wakeAt).toBe(week.until);
    expect(due(away, week.until - 1)).toBeNull();
    const { state, log, at } = dueNow(away, week.until + HOUR);
    expect(log).toEqual([{ type: 'vacationEnd', player: 'first', data: { usedUp: true } }]);
    expect([at, state.deadlineAt]).toEqual([week.until, away.deadlineAt]);
    expect(state.clock.away.first).toBeNull();
  });

  test('that is ended early brings the deadline nearer', () => {
    const away = goAway(game, 'first', week, now)!.state;
    const { state, log, at } = comeBack(away, 'first', now + 2 * DAY, false)!;
    expect(log).toEqual([{ type: 'vacationEnd', player: 'first', data: { usedUp: false } }]);
    expect([at, state.deadlineAt]).toEqual([now + 2 * DAY, game.deadlineAt! + 2 * DAY]);
    const twice = goAway(state, 'first', { from: now + 2 * DAY, until: now + 3 * DAY }, now + 2 * DAY)!.state;
    expect(twice.deadlineAt).toBe(game.deadlineAt! + 3 * DAY);
  });

  test('changes nothing in a game that does not allow for it, is over, waits, or knows of it', () => {
    const strict = begin({ ...daily, noVacation: true });
    const away = goAway(game, 'first', week, now)!.state;
    const over = finish(away, { winner: null, reason: 'agreement' }, [], now).state;
    for (const state of [strict, over, pending(daily), away]) {
      expect(goAway(state, 'first', week, now)).toBeNull();
    }
    expect(goAway(game, 'first', { from: now + 500, until: now + 500 }, now)).toBeNull();
    expect(goAway(away, 'second', week, now)).not.toBeNull();
    for (const state of [game, over]) expect(comeBack(state, 'first', now, false)).toBeNull();
  });

  test('is told once: not again when it is used up, nor when it was over before the turn', () => {
    const usedUp = settled(goAway(game, 'first', week, now)!.state, week.until).state;
    expect(goAway(usedUp, 'first', week, week.until)).toBeNull();
    const before = { from: game.turnStartedAt - 2 * DAY, until: game.turnStartedAt };
    expect(goAway(game, 'first', before, now)).toBeNull();
    const next = { from: week.until, until: week.until + DAY };
    expect(goAway(usedUp, 'first', next, week.until)!.state.deadlineAt).toBe(game.deadlineAt! + 8 * DAY);
  });

  test('of both players ends for each at his own time', () => {
    const both = goAway(
      goAway(game, 'first', week, now)!.state,
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

describe('what is seen late', () => {
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

  test('a vacation counts from its own beginning, and to its own end', () => {
    fc.assert(
      fc.property(control, ms(1), ms(30), ms(90), ms(90), (timeControl, from, length, lag, endLag) => {
        const game = begin(timeControl);
        freeze(game);
        const absence = { from: START + from, until: START + from + 30 * DAY };
        const end = absence.from + length;
        const gone = goAway(game, 'first', absence, absence.from)!.state;
        const goneLate = goAway(game, 'first', absence, absence.from + lag)!.state;
        expect(times(goneLate)).toEqual(times(gone));
        const home = comeBack(gone, 'first', end, false)!.state;
        const homeLate = comeBack(goneLate, 'first', end, false)!.state;
        expect(times(homeLate)).toEqual(times(home));
        const later = end + endLag;
        expect(times(settled(homeLate, later).state)).toEqual(times(settled(home, later).state));
      }),
    );
  });

  test('vacations that no game was told of count when the turn would run out', () => {
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
          inTime = goAway(seen.state, 'first', absence, absence.from)?.state ?? seen.state;
        }
        const end = at + 90 * DAY;
        // As the server does: before it flags anybody it looks for what it was not told.
        const unheard = (state: GameState) =>
          absences
            .filter(({ from }) => from <= state.deadlineAt!)
            .reduce<Decision | null>((done, absence) => done ?? goAway(state, 'first', absence, end), null);
        const [once, late] = [settled(inTime, end), settled(game, end, unheard)];
        expect(times(late.state)).toEqual(times(once.state));
        expect(late.log.at(-1)).toEqual([...log, ...once.log].at(-1));
        const moments = late.log.filter(([type]) => type !== 'reminder').map(([, moment]) => moment);
        expect(moments).toEqual([...moments].sort((a, b) => a - b));
      }),
    );
  });

  test('a pause and vacations that end do so in order, looked at often or once', () => {
    fc.assert(
      fc.property(
        control,
        // Before the first deadline, which may be a day off: at that very moment no time is left to stop.
        fc.tuple(fc.integer({ min: 0, max: DAY - 1 }), ms(40), ms(40), ms(40)),
        fc.array(ms(100), { maxLength: 20 }),
        (timeControl, [paused, notice, first, second], looks) => {
          const at = START + paused;
          let state = pausedAt(begin(timeControl), at);
          for (const player of PLAYERS) {
            const until = at + DAY + (player === 'first' ? first : second);
            state = goAway(state, player, { from: at, until }, at)!.state;
          }
          const off = acted(settled(state, at + notice).state, at + notice, ['first', 'unpause']);
          freeze(off);
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
