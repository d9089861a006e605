import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../app.js';
import type { Config } from '../config.js';
import { openDatabase } from '../platform/database/database.js';

/** Runs `work` with an application that is created but not started, so that its background work does not run. */
export async function withApp<T>(
  config: Config,
  work: (app: NestFastifyApplication) => Promise<T>,
): Promise<T> {
  const app = await createApp(config, await openDatabase(config, () => undefined));
  // Close the database on a signal, too.
  app.enableShutdownHooks([], { useProcessExit: true });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
