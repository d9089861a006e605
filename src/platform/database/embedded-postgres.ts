import {
  type messages,
  parse,
  PGlite,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
} from '@electric-sql/pglite';

const { serialize } = protocol;

/**
 * PGlite, which answers the statements of Prisma's adapter in two exchanges with the database instead of six, and does not
 * copy its table of parsers for each: a small statement costs half as much.
 */
export class EmbeddedPostgres extends PGlite {
  readonly #parsers = new WeakMap<object, PGlite['parsers']>();

  override async query<T>(
    sql: string,
    values: unknown[] = [],
    options: QueryOptions = {},
  ): Promise<Results<T>> {
    // Only the adapter wants arrays; the others ask seldom.
    if (options.rowMode !== 'array') return super.query<T>(sql, values, options);
    await this._checkReady();
    return this._runExclusiveTransaction(() => this.#ask<T>(sql, values, options));
  }

  override transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.transaction((transaction) => {
      const query = async <Row>(sql: string, values: unknown[] = [], options: QueryOptions = {}) => {
        if (transaction.closed) throw new Error('The transaction is over.');
        return this.#ask<Row>(sql, values, options);
      };
      return work(Object.assign(transaction, { query }));
    });
  }

  #ask<T>(sql: string, values: unknown[], options: QueryOptions): Promise<Results<T>> {
    return this._runExclusiveQuery(async () => {
      const { described, bind } = await this.#prepare(sql, values);
      const answers = await this.#send(bind, serialize.execute({}), serialize.sync());
      const all = this.#parsersWith(options.parsers ?? {});
      const [results] = parse.parseResults([...described, ...answers], all, { rowMode: 'array' });
      return results as Results<T>;
    });
  }

  /** What the answer will look like, and the message that gives the statement its values. */
  async #prepare(sql: string, values: unknown[]) {
    try {
      const described = await this.#send(serialize.parse({ text: sql }), serialize.describe({ type: 'S' }));
      const types = parse.parseDescribeStatementResults(described);
      const bind = serialize.bind({ values: values.map((value, i) => this.#textOf(value, types[i]!)) });
      return { described, bind };
    } catch (error) {
      // After an error the database ignores all that comes before this.
      await this.#send(serialize.sync());
      throw error;
    }
  }

  #textOf(value: unknown, type: number): string | null {
    return value === null ? null : (this.serializers[type] ?? String)(value);
  }

  #parsersWith(own: NonNullable<QueryOptions['parsers']>): PGlite['parsers'] {
    const all = this.#parsers.get(own) ?? { ...this.parsers, ...own };
    this.#parsers.set(own, all);
    return all;
  }

  #send(...parts: Uint8Array[]): Promise<messages.BackendMessage[]> {
    // The files are real ones: there is nothing to bring to them.
    return this.execProtocolStream(Buffer.concat(parts), { syncToFs: false });
  }
}
