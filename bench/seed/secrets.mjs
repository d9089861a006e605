import { DealsStore } from '../../dist/engine/deals.store.js';

/** Seals the seeds of deals in rows like those of the server's own store. */
export function sealer(seedSecret) {
  const deals = new DealsStore(null, { seedSecret });
  return async (gameId, seed, createdAt) => {
    let row;
    const into = { dealSecret: { create: async ({ data }) => (row = data) } };
    await deals.insert(into, gameId, seed, createdAt);
    return row;
  };
}
