import { Injectable } from '@nestjs/common';

export const DAY_MS = 86_400_000;

/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock of the server, which tests can replace. */
@Injectable()
export class Time {
  now(): Date {
    return new Date();
  }

  /** Calls `work` at this moment, or after 24 days if that is earlier; returns a function that cancels it. */
  at(moment: Date, work: () => void): () => void {
    // A timer may fire a fraction of a millisecond early.
    const wait = moment.getTime() - this.now().getTime() + 1;
    const timer = setTimeout(work, Math.min(Math.max(wait, 0), LONGEST_MS));
    timer.unref();
    return () => clearTimeout(timer);
  }
}
