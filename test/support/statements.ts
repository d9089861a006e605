import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { rounds } from './scale.js';

/** A statement as a driver sends it; one without a name is not prepared. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
}

/**
 * The statements that reach the database during `work`, recorded at the drivers. The server's polling of the
 * event log and the checkpoints of the embedded database are left out.
 */
export const sentBy = async (work: () => Promise<unknown>): Promise<Statement[]> =>
  (await answered(work)).map(({ statement }) => statement);

/** The number of rows that the database returns during `work`. */
export const rowsReadBy = async (work: () => Promise<unknown>): Promise<number> =>
  (await answered(work)).reduce((sum, { rows }) => sum + rows, 0);

interface Answered {
  readonly statement: Statement;
  /** 0 if it failed. */
  readonly rows: number;
}

interface Result {
  readonly rows?: readonly unknown[];
}

/** Statements that a server sends without being asked. */
const OF_ITSELF =
  /announcedSeek|pg_control_checkpoint|"sessionId", coalesce|FROM mails WHERE kind|SET last_used_at = used|(?:FROM|UPDATE) log_readers|FROM news_items WHERE channel|FROM pushes WHERE pushes|^(?:LISTEN|NOTIFY) halfmove$/;

async function answered(work: () => Promise<unknown>): Promise<Answered[]> {
  const seen: Promise<Answered>[] = [];
  const drivers = [Client.prototype, EmbeddedPostgres.prototype] as unknown as Record<'query', Query>[];
  const originals = drivers.map((driver) => driver.query);
  drivers.forEach((driver, i) => {
    driver.query = function (this: unknown, ...args: unknown[]) {
      const [first, values = []] = args;
      const given = typeof first === 'string' ? { text: first, values } : (first as object);
      const statement = { name: '', values: [], ...given } as unknown as Statement;
      // A query with a callback returns no promise.
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
  return (await Promise.all(seen)).filter(({ statement }) => !OF_ITSELF.test(statement.text));
}

/** Only their texts. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await sentBy(work)).map(({ text }) => text);

/**
 * The fewest of several tries, because background work of the server and new connections only add statements.
 */
export async function fewestStatements(work: () => Promise<unknown>): Promise<string[]> {
  const tries: string[][] = [];
  for (let i = 0; i < rounds(4, 2); i++) tries.push(await statementsOf(work));
  return tries.sort((a, b) => a.length - b.length)[0]!;
}

/** The first words of a statement, because its number of parameters depends on the length of a list. */
const kindOf = (statement: string): string => statement.trim().replace(/\s+/g, ' ').slice(0, 60);

/**
 * The additional statements of a long page compared with a short one of the same list. A short page may lack
 * objects of some kind, such as ended games; one statement for each such kind is allowed. The `parts` of a page that
 * group their reads share one statement or have one each, as earlier ones are under way or not: the long page must be
 * longer by more than these.
 */
export function extraStatements(short: readonly string[], long: readonly string[], parts: number): string[] {
  const [few, many] = [short.map(kindOf), long.map(kindOf)];
  const count = (kinds: readonly string[], kind: string) => kinds.filter((one) => one === kind).length;
  return [...new Set(many)].filter((kind) => count(many, kind) > Math.max(parts, count(few, kind)));
}

type Query = (this: unknown, ...args: unknown[]) => unknown;
