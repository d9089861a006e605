import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigError, parseConfig, type Config } from './config.js';
import { DatabaseRefusal } from './platform/database/refusal.js';

/** The greeting on the terminal. */
function greet(config: Config, address: string): string {
  const url = config.publicUrl ?? address;
  const data =
    config.databaseUrl === null ? `${config.dataDir} (embedded database)` : 'PostgreSQL (DATABASE_URL)';
  return [
    'Halfmove is running.',
    `  In the browser              ${url}/`,
    `  GraphQL by hand (GraphiQL)  ${url}/graphiql`,
    `  REST reference              ${url}/docs`,
    `  Data                        ${data}`,
    '',
  ].join('\n');
}

/** Opens the database first, so that a locked folder is reported before anything else is loaded. */
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
  if (config.databaseUrl === null) await hearOperator(app, config);
  process.stdout.write(greet(config, address));
}

/** Lets the operator's programs in, which cannot open the embedded database beside the server. */
async function hearOperator(app: NestFastifyApplication, { dataDir }: Config): Promise<void> {
  const { openOperatorSocket } = await import('./operator/socket.js');
  if ((await openOperatorSocket(app, dataDir)) !== null) return;
  process.stderr.write(
    'The programs of the operator need the server stopped: DATA_DIR is too long for a socket in it.\n',
  );
}

/** Docker kills the process after ten seconds. */
const END_MS = 7_000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** Answers the requests in progress before the process ends, within END_MS. */
async function endWell(app: NestFastifyApplication, config: Config): Promise<void> {
  const { Shutdown } = await import('./transport/shutdown.js');
  const { linesWritten } = await import('./platform/process/logging.js');
  const shutdown = app.get(Shutdown);
  const end = async (why: string, code: number, drainSeconds = 0): Promise<void> => {
    if (shutdown.hasBegun) return;
    setTimeout(() => process.exit(1), END_MS).unref();
    await shutdown.begin(why, drainSeconds * 1000);
    await app.close();
    await linesWritten();
    process.exit(code);
  };
  const failed = (error: Error): void => {
    shutdown.log(error);
    process.exit(1);
  };
  for (const signal of SIGNALS) {
    // The other signals are sent by people, who should not wait.
    const drainSeconds = signal === 'SIGTERM' ? config.drainSeconds : 0;
    process.on(signal, () => void end('The server is shutting down.', 0, drainSeconds).catch(failed));
  }
  process.on('uncaughtException', (error) => {
    shutdown.log(error);
    void end('The server is restarting after an unexpected error.', 1).catch(failed);
  });
}

/** Explains the errors that a person can fix; any other keeps its stack. */
function wordsOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseRefusal) return error.message;
  const { code, stack } = error as { code?: unknown; stack?: string };
  if (code === 'EADDRINUSE')
    return 'The port is in use. Stop the program that listens there, or set PORT to another port.';
  if (code === 'EACCES')
    return 'Ports below 1024 are reserved for the administrator. Set PORT to 1024 or higher.';
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return 'HOST is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all its addresses.';
  }
  return String(stack ?? error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${wordsOf(error)}\n`);
  process.exit(1);
});
