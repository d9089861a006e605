import { createHash, randomBytes } from 'node:crypto';

/** Random client seeds, each used only once. */

export const newSeed = () => randomBytes(16).toString('hex');

export const hashOf = (clientSeed) => createHash('sha256').update(clientSeed).digest('hex');

const seeds = new Map();

/** The announced seed of the creator of the challenge with this id, or a new one if none was announced. */
export function seedFor(id) {
  if (!seeds.has(id)) seeds.set(id, newSeed());
  return seeds.get(id);
}

/** Creates something with an announced seed: `open` gets the hash and resolves to an object with an id. */
export async function announced(open) {
  const seed = newSeed();
  const { id } = await open(hashOf(seed));
  seeds.set(id, seed);
  return id;
}
