import type { components } from '../../packages/client/src/client.js';

/** Time controls in words. */

type TimeControl = components['schemas']['Game']['timeControl'];

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `3 days`, `36 hours`: in the largest unit that gives a whole number. */
export function lengthOf(seconds: number): string {
  const [unit, size] = UNITS.find((each) => seconds % each[1] === 0)!;
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function timeControlOf(timeControl: TimeControl): string {
  if ('perMove' in timeControl) return `${lengthOf(timeControl.perMove.seconds)} for each move`;
  if ('none' in timeControl) return 'no limit';
  const { initial, increment, cap } = timeControl.bank;
  const more = increment === 0 ? '' : `, ${lengthOf(increment)} more with each move up to ${lengthOf(cap)}`;
  return `${lengthOf(initial)} in all${more}`;
}

/** Whether the clocks run through vacations. */
export const hasNoVacation = (timeControl: TimeControl): boolean =>
  Object.values(timeControl).some(({ noVacation }: { readonly noVacation: boolean }) => noVacation);
