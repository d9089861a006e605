import 'reflect-metadata';
import type { Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.js';
import { Passwords } from '../../src/features/auth/passwords.js';
import { parseConfig, type Config } from '../../src/config.js';
import { openDatabase } from '../../src/platform/database/database.js';
import { Time } from '../../src/platform/process/time.js';
import { freshPlace, type Place } from './databases.js';
import { validateAnswers } from './openapi-validation.js';

/** The whole application on a real database, listening on a free port. */
export interface TestServer {
  readonly app: NestFastifyApplication;
  /** For supertest. */
  readonly http: Server;
  readonly config: Config;
  /** For example http://127.0.0.1:40123. */
  readonly url: string;
  /** Returns the shared server, or stops a private one. Rejects if an answer did not match openapi.json. */
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** For most tests: long sessions, many games, and sweeps only when a test calls them. */
export const SHARED_SETTINGS: Settings = {
  ACCESS_TOKEN_SECONDS: '86400',
  SESSION_DAYS: '365',
  SWEEP_SECONDS: '3600',
  EXPIRY_SWEEP_SECONDS: '3600',
  HOUSEKEEPING_SECONDS: '86400',
  MAX_RUNNING_GAMES: '100000',
  MAX_OPEN_CHALLENGES: '10000',
  MAX_WRONG_PASSWORDS_PER_ADDRESS: '1000000',
};

/**
 * Tests share one IP address and play faster than people, so limits are raised; the log is written only on
 * request. The watchdog waits an hour, because some property tests compute for minutes.
 */
const UNHURRIED: Settings = {
  WATCHDOG_SECONDS: '3600',
  LOG_SECONDS: '3600',
  REGISTRATIONS_PER_HOUR: '1000000',
  GUESTS_PER_HOUR: '1000000',
  RECOVERIES_PER_HOUR: '1000000',
  MAX_PASSWORDS_WAITING_PER_ADDRESS: '100',
  CHALLENGES_PER_MINUTE: '1000000',
  CHALLENGES_PER_HOUR: '1000000',
  MAX_CONNECTIONS_PER_ADDRESS: '100000',
  MAX_SOCKETS_PER_ADDRESS: '100000',
  MAX_WATCHING_COST_PER_ADDRESS: '100000000',
};

/** A thousandth of the argon2 cost in production. */
const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };

let shared: Promise<Running> | undefined;

/**
 * The server that all test files of a worker share, with one database, for tests that only look at their own
 * users and games. Restarts a clock that an earlier file has stopped.
 */
export async function sharedServer(): Promise<TestServer> {
  shared ??= freshPlace().then((place) => run(SHARED_SETTINGS, place));
  const { server, assertAnswersValid } = await shared;
  const time: Partial<Time> = server.app.get(Time);
  delete time.now;
  delete time.at;
  return { ...server, close: async () => assertAnswersValid() };
}

/**
 * A separate server, for tests of other settings, of all stored data, or of startup. Pass `place` to share or
 * keep a database.
 */
export async function startServer(settings: Settings = {}, place?: Place): Promise<TestServer> {
  const own = place ?? (await freshPlace());
  const { server, assertAnswersValid } = await run(settings, own);
  const close = async () => {
    await server.close();
    if (place === undefined) await own.remove();
    assertAnswersValid();
  };
  return { ...server, close };
}

interface Running {
  readonly server: TestServer;
  assertAnswersValid(): void;
}

async function run(settings: Settings, { dataDir, databaseUrl }: Place): Promise<Running> {
  const config = parseConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    PORT: '0',
    DATA_DIR: dataDir,
    MIN_FREE_MB: '0',
    ...UNHURRIED,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    ...settings,
  });
  const app = await createApp(config, await openDatabase(config, () => undefined));
  // Thousands of users register in tests that are not about passwords.
  Object.assign(app.get(Passwords), { cost: CHEAP });
  const broken = validateAnswers(app);
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  const server = {
    app,
    http: app.getHttpServer(),
    config,
    url: await app.getUrl(),
    close: () => app.close(),
  };
  const assertAnswersValid = () => {
    const seen = broken.splice(0);
    if (seen.length > 0) throw new Error(`Answers that do not match openapi.json:\n${seen.join('\n')}`);
  };
  return { server, assertAnswersValid };
}
