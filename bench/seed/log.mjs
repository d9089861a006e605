import { DealsService } from '../../dist/engine/deals.service.js';
import { DealsStore } from '../../dist/engine/deals.store.js';
import { LogService } from '../../dist/features/transparency/log.service.js';
import { LogStore } from '../../dist/features/transparency/log.store.js';
import { Background } from '../../dist/platform/process/background.js';
import { openDatabase } from '../../dist/platform/database/database.js';
import { PrismaService } from '../../dist/platform/database/prisma.service.js';

/**
 * Appends all openings and ends to the log, as a server does at its start. It signs nothing, so it needs no
 * keys.
 */
export async function logGames(config) {
  const start = performance.now();
  const database = await openDatabase(config, () => undefined);
  try {
    const prisma = new PrismaService(database);
    const store = new LogStore(prisma);
    const deals = new DealsService(new DealsStore(prisma, config));
    await new LogService(store, deals, null, new Background(), config).append();
    const seconds = (performance.now() - start) / 1000;
    console.log(`${await store.size()} entries of the log: ${seconds.toFixed(1)} s`);
  } finally {
    await database.close();
  }
}
