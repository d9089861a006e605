import {
  ColumnTypeEnum,
  type ColumnType,
  type SqlQueryable,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import type { Prisma } from '../../generated/prisma/client.js';

/** Statements outside of transactions, past the interpreter of Prisma's client. */
export interface DirectQueries {
  /** Sends a statement as `$queryRaw` does, and returns the same rows. Throws for a type that it does not read. */
  query<Rows>(statement: Prisma.Sql): Promise<Rows>;
}

/**
 * Prisma's client interprets a raw statement as a plan, which takes three times as long as its adapter takes to send it
 * and to read the answer.
 */
export function directQueries(adapter: SqlQueryable): DirectQueries {
  return {
    query: async <Rows>({ text, values }: Prisma.Sql) =>
      rowsOf(await adapter.queryRaw({ sql: text, args: values, argTypes: values.map(typeOf) })) as Rows,
  };
}

const UNKNOWN = { scalarType: 'unknown', arity: 'scalar' } as const;
const UNKNOWN_LIST = { scalarType: 'unknown', arity: 'list' } as const;

const typeOf = (value: unknown) => (Array.isArray(value) ? UNKNOWN_LIST : UNKNOWN);

type Read = (value: unknown) => unknown;

/** How values of these types differ from what adapters return. */
const SCALARS: readonly (readonly [scalar: ColumnType, array: ColumnType, read: Read])[] = [
  [ColumnTypeEnum.Int64, ColumnTypeEnum.Int64Array, (text) => BigInt(text as string)],
  [ColumnTypeEnum.DateTime, ColumnTypeEnum.DateTimeArray, (text) => new Date(text as string)],
  [ColumnTypeEnum.Json, ColumnTypeEnum.JsonArray, (text) => JSON.parse(text as string) as unknown],
];

const orNull =
  (read: Read): Read =>
  (value) =>
    value === null ? null : read(value);

const READS = new Map<ColumnType, Read>(
  SCALARS.flatMap(([scalar, array, read]) => [
    [scalar, orNull(read)],
    [array, orNull((values) => (values as unknown[]).map(orNull(read)))],
  ]),
);

/** Types that Prisma's client makes objects of, and that no statement needs. */
const UNREAD: ReadonlySet<ColumnType> = new Set<ColumnType>([
  ...[ColumnTypeEnum.Numeric, ColumnTypeEnum.Date, ColumnTypeEnum.Time],
  ...[ColumnTypeEnum.NumericArray, ColumnTypeEnum.DateArray, ColumnTypeEnum.TimeArray],
]);

function readOf(type: ColumnType, name: string): Read | undefined {
  if (UNREAD.has(type)) throw new TypeError(`Cast the column ${name}: its type is not read here.`);
  return READS.get(type);
}

function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet): unknown[] {
  const reads = columnTypes.map((type, i) => readOf(type, columnNames[i]!));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < columnNames.length; i++) {
      const read = reads[i];
      row[columnNames[i]!] = read === undefined ? values[i] : read(values[i]);
    }
    return row;
  });
}
