import type { INestApplicationContext } from '@nestjs/common';
import { Time } from '../../src/platform/time.js';

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

/** Stops the clock of a whole server. */
export function stopTime(app: INestApplicationContext): StoppedTime {
  const stopped = new StoppedTime();
  app.get(Time).now = () => stopped.now();
  return stopped;
}
