import { Alarm } from '../../src/features/games/alarm.js';
import { StoppedTime } from '../support/stopped-time.js';

/** When the alarm rings, on a clock that is moved by hand. */

class Clock extends StoppedTime {
  /** What waits, the earliest first. */
  waiting: { readonly moment: number; readonly work: () => void }[] = [];

  override at(moment: Date, work: () => void): () => void {
    const timer = { moment: moment.getTime(), work };
    this.waiting = [...this.waiting, timer].sort((a, b) => a.moment - b.moment);
    return () => (this.waiting = this.waiting.filter((other) => other !== timer));
  }

  /** Goes to a moment; what is due by then is done at its own. */
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
let alarm: Alarm;
let rung: number[];
beforeEach(() => {
  clock = new Clock(new Date(0));
  alarm = new Alarm(clock);
  rung = [];
  alarm.start(() => rung.push(clock.now().getTime()));
});

const game = (deadline: number | null, wake: number | null, status: 'active' | 'finished' = 'active') => ({
  status,
  deadlineAt: deadline === null ? null : new Date(deadline),
  wakeAt: wake === null ? null : new Date(wake),
});

test('rings once, at the earliest moment that it was told, whatever else it was told before or after', () => {
  for (const moment of [9000, 5000, 7000, 5000]) alarm.by(moment);
  alarm.by(null);
  expect(clock.waiting.map(({ moment }) => moment)).toEqual([5000]);
  clock.to(20_000);
  expect(rung).toEqual([5000]);
});

test('rings for a game the moment after its deadline, or at what comes before it, and for none that is over', () => {
  alarm.for(game(8000, null));
  expect(clock.waiting.map(({ moment }) => moment)).toEqual([8001]);
  alarm.for(game(9000, 6000));
  alarm.for(game(1000, 1000, 'finished'));
  alarm.for(game(null, null));
  expect(clock.waiting.map(({ moment }) => moment)).toEqual([6000]);
});

test('rings at once for what is past', () => {
  clock.to(5000);
  alarm.by(10);
  clock.to(5000);
  expect(rung).toEqual([5000]);
});

test('rings no sooner than a second after it has rung, however often that comes to nothing', () => {
  alarm.start(() => {
    rung.push(clock.now().getTime());
    alarm.by(10);
  });
  alarm.by(10);
  clock.to(3500);
  expect(rung).toEqual([10, 1010, 2010, 3010]);
});

test('does not ring when it was stopped, nor before it was started', () => {
  alarm.by(10);
  alarm.stop();
  alarm.by(20);
  const other = new Alarm(clock);
  other.by(30);
  clock.to(100);
  expect([rung, clock.waiting]).toEqual([[], []]);
});
