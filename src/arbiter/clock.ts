/** Time controls and deadlines. Instants are milliseconds since 1970 (UTC), durations whole seconds. */

export const MIN_MOVE_SECONDS = 60;
export const MAX_MOVE_SECONDS = 60 * 86_400;

/** How long a game without a deadline waits for what must come before its first ply: a client seed. */
const PATIENCE_SECONDS = 30 * 86_400;

export const TIME_CONTROL_TYPES = ['perMove', 'none'] as const;

export type TimeControl = { readonly type: 'perMove'; readonly seconds: number } | { readonly type: 'none' };

/** A time control from its parts, or what is wrong with them. */
export function makeTimeControl(type: string, seconds: number | null | undefined): TimeControl | string {
  if (type === 'none') return seconds == null ? { type } : 'A game without a time control has no seconds.';
  if (type !== 'perMove') return `The time control is one of ${TIME_CONTROL_TYPES.join(', ')}.`;
  if (!Number.isInteger(seconds) || seconds! < MIN_MOVE_SECONDS || seconds! > MAX_MOVE_SECONDS) {
    return `A move takes from ${MIN_MOVE_SECONDS} (a minute) to ${MAX_MOVE_SECONDS} seconds (60 days).`;
  }
  return { type, seconds: seconds! };
}

/** When the turn that begins at `from` is over, or null. */
export const deadline = (control: TimeControl, from: number): number | null =>
  control.type === 'none' ? null : from + control.seconds * 1000;

/** When a game that waits for a client seed is given up. */
export const seedDeadline = (control: TimeControl, from: number): number =>
  from + (control.type === 'none' ? PATIENCE_SECONDS : control.seconds) * 1000;

/** Whole seconds of a turn; never negative, though two servers' clocks may differ a little. */
export const secondsUsed = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / 1000));
