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

/** A stopped clock whose alarms ring when it is moved past them. */
class RingingTime extends StoppedTime {
  private readonly alarms = new Set<{ readonly moment: Date; readonly work: () => void }>();

  override at(moment: Date, work: () => void): () => void {
    const alarm = { moment, work };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  override forward(milliseconds: number): void {
    super.forward(milliseconds);
    for (const alarm of [...this.alarms]) {
      if (alarm.moment > this.moment || !this.alarms.delete(alarm)) continue;
      alarm.work();
    }
  }
}

/** Stops the clock of a server; the alarms that are set from now on ring when it is moved past them. */
export function ringTime(app: INestApplicationContext): StoppedTime {
  const ringing = new RingingTime();
  Object.assign(app.get(Time), {
    now: () => ringing.now(),
    at: (moment: Date, work: () => void) => ringing.at(moment, work),
  });
  return ringing;
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
