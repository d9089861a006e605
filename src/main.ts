import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigError, parseConfig, type Config } from './config.js';
import { DatabaseRefusal } from './platform/database/refusal.js';

/** What a person at the terminal wants to know. */
function greet(config: Config, address: string): string {
  const url = config.publicUrl ?? address;
  const data =
    config.databaseUrl === null ? `${config.dataDir} (embedded database)` : 'PostgreSQL (DATABASE_URL)';
  return [
    'Halfmove is running.',
    `  Play in the browser (GraphiQL)  ${url}/graphiql`,
    `  REST reference                  ${url}/docs`,
    `  Data                            ${data}`,
    '',
  ].join('\n');
}

/** The database first: whoever finds its folder taken is told so before all the rest is loaded. */
async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const { openDatabase } = await import('./platform/database/database.js');
  const database = await openDatabase(config, (error) => {
    process.stderr.write(`A connection to the database was lost: ${error.message}\n`);
  });
  const { createApp } = await import('./app.js');
  const app = await createApp(config, database);
  await endWell(app, config);
  await app.listen(config.port, config.host).catch(async (error: unknown) => {
    await app.close().catch(() => undefined);
    throw error;
  });
  const address = (await app.getUrl()).replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost');
  process.stdout.write(greet(config, address));
}

/** Less than the ten seconds after which Docker kills. */
const END_MS = 7_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** However the end comes, what is under way is answered, and nothing holds the process up for long. */
async function endWell(app: NestFastifyApplication, config: Config): Promise<void> {
  const { Departure } = await import('./transport/departure.js');
  const departure = app.get(Departure);
  const end = async (why: string, code: number, drainSeconds = 0): Promise<void> => {
    if (departure.hasBegun) return;
    setTimeout(() => process.exit(1), END_MS).unref();
    await departure.begin(why, drainSeconds * 1000);
    await app.close();
    process.exit(code);
  };
  const failed = (error: Error): void => {
    departure.tell(error);
    process.exit(1);
  };
  for (const signal of SIGNALS) {
    // The others are sent by people, who would wait for it.
    const drainSeconds = signal === 'SIGTERM' ? config.drainSeconds : 0;
    process.on(signal, () => void end('The server is going down.', 0, drainSeconds).catch(failed));
  }
  process.on('uncaughtException', (error) => {
    departure.tell(error);
    void end('The server has met an error that it did not foresee, and starts anew.', 1).catch(failed);
  });
}

/** What a person can put right, in words; anything else with its stack. */
function wordsOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseRefusal) return error.message;
  const { code, stack } = error as { code?: unknown; stack?: string };
  if (code === 'EADDRINUSE') return 'The port is taken. Stop what listens there, or set PORT to another one.';
  if (code === 'EACCES') return 'This port is for the administrator alone. Set PORT to one from 1024 on.';
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return 'HOST is no address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all of them.';
  }
  return String(stack ?? error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${wordsOf(error)}\n`);
  process.exit(1);
});
