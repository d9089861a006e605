import 'reflect-metadata';
import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.js';
import { parseConfig, type Config } from '../../src/config.js';
import { openDatabase } from '../../src/platform/database/database.js';
import { freshPlace, type Place } from './databases.js';
import { watchForms } from './forms.js';

/** The whole application on a real database of its own, listening on a free port. */
export interface TestServer {
  readonly app: NestFastifyApplication;
  /** For supertest. */
  readonly http: Server;
  readonly config: Config;
  /** As http://127.0.0.1:40123. */
  readonly url: string;
  /** Stops the server, and removes its database unless it was given a place. Rejects when an answer had no right form. */
  close(): Promise<void>;
}

/** `environment` overrides the settings of tests; with `place` the database is another server's, or one that stays. */
export async function startServer(
  environment: Readonly<Record<string, string>> = {},
  place?: Place,
): Promise<TestServer> {
  const own = place ?? (await freshPlace());
  const config = parseConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    PORT: '0',
    DATA_DIR: own.dataDir,
    MIN_FREE_MB: '0',
    ...(own.databaseUrl === null ? {} : { DATABASE_URL: own.databaseUrl }),
    ...environment,
  });
  const app = await createApp(config, await openDatabase(config, () => undefined));
  const broken = watchForms(app);
  await app.listen(config.port, config.host);
  const close = async () => {
    await app.close();
    if (place === undefined) await own.remove();
    if (broken.length > 0) throw new Error(`Answers of another form:\n${broken.join('\n')}`);
  };
  return { app, http: app.getHttpServer(), config, url: await app.getUrl(), close };
}
