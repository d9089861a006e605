import { SERVER } from './databases.js';

/** How often a fault is injected: the full number, or fewer where FAULT_ROUNDS says so. */
export const rounds = (full: number): number => Math.min(full, Number(process.env['FAULT_ROUNDS'] || full));

/** One line for whoever runs the tests: what was counted. */
export function tell(what: string, counted: Readonly<Record<string, number>>): void {
  const numbers = Object.entries(counted).map(([name, count]) => `${count} ${name}`);
  process.stderr.write(`${what}: ${numbers.join(', ')}\n`);
}

/** Tests that take a PostgreSQL server; without TEST_DATABASE_URL they are skipped. */
export const onServer = SERVER === undefined ? describe.skip : describe;

/** Tests of the embedded database alone, which a second run on PostgreSQL need not repeat. */
export const onEmbedded = SERVER === undefined ? describe : describe.skip;
