import { type messages, protocol } from '@electric-sql/pglite';

/** The result of a statement. */
export interface Results<Row> {
  readonly rows: Row[];
  readonly fields: readonly Field[];
  readonly affectedRows: number;
}

export type Field = Pick<messages.Field, 'name' | 'dataTypeID'>;

/** Functions that make values of their text, by the number of the type. */
export type Parsers = Readonly<Record<number | string, (text: string) => unknown>>;

/** What the database answers to a statement or a script. */
export interface Answer {
  /** Null if the statement was described before. */
  readonly fields: readonly Field[] | null;
  /** Where each row begins. */
  readonly rows: readonly number[];
  readonly affectedRows: number;
  readonly error: messages.DatabaseError | null;
  readonly isInTransaction: boolean;
}

const [ROW, DESCRIPTION, NO_DESCRIPTION, COMPLETE, ERROR, READY] = Buffer.from('DTnCEZ');
const HEADER = 5;
const IDLE = 'I'.charCodeAt(0);
const COUNTED = /^(?:INSERT 0|UPDATE|DELETE|COPY|MERGE) (\d+)/;

/**
 * Finds the parts of an answer in the bytes of PostgreSQL's protocol. PGlite's own parser takes twenty times as long
 * for a row, so it reads only descriptions and errors.
 */
export function readAnswer(bytes: Buffer): Answer {
  const rows: number[] = [];
  let [fields, error]: [Answer['fields'], Answer['error']] = [null, null];
  let affectedRows = 0;
  let isInTransaction = false;
  for (let at = 0, end: number; at < bytes.length; at = end) {
    end = at + 1 + bytes.readUInt32BE(at + 1);
    const kind = bytes[at];
    if (kind === ROW) rows.push(at + HEADER);
    else if (kind === COMPLETE) affectedRows += countIn(bytes.toString('latin1', at + HEADER, end));
    else if (kind === READY) isInTransaction = bytes[at + HEADER] !== IDLE;
    else if (kind === NO_DESCRIPTION) fields = [];
    else if (kind === DESCRIPTION) fields = fieldsOf(parsed<messages.RowDescriptionMessage>(bytes, at, end));
    else if (kind === ERROR) error ??= parsed<messages.DatabaseError>(bytes, at, end);
  }
  return { fields, rows, affectedRows, error, isInTransaction };
}

const countIn = (tag: string): number => Number(COUNTED.exec(tag)?.[1] ?? 0);

const fieldsOf = ({ fields }: messages.RowDescriptionMessage): Field[] =>
  fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }));

function parsed<Message extends messages.BackendMessage>(bytes: Buffer, at: number, end: number): Message {
  const found: messages.BackendMessage[] = [];
  new protocol.Parser().parse(new Uint8Array(bytes.subarray(at, end)), (message) => found.push(message));
  return found[0] as Message;
}

/** The values of a row, in the order of its fields. */
export function rowAt(bytes: Buffer, start: number, fields: readonly Field[], parsers: Parsers): unknown[] {
  let at = start + 2;
  return fields.map(({ dataTypeID }) => {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const text = bytes.toString('utf8', at, (at += length));
    const parse = parsers[dataTypeID];
    return parse === undefined ? text : parse(text);
  });
}
