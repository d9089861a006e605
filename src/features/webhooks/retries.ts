import { type Answer, pauseAsked } from '../../platform/http/outgoing.js';
import { DAY_MS } from '../../platform/process/time.js';

/** When a message that was not taken is sent again: with growing pauses over three days, then no more. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Those that Standard Webhooks proposes; the last one is repeated. */
const PAUSES_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
] as const;
const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
/** A pause is longer or shorter by up to this part, so that many that failed together do not come back together. */
const JITTER = 0.2;
/** The status of an address that wants nothing any more. */
export const GONE = 410;

/**
 * Why a webhook is off: its owner switched it off, its address answered 410 or failed for three days, its token ended, or
 * its secret cannot be read.
 */
export const OFF_REASONS = ['switchedOff', 'gone', 'failing', 'tokenEnded', 'secretLost'] as const;
export type OffReason = (typeof OFF_REASONS)[number];

export type Verdict = { readonly again: Date } | { readonly off: OffReason };

export const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** What follows after a failure: `tries` is how often it has failed, this time included, and `since` when first. */
export function verdictOn(
  answer: Answer | null,
  { tries, since, now, chance }: { tries: number; since: Date; now: Date; chance: number },
): Verdict {
  if (answer?.status === GONE) return { off: 'gone' };
  const usual = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1]! * (1 + JITTER * (2 * chance - 1));
  const asked = answer === null ? null : pauseAsked(answer, now);
  const again = new Date(now.getTime() + (asked ?? usual));
  return again.getTime() - since.getTime() > GIVEN_UP_AFTER_MS ? { off: 'failing' } : { again };
}
