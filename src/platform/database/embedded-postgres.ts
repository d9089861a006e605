import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { types } from '@electric-sql/pglite';
import { type Answer, type Field, type Parsers, readAnswer, type Results, rowAt } from './answer.js';
import { DATABASE_THREAD } from './database-thread.js';
import { statementNames } from './statements.js';
import { startWatchdog } from './watchdog.js';

export interface QueryOptions {
  /** Rows as arrays of values; otherwise as objects by column name. */
  readonly rowMode?: 'array';
  /** Beside and before those of PGlite. */
  readonly parsers?: Parsers;
}

/** A transaction; nothing else is sent to the database before it is released. */
export interface OpenTransaction {
  query<Row>(sql: string, values?: unknown[], options?: QueryOptions): Promise<Results<Row>>;
  /** Rolls back unless a statement has ended it. */
  release(): Promise<void>;
}

interface Waiting {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

const require = createRequire(import.meta.url);
export const PGLITE = require.resolve('@electric-sql/pglite');

const NONE: Parsers = {};

/** The types of Node do not have it. */
const { WebAssembly: Wasm } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };
};

/** Compiled once, because compiling takes longer than opening. */
let program: Promise<unknown> | undefined;
async function loadProgram(): Promise<unknown> {
  // Optimises functions that have run for a tenth of a second rather than 2 ms: most of those of a start take memory only.
  setFlagsFromString('--wasm-tiering-budget=100000000');
  return Wasm.compile(await readFile(join(dirname(PGLITE), 'pglite.wasm')));
}

/** All buffers are touched at the start. By default they take 128 MB; the system caches the files behind them as well. */
const SETTINGS = ['shared_buffers=32MB'];

/**
 * PostgreSQL (PGlite) in a thread of its own. It has one connection: statements are carried out in the order in which
 * they are sent, and one is sent without waiting for the answer to the one before.
 */
export class EmbeddedPostgres {
  private readonly waiting: Waiting[] = [];
  private answered = 0;
  private lost: Error | null = null;
  private isEnding = false;
  private isInTransaction = false;
  /** Resolves when all transactions that were begun are over. */
  private free: Promise<void> = Promise.resolve();
  private readonly nameOf = statementNames();
  private readonly fieldsOf = new Map<string, readonly Field[]>();
  private readonly parsers: Record<string, Parsers[string]> = { ...types.parsers };
  private merged = new WeakMap<Parsers, Parsers>();
  private readonly stopWatchdog: () => void;

  private constructor(
    private readonly thread: Worker,
    watchdogSeconds: number,
    private readonly onLoss: (why: string) => void,
  ) {
    thread.on('message', (answer: Uint8Array | string) => this.take(answer));
    thread.on('error', (error) => this.lose(`has failed: ${error.message}`));
    thread.on('exit', () => this.lose('has ended'));
    const progress = () => (this.waiting.length === 0 ? null : this.answered);
    this.stopWatchdog = startWatchdog(watchdogSeconds, progress, () =>
      this.lose(
        `has not answered for ${watchdogSeconds} seconds (a full disk makes it hang: free some space)`,
      ),
    );
  }

  /**
   * Opens the database in a folder, creating it if the folder is empty. `onLoss` is called if it ends by itself, or
   * does not answer for `watchdogSeconds`; then it must be opened anew.
   */
  static async open(
    folder: string,
    watchdogSeconds: number,
    onLoss: (why: string) => void,
  ): Promise<EmbeddedPostgres> {
    const workerData = {
      pglite: PGLITE,
      folder,
      program: await (program ??= loadProgram()),
      settings: SETTINGS,
    };
    const thread = new Worker(DATABASE_THREAD, { eval: true, workerData });
    const database = new EmbeddedPostgres(thread, watchdogSeconds, onLoss);
    try {
      await new Promise((resolve, reject) => database.wait({ resolve, reject }));
      await database.exec("SET TIME ZONE 'UTC'");
      await database.learnArrays();
    } catch (error) {
      await database.end();
      throw error;
    }
    return database;
  }

  async query<Row>(sql: string, values: unknown[] = [], options: QueryOptions = {}): Promise<Results<Row>> {
    await this.free;
    return this.ask(sql, values, options);
  }

