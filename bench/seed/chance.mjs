import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { oneOf, random } from '../fuzz/random.mjs';

/** What is drawn for a seeded database: the same in every run with the same number. */

const PARTS = 2 ** 32;

/** 32 bytes that follow from a text. */
export const bytesOf = (text) => createHash('sha256').update(text).digest();

/** Draws whose order nothing else can disturb: each thing that is seeded has its own. */
export function chanceOf(text) {
  const pick = random(bytesOf(text).readUInt32BE(0));
  const unit = () => pick(PARTS) / PARTS;
  const gauss = () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  return {
    pick,
    unit,
    happens: (share) => unit() < share,
    oneOf: (list) => oneOf(pick, list),
    /** Many around `median`, and a long tail above. */
    around: (median, spread) => median * Math.exp(spread * gauss()),
    /** One of `[value, weight]`. */
    weighed: (table) => {
      let left = unit() * table.reduce((sum, [, weight]) => sum + weight, 0);
      return (table.find(([, weight]) => (left -= weight) < 0) ?? table.at(-1))[0];
    },
  };
}

/** An id as the server makes them, of this moment. */
export const idOf = (text, at) => v7({ msecs: at, random: bytesOf(`${text}:id`) });
