import { connect } from 'node:net';
import { once } from 'node:events';

/**
 * A WebSocket client that only counts what it receives. A thousand of them share the machine with the measured
 * server, so it does as little as possible.
 */

const KEY = 'c2FtcGxlIG5vbmNlIDEyMw==';
const HEAD_END = '\r\n\r\n';
const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];
const MASK = Buffer.alloc(4);
/** Lengths that follow in two or in eight bytes. */
const [SHORT, TWO_BYTES, EIGHT_BYTES] = [125, 126, 127];

/** A frame as clients send it, masked with zeros. */
function frame(opcode, content) {
  const short = content.length <= SHORT;
  const head = Buffer.alloc(short ? 2 : 4);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (short ? content.length : TWO_BYTES);
  if (!short) head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, MASK, content]);
}

/** The length of the head and of the content of the frame at the start; null while it is incomplete. */
function sizeOf(data) {
  if (data.length < 2) return null;
  const length = data[1] & 0x7f;
  const head = length === EIGHT_BYTES ? 10 : length === TWO_BYTES ? 4 : 2;
  if (data.length < head) return null;
  const content = head === 2 ? length : head === 4 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  return data.length < head + content ? null : { head, content };
}

export class Watcher {
  /** The number of messages received. */
  messages = 0;
  /** Called with the content of each message. */
  heard = null;
  #socket;
  #kept = null;
  #last = null;
  #waiting = null;

  static async open(port, path, protocol) {
    const watcher = new Watcher();
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    watcher.#socket = socket;
    socket.on('error', (error) => watcher.#waiting?.reject(error));
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${KEY}\r\nsec-websocket-protocol: ${protocol}${HEAD_END}`,
    );
    const [answer] = await once(socket, 'data');
    if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(answer.toString());
    socket.on('data', (data) => watcher.#take(data));
    return watcher;
  }

  send(message) {
    this.#socket.write(frame(TEXT, Buffer.from(JSON.stringify(message))));
  }

  /** Resolves once so many messages have come in all. */
  until(messages) {
    return new Promise((resolve, reject) => {
      this.#waiting = { messages, resolve, reject };
      this.#look();
    });
  }

  /** The text of the last message. */
  get last() {
    return this.#last.toString();
  }

  close() {
    this.#socket.destroy();
  }

  #take(received) {
    let data = this.#kept === null ? received : Buffer.concat([this.#kept, received]);
    for (let size = sizeOf(data); size !== null; size = sizeOf(data)) {
      const content = data.subarray(size.head, size.head + size.content);
      this.#hear(data[0] & 0x0f, content);
      data = data.subarray(size.head + size.content);
    }
    this.#kept = data.length === 0 ? null : data;
    this.#look();
  }

  #hear(opcode, content) {
    if (opcode === TEXT) {
      this.messages++;
      this.#last = content;
      this.heard?.(content);
    } else if (opcode === PING) this.#socket.write(frame(PONG, content));
    else if (opcode === CLOSE) this.#waiting?.reject(new Error(`Closed: ${content.subarray(2)}`));
  }

  #look() {
    if (this.#waiting === null || this.messages < this.#waiting.messages) return;
    const { resolve } = this.#waiting;
    this.#waiting = null;
    resolve();
  }
}
