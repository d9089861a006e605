import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../app.js';
import type { Config } from '../config.js';
import { openDatabase } from '../platform/database/database.js';

/** Does some work with the application of this configuration, which is made and not started: nothing in it goes to work. */
export async function withApp<T>(
  config: Config,
  work: (app: NestFastifyApplication) => Promise<T>,
): Promise<T> {
  const app = await createApp(config, await openDatabase(config, () => undefined));
  // Ended by a signal it closes the database, too.
  app.enableShutdownHooks([], { useProcessExit: true });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
