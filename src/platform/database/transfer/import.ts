import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { BEFORE_FIRST, isBeforeFirst, type Migration } from '../migrations.js';
import { DatabaseRefusal } from '../refusal.js';
import type { SqlSession } from '../session.js';
import { quoted, type Table, tablesOf } from './catalog.js';
import { header, type Note, note } from './format.js';

export interface ImportOptions {
  /** The migrations of the program, which are already applied to the database. */
  readonly migrations: readonly Migration[];
  /** Called before every write; throws to stop the import. */
  readonly assertSpace: () => Promise<void>;
}

const ROWS_AT_ONCE = 500;

/**
 * Imports an export into a migrated, empty database in one transaction and returns the number of rows. Throws a
 * DatabaseRefusal if the database is not empty, or if the export is damaged, cut short or of another version.
 */
export async function importInto(
  session: SqlSession,
  lines: AsyncIterable<string>,
  options: ImportOptions,
): Promise<number> {
  await session.run('BEGIN');
  try {
    const tables = await tablesOf(session);
    await assertEmpty(session, tables);
    const reader = new Import(session, tables, options);
    for await (const line of lines) await reader.take(line);
    reader.assertEnded();
    // The triggers reported the imported rows as news, which they are not: a new log has them as changes only.
    await session.run("UPDATE event_state SET cluster = ''; SELECT begin_log()");
    await session.run('COMMIT');
    return reader.rows;
  } catch (error) {
    await session.run('ROLLBACK').catch(() => undefined);
    throw isUnpackingError(error) ? damaged('it cannot be unpacked') : error;
  }
}

/** Reads an export line by line; knows what it expects next. */
class Import {
  rows = 0;
  private readonly hash = createHash('sha256');
  private state: 'header' | 'contents' | 'ended' = 'header';
  private table: Table | null = null;
  private waiting: string[] = [];

  constructor(
    private readonly session: SqlSession,
    private readonly tables: readonly Table[],
    private readonly options: ImportOptions,
  ) {}

  async take(line: string): Promise<void> {
    if (this.state === 'ended') throw damaged('something follows its end');
    if (this.state === 'header') this.begin(line);
    else if (line.startsWith('[')) await this.row(line);
    else await this.note(parsed(note, line));
    if (this.state === 'contents') this.hash.update(`${line}\n`);
  }

  assertEnded(): void {
    if (this.state !== 'ended') throw damaged('it is cut short');
  }

  private begin(line: string): void {
    assertSameMigrations(parsed(header, line).migrations, this.options.migrations);
    this.state = 'contents';
  }

  private async row(line: string): Promise<void> {
    this.rows += 1;
    this.waiting.push(line);
    if (this.waiting.length === ROWS_AT_ONCE) await this.store();
  }

  private async note(said: Note): Promise<void> {
    await this.store();
    if ('table' in said) this.open(said.table, said.columns);
    else if ('sequence' in said) await this.setSequence(said.sequence, said.value);
    else this.end(said);
  }

  private open(name: string, columns: readonly string[]): void {
    const table = this.tables.find((each) => each.name === name);
    if (table?.columns.map((column) => column.name).join() !== columns.join()) {
      throw damaged(`its table ${name} is not the one of this database`);
    }
    this.table = table;
  }

  private async store(): Promise<void> {
    if (this.waiting.length === 0) return;
    if (this.table === null) throw damaged('it has rows of no table');
    await this.options.assertSpace();
    await this.session
      .query(insertion(this.table), [`[${this.waiting.join(',')}]`])
      .catch(refused(this.table));
    this.waiting = [];
  }

  private async setSequence(name: string, value: string): Promise<void> {
    await this.session.query('SELECT setval($1::text::regclass, $2::text::bigint)', [quoted(name), value]);
  }

  private end({ rows, sha256 }: Extract<Note, { end: true }>): void {
    if (rows !== this.rows || sha256 !== this.hash.digest('hex')) {
      throw damaged('its contents do not match the checksum at its end');
    }
    this.state = 'ended';
  }
}

/** Rows are arrays of texts, which the database parses as it printed them. */
function insertion({ name, columns }: Table): string {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const values = columns.map(({ type }, i) => `(r.line->>${i})::${type}`).join(', ');
  return `INSERT INTO ${quoted(name)} (${names}) SELECT ${values} FROM jsonb_array_elements($1::text::jsonb) AS r(line)`;
}

async function assertEmpty(session: SqlSession, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => quoted(name));
  // Prevents other writes meanwhile; a server on this database waits.
  await session.run(`LOCK TABLE ${names.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
  for (const name of names) {
    const rows = await session.query(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rows.length > 0) {
      throw new DatabaseRefusal(
        `This database is not empty: there are rows in ${name}. Nothing was imported. ` +
          'Import into a new one: another DATA_DIR or DATABASE_URL.',
      );
    }
  }
}

function assertSameMigrations(
  theirs: readonly { name: string; checksum: string }[],
  ours: readonly Migration[],
): void {
  const listed = (all: readonly { name: string; checksum: string }[]) =>
    all.map(({ name, checksum }) => `${name} ${checksum}`).join();
  if (listed(theirs) === listed(ours)) return;
  if (theirs.some(({ name }) => isBeforeFirst(name, ours)))
    throw new DatabaseRefusal(`The export ${BEFORE_FIRST} Nothing was imported.`);
  throw new DatabaseRefusal(
    `The export was made by another version of the program: its last migration is ${theirs.at(-1)?.name ?? 'none'}, ` +
      `ours is ${ours.at(-1)?.name ?? 'none'}. Nothing was imported. ` +
      'Import it with the version that made it; a newer one can then be started on the database.',
  );
}

function parsed<T>(shape: z.ZodType<T>, line: string): T {
  try {
    return shape.parse(JSON.parse(line));
  } catch {
    throw damaged(`a line reads ${line.slice(0, 60)}`);
  }
}

/** Wrong values and violated constraints are faults of the export; a lost connection is not. */
const refused =
  ({ name }: Table) =>
  (error: Error & { code?: string }) => {
    throw /^2[23]/.test(error.code ?? '') ? damaged(`a row of ${name} is refused (${error.message})`) : error;
  };

const isUnpackingError = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('Z_');

const damaged = (how: string) =>
  new DatabaseRefusal(`This is not a whole export of a Halfmove database: ${how}. Nothing was imported.`);
