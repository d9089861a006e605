import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import WebSocket from 'ws';

/** Sends requests as an attacker might: repeated headers, unnormalized paths, bytes that are not HTTP. */

const PATIENCE_MS = 60_000;
const SILENCE_MS = 1000;
const PROTOCOL = 'graphql-transport-ws';

export class Client {
  constructor(port, sockets = 8) {
    this.port = port;
    this.agent = new Agent({ keepAlive: true, maxSockets: sockets });
  }

  /**
   * The answer, or `failed` with the reason if there is none. `headers` is a flat list of names and values.
   */
  send({ method, path, headers = [], body = null }) {
    const began = performance.now();
    // Without a length Node sends even an empty body in chunks.
    const length = body === null && method === 'GET' ? [] : ['Content-Length', String(Buffer.byteLength(body ?? ''))]; // prettier-ignore
    const all = ['Host', `127.0.0.1:${this.port}`, ...headers, ...length];
    return new Promise((resolve) => {
      // Remember the previous request on this connection: the server may have closed it after that one.
      let before;
      const fail = (error) => resolve({ failed: error.code ?? error.message, before, ms: performance.now() - began }); // prettier-ignore
      const options = { host: '127.0.0.1', port: this.port, agent: this.agent, method, path, headers: all };
      const sent = request(options, (answer) => read(answer, began, resolve, fail));
      sent.on('error', fail);
      sent.on('socket', (socket) => {
        before = socket.carried;
        socket.carried = {
          method,
          path: path.slice(0, 80),
          ofLength: path.length,
          headers: headers.join(' ').slice(0, 300),
          bytes: String(body).slice(0, 200),
          length: all.at(-1),
        };
      });
      sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer')));
      sent.end(body);
    });
  }

  /** Sends raw bytes and reads until the server closes the connection. */
  raw(bytes) {
    const began = performance.now();
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket.on('data', (chunk) => (text += chunk));
      socket.on('error', ({ code }) => resolve({ failed: code, text, ms: performance.now() - began }));
      socket.on('end', () => socket.destroy());
      socket.on('close', () => resolve({ ...parseRaw(text), ms: performance.now() - began }));
      // The server may rightly wait for more bytes or for the next request.
      socket.setTimeout(SILENCE_MS, () => socket.destroy());
    });
  }

  /** Opens a graphql-ws socket, initialises it, sends the messages, and returns everything received. */
  socket({ parameters, messages = [], waitMs = 2000, path = '/graphql', enough = 1 }) {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}${path}`, PROTOCOL);
    const hello = parameters === undefined ? { type: 'connection_init' } : { type: 'connection_init', payload: parameters }; // prettier-ignore
    return new Promise((resolve) => {
      const came = [];
      let left = false;
      const leave = () => {
        left = true;
        socket.terminate();
      };
      const end = (code) => resolve({ came, code, left }); // prettier-ignore
      const timer = setTimeout(() => leave(), waitMs);
      socket.on('open', () => socket.send(JSON.stringify(hello)));
      socket.on('message', (data) => {
        came.push(data.toString());
        if (came.length === 1) for (const message of messages) socket.send(message);
        if (came.length > enough) leave();
      });
      socket.on('error', ({ message }) => came.push(`error: ${message}`));
      socket.on('close', (code) => {
        clearTimeout(timer);
        end(code);
      });
    });
  }

  close() {
    this.agent.destroy();
  }
}

function read(answer, began, resolve, fail) {
  const chunks = [];
  answer.on('data', (chunk) => chunks.push(chunk));
  answer.on('error', fail);
  answer.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const { statusCode: status, headers, rawHeaders } = answer;
    resolve({ status, headers, rawHeaders, text, ms: performance.now() - began });
  });
}

function parseRaw(text) {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  return Number.isNaN(status) ? { failed: 'closed without an answer', text } : { status, text };
}
