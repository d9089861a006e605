import { Injectable } from '@nestjs/common';

export const DAY_MS = 86_400_000;

/** The longest that a timer waits. */
const LONGEST_MS = 2 ** 31 - 1;

/** The server's clock, in one place, so that tests can move it. */
@Injectable()
export class Time {
  now(): Date {
    return new Date();
  }

  /** Does the work at this moment, or some weeks from now when that is earlier. The answer cancels it. */
  at(moment: Date, work: () => void): () => void {
    // A timer may be early by a part of a millisecond.
    const wait = moment.getTime() - this.now().getTime() + 1;
    const timer = setTimeout(work, Math.min(Math.max(wait, 0), LONGEST_MS));
    timer.unref();
    return () => clearTimeout(timer);
  }
}
