import 'reflect-metadata';
import { createApp } from './app.js';
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

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const app = await createApp(config);
  await app.listen(config.port, config.host);
  const address = (await app.getUrl()).replace('[::1]', 'localhost').replace('127.0.0.1', 'localhost');
  process.stdout.write(greet(config, address));
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof DatabaseRefusal;
  const inUse = (error as { code?: unknown }).code === 'EADDRINUSE';
  const words = inUse ? 'The port is taken. Stop what listens there, or set PORT to another one.' : null;
  process.stderr.write(`${words ?? (expected ? error.message : String((error as Error).stack))}\n`);
  process.exit(1);
});
