import { createHash, randomBytes } from 'node:crypto';

/** Client seeds as clients draw them, each used once. */

export const newSeed = () => randomBytes(16).toString('hex');

export const hashOf = (clientSeed) => createHash('sha256').update(clientSeed).digest('hex');

const seeds = new Map();

/** The seed of whoever made the challenge with this id: that which was announced, else one for it alone. */
export function seedFor(id) {
  if (!seeds.has(id)) seeds.set(id, newSeed());
  return seeds.get(id);
}

/** Opens something with an announced seed; `open` gets the hash, and the promise of what it makes has an id. */
export async function announced(open) {
  const seed = newSeed();
  const { id } = await open(hashOf(seed));
  seeds.set(id, seed);
  return id;
}