  /** Runs any number of statements. */
  async exec(script: string): Promise<void> {
    await this.free;
    await this.run(script);
  }

  /** Begins a transaction after all statements that were sent. */
  async begin(): Promise<OpenTransaction> {
    const before = this.free;
    let letGo = (): void => undefined;
    this.free = new Promise((resolve) => (letGo = resolve));
    await before;
    let isOpen = true;
    const release = async () => {
      if (!isOpen) return;
      isOpen = false;
      try {
        if (this.isInTransaction) await this.run('ROLLBACK');
      } finally {
        letGo();
      }
    };
    const query = <Row>(sql: string, values: unknown[] = [], options: QueryOptions = {}) => {
      if (!isOpen) throw new Error('The transaction is over.');
      return this.ask<Row>(sql, values, options);
    };
    try {
      await this.run('BEGIN');
    } catch (error) {
      await release();
      throw error;
    }
    return { query, release };
  }

  /** Closes the database after all statements that were sent; those that come later are refused. */
  async close(): Promise<void> {
    await this.free;
    const closed = this.send({ end: true });
    // The thread would carry out a later statement on a database that is half closed.
    this.lost ??= new Error('the embedded database is closed');
    try {
      await closed;
    } finally {
      await this.end();
    }
  }

  private async ask<Row>(sql: string, values: unknown[], options: QueryOptions): Promise<Results<Row>> {
    const name = this.nameOf({ sql, args: values });
    const bytes = await this.send({ sql, values, name });
    const answer = this.read(bytes);
    const fields = answer.fields ?? this.fieldsOf.get(name) ?? [];
    if (name !== '') this.fieldsOf.set(name, fields);
    const parsers = this.parsersWith(options.parsers);
    const rows = answer.rows.map((start) => rowAt(bytes, start, fields, parsers));
    const named = (row: unknown[]) => Object.fromEntries(fields.map(({ name }, i) => [name, row[i]]));
    return {
      rows: (options.rowMode === 'array' ? rows : rows.map(named)) as Row[],
      fields,
      affectedRows: answer.affectedRows,
    };
  }

  private async run(script: string): Promise<void> {
    this.read(await this.send({ script }));
  }

  /** Throws the error of the database. */
  private read(bytes: Buffer): Answer {
    const answer = readAnswer(bytes);
    this.isInTransaction = answer.isInTransaction;
    if (answer.error !== null) throw answer.error;
    return answer;
  }

  private send(request: object): Promise<Buffer> {
    if (this.lost !== null) return Promise.reject(this.lost);
    return new Promise((resolve, reject) => {
      this.wait({ resolve, reject });
      this.thread.postMessage(request);
    });
  }

  /** The thread keeps the process alive while an answer is due. */
  private wait(waiting: Waiting): void {
    this.waiting.push(waiting);
    if (this.waiting.length === 1) this.thread.ref();
  }

  private take(answer: Uint8Array | string): void {
    this.answered++;
    const { resolve, reject } = this.waiting.shift()!;
    if (this.waiting.length === 0) this.thread.unref();
    if (typeof answer === 'string') reject(new Error(answer));
    else resolve(Buffer.from(answer.buffer));
  }

  private lose(why: string): void {
    const loss = new Error(`the embedded database ${why}`);
    this.lost ??= loss;
    for (const { reject } of this.waiting.splice(0)) reject(loss);
    if (!this.isEnding) this.onLoss(loss.message);
  }

  private async end(): Promise<void> {
    this.isEnding = true;
    this.stopWatchdog();
    await this.thread.terminate();
  }

  private parsersWith(own: Parsers = NONE): Parsers {
    const known = this.merged.get(own);
    if (known !== undefined) return known;
    const merged = { ...this.parsers, ...own };
    this.merged.set(own, merged);
    return merged;
  }

  /** The types of arrays have their numbers in the database. */
  private async learnArrays(): Promise<void> {
    const { rows } = await this.query<{ oid: number; typarray: number }>(
      'SELECT oid, typarray FROM pg_type WHERE typarray <> 0',
    );
    for (const { oid, typarray } of rows) {
      this.parsers[typarray] = (text) => types.arrayParser(text, this.parsers[oid]!, typarray) as unknown;
    }
    this.merged = new WeakMap();
  }
}
