import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../app.js';
import type { Config } from '../config.js';
import { openDatabase } from '../platform/database/database.js';

/** Runs `work` with an application that is created but not started, so that its background work does not run. */
export async function withApp<T>(
  config: Config,
  work: (app: NestFastifyApplication) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(config, () => undefined);
  const app = await createApp(config, database).catch(async (error: unknown) => {
    // The thread of an open database keeps the program from ending.
    await database.close();
    throw error;
  });
  // Close the database on a signal, too.
  app.enableShutdownHooks([], { useProcessExit: true });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
