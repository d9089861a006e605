import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * A reader of an event stream, as Server-Sent Events or as lines of JSON. Hundreds of them share the machine with the
 * measured servers, so it does as little as possible: chunks are not decoded, because an event stands in one.
 */
export class LineReader {
  /** Called with each event. */
  heard = () => undefined;
  #socket;
  #kept = '';

  static async open(port, path, accept) {
    const reader = new LineReader();
    const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('utf8');
    reader.#socket = socket;
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: ${accept}\r\n\r\n`);
    const [head] = await once(socket, 'data');
    if (!head.startsWith('HTTP/1.1 200')) throw new Error(head);
    if (!head.includes('ready')) await once(socket, 'data');
    socket.on('data', (text) => reader.#take(text));
    return reader;
  }

  close() {
    this.#socket.destroy();
  }

  #take(text) {
    const lines = (this.#kept + text).split('\n');
    this.#kept = lines.pop();
    for (const line of lines) {
      const at = line.startsWith('data: ') ? 'data: '.length : 0;
      if (line[at] === '{') this.heard(JSON.parse(line.slice(at)));
    }
  }
}
