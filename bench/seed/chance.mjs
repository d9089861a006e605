import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { oneOf, random } from '../../test/support/random.mjs';

/** Random draws for the seeded database, the same in every run with the same seed. */

const PARTS = 2 ** 32;

/** 32 bytes derived from a text. */
export const bytesOf = (text) => createHash('sha256').update(text).digest();

/**
 * A random generator of its own for each seeded object, so that draws do not depend on the order of the work.
 */
export function chanceOf(text) {
  const pick = random(bytesOf(text).readUInt32BE(0));
  const unit = () => pick(PARTS) / PARTS;
  const gauss = () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  return {
    pick,
    unit,
    happens: (share) => unit() < share,
    oneOf: (list) => oneOf(pick, list),
    /** A log-normal distribution around `median`. */
    around: (median, spread) => median * Math.exp(spread * gauss()),
    /** One value of a list of `[value, weight]`. */
    weighed: (table) => {
      let left = unit() * table.reduce((sum, [, weight]) => sum + weight, 0);
      return (table.find(([, weight]) => (left -= weight) < 0) ?? table.at(-1))[0];
    },
  };
}

/** An id for this time, in the format of the server. */
export const idOf = (text, at) => v7({ msecs: at, random: bytesOf(`${text}:id`) });
