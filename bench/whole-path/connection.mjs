import { connect } from 'node:net';

/**
 * A minimal HTTP/1.1 client with one keep-alive connection and one request at a time. It runs on the measured
 * machine, so it does as little as possible.
 */

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const NOT_MODIFIED = 304;
const CODE_AT = 'HTTP/1.1 '.length;

export class Connection {
  /** The status code of the last answer, and its ETag if it had one. */
  status = 0;
  etag = null;
  #port;
  #from;
  #socket = null;
  #received = null;
  /** The start and end of the body in the received bytes, or -1 until the head is complete. */
  #bodyAt = -1;
  #endAt = -1;
  #waiting = null;

  /** `from` is the address of this machine to connect from. */
  constructor(port, from) {
    this.#port = port;
    this.#from = from;
  }

  /** Sends a request; resolves to the body as text. The body to send must already be JSON; headers end in CRLF. */
  async ask(method, path, token, body, headers = '') {
    if (this.#socket === null) await this.#open();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(this.#requestOf(method, path, token, body, headers));
    });
  }

  close() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }

  #open() {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: this.#from }, resolve);
      this.#socket = socket.setNoDelay(true);
      this.#forget();
      socket.on('data', (data) => this.#take(data));
      socket.on('error', (error) => this.#lose(error, reject));
      socket.on('close', () => {
        if (this.#socket === socket) this.#lose(new Error('The server closed a connection.'), reject);
      });
    });
  }

  #requestOf(method, path, token, body, headers) {
    const authorization = token ? `authorization: Bearer ${token}\r\n` : '';
    const content =
      body === undefined
        ? ''
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\n${authorization}${headers}${content}\r\n${body ?? ''}`;
  }

  #take(data) {
    this.#received = this.#received === null ? data : Buffer.concat([this.#received, data]);
    if (this.#endAt < 0) this.#readHead();
    if (this.#endAt < 0 || this.#received.length < this.#endAt) return;
    const body = this.#received.toString('utf8', this.#bodyAt, this.#endAt);
    const { resolve } = this.#waiting;
    this.#forget();
    resolve(body);
  }

  #readHead() {
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    this.status = Number(head.slice(CODE_AT, CODE_AT + 3));
    this.etag = /\r\netag: *([^\r]+)/i.exec(head)?.[1] ?? null;
    this.#bodyAt = end + HEAD_END.length;
    this.#endAt = this.#endOf(head);
  }

  #endOf(head) {
    if (this.status === NOT_MODIFIED) return this.#bodyAt;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) return this.#bodyAt + Number(length);
    if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`An answer has no length: ${head}`);
    // Chunks are not decoded, because only their end matters.
    const whole = this.#received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
    return whole ? this.#received.length : -1;
  }

  #lose(error, refuseToOpen) {
    const waiting = this.#waiting;
    this.#socket = null;
    this.#forget();
    (waiting?.reject ?? refuseToOpen)(error);
  }

  #forget() {
    this.#received = null;
    this.#bodyAt = -1;
    this.#endAt = -1;
    this.#waiting = null;
  }
}

const MOST_SHOWN = 400;

const refused = (answer) => new Error(answer.slice(0, MOST_SHOWN));

/**
 * A client that polls: it sends the tag of its last answer to the same path and fails unless nothing has changed.
 * The tag is kept with the connection.
 */
export async function poll(connection, path, token) {
  connection.tags ??= new Map();
  const tag = connection.tags.get(path);
  const headers = tag === undefined ? '' : `if-none-match: ${tag}\r\n`;
  const answer = await connection.ask('GET', path, token, undefined, headers);
  if (connection.status !== (tag === undefined ? 200 : NOT_MODIFIED) || connection.etag === null)
    throw refused(`${connection.status} for a poll: ${answer}`);
  connection.tags.set(path, connection.etag);
  return answer;
}

/** Sends a request, fails unless the answer is 200, and resolves to its text. */
export async function askWell(connection, method, path, token, body) {
  const answer = await connection.ask(method, path, token, body);
  if (connection.status >= 300 || answer.includes('"errors"')) throw refused(answer);
  return answer;
}

/** Sends a GraphQL operation; resolves to its data. */
export async function graphql(connection, token, query, variables) {
  const answer = await askWell(connection, 'POST', '/graphql', token, JSON.stringify({ query, variables }));
  return JSON.parse(answer).data;
}
