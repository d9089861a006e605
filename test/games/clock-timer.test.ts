import { ClockTimer } from '../../src/features/games/clock-timer.js';
import { StoppedTime } from '../support/stopped-time.js';

/** When the timer fires, on a clock that is moved by hand. */

class Clock extends StoppedTime {
  /** Pending timers, the earliest first. */
  waiting: { readonly moment: number; readonly work: () => void }[] = [];

  override at(moment: Date, work: () => void): () => void {
    const timer = { moment: moment.getTime(), work };
    this.waiting = [...this.waiting, timer].sort((a, b) => a.moment - b.moment);
    return () => (this.waiting = this.waiting.filter((other) => other !== timer));
  }

  /** Moves to a time; what is due by then runs at its own time. */
  to(moment: number): void {
    for (let next = this.waiting[0]; next && next.moment <= moment; next = this.waiting[0]) {
      this.waiting.shift();
      this.moment = new Date(Math.max(next.moment, this.moment.getTime()));
      next.work();
    }
    this.moment = new Date(moment);
  }
}

let clock: Clock;
let timer: ClockTimer;
let fired: number[];
beforeEach(() => {
  clock = new Clock(new Date(0));
  timer = new ClockTimer(clock);
  fired = [];
  timer.start(() => fired.push(clock.now().getTime()));
});

const game = (deadline: number | null, wake: number | null, status: 'active' | 'finished' = 'active') => ({
  status,
  deadlineAt: deadline === null ? null : new Date(deadline),
  wakeAt: wake === null ? null : new Date(wake),
});

test('fires once, at the earliest scheduled time', () => {
  for (const moment of [9000, 5000, 7000, 5000]) timer.scheduleAt(moment);
  timer.scheduleAt(null);
  expect(clock.waiting.map(({ moment }) => moment)).toEqual([5000]);
  clock.to(20_000);
  expect(fired).toEqual([5000]);
});

test('fires for a game the moment after its deadline, or at what comes before it, and for none that is over', () => {
  timer.schedule(game(8000, null));
  expect(clock.waiting.map(({ moment }) => moment)).toEqual([8001]);
  timer.schedule(game(9000, 6000));
  timer.schedule(game(1000, 1000, 'finished'));
  timer.schedule(game(null, null));
  expect(clock.waiting.map(({ moment }) => moment)).toEqual([6000]);
});

test('fires at once for what is past', () => {
  clock.to(5000);
  timer.scheduleAt(10);
  clock.to(5000);
  expect(fired).toEqual([5000]);
});

test('fires no sooner than a second after it has fired, however often that comes to nothing', () => {
  timer.start(() => {
    fired.push(clock.now().getTime());
    timer.scheduleAt(10);
  });
  timer.scheduleAt(10);
  clock.to(3500);
  expect(fired).toEqual([10, 1010, 2010, 3010]);
});

test('does not fire when it was stopped, nor before it was started', () => {
  timer.scheduleAt(10);
  timer.stop();
  timer.scheduleAt(20);
  const other = new ClockTimer(clock);
  other.scheduleAt(30);
  clock.to(100);
  expect([fired, clock.waiting]).toEqual([[], []]);
});
