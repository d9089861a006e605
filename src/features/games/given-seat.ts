import { badInput } from '../../platform/errors/errors.js';
import { rulesets, type AnyRuleset } from '../../rules/registry.js';
import { PLAYERS } from '../../rules/ruleset.js';

/** Reads which seat a request means. */

export const SEAT_WISHES = [...PLAYERS, 'any'] as const;
export type SeatWish = (typeof SEAT_WISHES)[number];

/** A colour, or a seat by the name that it had before. */
export const SIDE_WORDS: readonly string[] = [
  ...new Set([...SEAT_WISHES, ...rulesets().flatMap(({ sides }) => sides)]),
];

/** What a word of SIDE_WORDS stands for, for people. */
export function meaningOfSide(word: string): string {
  const fixed = rulesets().filter((ruleset) => hasFixedSides(ruleset) && ruleset.sides.includes(word));
  if (fixed.length === 0) return word === 'any' ? 'Either seat.' : `The ${word} seat, whatever its colour.`;
  return `The seat of this colour in ${fixed.map(({ id }) => id).join(', ')}.`;
}

export interface GivenSeat {
  readonly seat?: SeatWish | null | undefined;
  readonly side?: string | null | undefined;
}

/** The seat named by `seat` or by `side`; any without either. `ruleset` is null if none is given. Throws BAD_INPUT. */
export function givenSeat({ seat = null, side = null }: GivenSeat, ruleset: AnyRuleset | null): SeatWish {
  if (side === null) return seat ?? 'any';
  const meant = seatOfSide(side, ruleset);
  if (seat === null || seat === meant) return meant;
  throw badInput('side', `side (${side}) and seat (${seat}) are different seats. Give only one of them.`);
}

const hasFixedSides = (ruleset: AnyRuleset): boolean => ruleset.sideOf === undefined;

function seatOfSide(side: string, ruleset: AnyRuleset | null): SeatWish {
  const seat = SEAT_WISHES.find((word) => word === side);
  if (seat !== undefined) return seat;
  if (ruleset === null) throw badInput('side', `side ${side} requires ruleset as well.`);
  const { id, sides } = ruleset;
  if (!hasFixedSides(ruleset)) {
    const message = `side cannot be ${side} in ${id}: the first piece that is turned up decides who has which colour. Give a seat: first, second or any.`;
    throw badInput('side', message);
  }
  const meant = PLAYERS[sides.indexOf(side)];
  if (meant !== undefined) return meant;
  throw badInput('side', `side must be one of ${sides.join(', ')} in ${id}; got ${side}.`);
}
