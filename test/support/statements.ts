import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { rounds } from './scale.js';

/** As a driver sends it; without a name its plan is not kept. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
}

/**
 * Which statements reach the database while `work` is done: seen at the drivers, below everything of ours. The
 * server looks through its outbox all the time, which is left out.
 */
export const sentBy = async (work: () => Promise<unknown>): Promise<Statement[]> =>
  (await answered(work)).map(({ statement }) => statement);

/** How many rows the database answers with while `work` is done. */
export const rowsReadBy = async (work: () => Promise<unknown>): Promise<number> =>
  (await answered(work)).reduce((sum, { rows }) => sum + rows, 0);

interface Answered {
  readonly statement: Statement;
  /** 0 where it has failed. */
  readonly rows: number;
}

interface Result {
  readonly rows?: readonly unknown[];
}

async function answered(work: () => Promise<unknown>): Promise<Answered[]> {
  const seen: Promise<Answered>[] = [];
  const drivers = [Client.prototype, EmbeddedPostgres.prototype] as unknown as Record<'query', Query>[];
  const originals = drivers.map((driver) => driver.query);
  drivers.forEach((driver, i) => {
    driver.query = function (this: unknown, ...args: unknown[]) {
      const [first, values = []] = args;
      const given = typeof first === 'string' ? { text: first, values } : (first as object);
      const statement = { name: '', values: [], ...given } as unknown as Statement;
      // Of what is asked with a callback nothing comes back.
      const answer = originals[i]!.apply(this, args) as Promise<Result> | undefined;
      seen.push(
        Promise.resolve(answer).then(
          (result) => ({ statement, rows: result?.rows?.length ?? 0 }),
          () => ({ statement, rows: 0 }),
        ),
      );
      return answer;
    };
  });
  try {
    await work();
  } finally {
    drivers.forEach((driver, i) => (driver.query = originals[i]!));
  }
  return (await Promise.all(seen)).filter(({ statement }) => !statement.text.includes('outbox'));
}

/** Their texts alone. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await sentBy(work)).map(({ text }) => text);

/** The fewest of several tries: what a server does beside, or a connection when it begins, only ever adds. */
export async function fewestStatements(work: () => Promise<unknown>): Promise<string[]> {
  const tries: string[][] = [];
  for (let i = 0; i < rounds(4, 2); i++) tries.push(await statementsOf(work));
  return tries.sort((a, b) => a.length - b.length)[0]!;
}

/** Its first words: how many parameters it has does depend on the length of a list. */
const kindOf = (statement: string): string => statement.trim().replace(/\s+/g, ' ').slice(0, 60);

/**
 * What a long page costs that a short one of the same list does not. A short page may hold nothing of some kind, such as
 * games that are over: what is read of those is read once, however many.
 */
export function extraStatements(short: readonly string[], long: readonly string[]): string[] {
  const [few, many] = [short.map(kindOf), long.map(kindOf)];
  const count = (kinds: readonly string[], kind: string) => kinds.filter((one) => one === kind).length;
  return [...new Set(many)].filter((kind) => count(many, kind) > Math.max(1, count(few, kind)));
}

type Query = (this: unknown, ...args: unknown[]) => unknown;
