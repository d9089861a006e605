/** Types of random.mjs, for the tests. */
export function random(seed: number): (below: number) => number;
