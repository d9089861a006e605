import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';

/**
 * Which statements reach the database while `work` is done: counted at the drivers, below everything of ours. The
 * server looks through its outbox all the time, which is left out.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const drivers = [Client.prototype, PGlite.prototype] as unknown as Record<'query', Query>[];
  const originals = drivers.map((driver) => driver.query);
  drivers.forEach((driver, i) => {
    driver.query = function (this: unknown, ...args: unknown[]) {
      const [first] = args;
      seen.push(typeof first === 'string' ? first : (first as { text: string }).text);
      return originals[i]!.apply(this, args);
    };
  });
  try {
    await work();
  } finally {
    drivers.forEach((driver, i) => (driver.query = originals[i]!));
  }
  return seen.filter((text) => !text.includes('outbox'));
}

/** The fewest of several tries: what a server does beside, or a connection when it begins, only ever adds. */
export async function fewestStatements(work: () => Promise<unknown>): Promise<string[]> {
  const tries: string[][] = [];
  for (let i = 0; i < 4; i++) tries.push(await statementsOf(work));
  return tries.sort((a, b) => a.length - b.length)[0]!;
}

type Query = (this: unknown, ...args: unknown[]) => unknown;
