import type { INestApplicationContext } from '@nestjs/common';
import { Time } from '../../src/platform/process/time.js';

/** A clock that stands still until a test moves it. */
export class StoppedTime extends Time {
  moment: Date;

  constructor(moment = new Date()) {
    super();
    this.moment = moment;
  }

  override now(): Date {
    return this.moment;
  }

  forward(milliseconds: number): void {
    this.moment = new Date(this.moment.getTime() + milliseconds);
  }
}

/** Stops the clock of a server. Its alarms never ring, however far it is moved. */
export function stopTime(app: INestApplicationContext): StoppedTime {
  const stopped = new StoppedTime();
  Object.assign(app.get(Time), { now: () => stopped.now(), at: () => () => undefined });
  return stopped;
}

/** Makes the clock of a server, including its alarms, run this many times as fast. */
export function speedUpTime(app: INestApplicationContext, times: number): void {
  const [time, begun] = [app.get(Time), Date.now()];
  const now = () => new Date(begun + (Date.now() - begun) * times);
  const at = (moment: Date, work: () => void) => {
    const timer = setTimeout(work, Math.max(0, (moment.getTime() - now().getTime()) / times + 1));
    return () => clearTimeout(timer);
  };
  Object.assign(time, { now, at });
}
