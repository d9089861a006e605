/**
 * mulberry32: returns a function that draws a whole number below its argument, the same sequence for the same
 * seed.
 */
export function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export const oneOf = (pick, list) => list[pick(list.length)];
