/**
 * COPY ... FROM STDIN through pg, which hands the connection to an object with `submit` and passes it the
 * answers.
 */

/** One message may hold a gigabyte; smaller ones let the socket drain. */
const MESSAGE_BYTES = 1 << 18;

class CopyIn {
  constructor(text, bytes, settle) {
    this.text = text;
    this.bytes = bytes;
    this.settle = settle;
    this.error = null;
  }

  submit(connection) {
    connection.query(this.text);
  }

  handleCopyInResponse(connection) {
    for (let at = 0; at < this.bytes.length; at += MESSAGE_BYTES) {
      connection.sendCopyFromChunk(this.bytes.subarray(at, at + MESSAGE_BYTES));
    }
    connection.endCopyFrom();
  }

  handleCommandComplete() {}

  handleError(error) {
    this.error = error;
    // A lost connection sends no further message.
    if (error.severity === undefined) this.settle(error);
  }

  handleReadyForQuery() {
    this.settle(this.error);
  }
}

/** Sends rows, as text in the format of COPY, into the columns of a table. */
export const copyInto = (client, table, columns, text) =>
  new Promise((resolve, reject) => {
    const settle = (error) => (error ? reject(error) : resolve());
    const statement = `COPY ${table} (${columns.join(', ')}) FROM STDIN`;
    client.query(new CopyIn(statement, Buffer.from(text), settle));
  });

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (text) =>
  SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]) : text;

function field(value) {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  return escaped(JSON.stringify(value));
}

/** A row as a line of COPY; `names` are its fields in the order of the columns. */
export function line(row, names) {
  let text = field(row[names[0]]);
  for (let at = 1; at < names.length; at++) text += `\t${field(row[names[at]])}`;
  return `${text}\n`;
}
