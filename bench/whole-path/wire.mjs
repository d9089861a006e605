import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A proxy between a server and PostgreSQL that counts statements: the messages Query and Execute of
 * PostgreSQL's protocol. Whatever library sends them, none is missed and none is counted twice.
 */

const [QUERY, PARSE, BIND, EXECUTE, NOTICE] = [...'QPBEN'].map((letter) => letter.charCodeAt(0));
const LENGTH_BYTES = 4;

/** Calls back with the type and content of each message. The first one of a client has no type: 0. */
function reader(hear, untyped = 1) {
  let kept = Buffer.alloc(0);
  let first = untyped === 1;
  return (data) => {
    kept = kept.length === 0 ? data : Buffer.concat([kept, data]);
    for (;;) {
      const typeBytes = first ? 0 : 1;
      if (kept.length < typeBytes + LENGTH_BYTES) return;
      const end = typeBytes + kept.readInt32BE(typeBytes);
      if (kept.length < end) return;
      hear(first ? 0 : kept[0], kept.subarray(typeBytes + LENGTH_BYTES, end));
      kept = kept.subarray(end);
      first = false;
    }
  };
}

/** The text up to the next zero byte, and where the next one starts. */
function textAt(content, from) {
  const end = content.indexOf(0, from);
  return { text: content.toString('utf8', from, end), next: end + 1 };
}

/** Counts the statements of one connection into a map from SQL text to number. */
function counting(statements) {
  const prepared = new Map();
  let bound = '';
  const add = (text) => statements.set(text, (statements.get(text) ?? 0) + 1);
  return reader((type, content) => {
    if (type === QUERY) add(textAt(content, 0).text);
    else if (type === PARSE) {
      const name = textAt(content, 0);
      prepared.set(name.text, textAt(content, name.next).text);
    } else if (type === BIND) bound = textAt(content, textAt(content, 0).next).text;
    else if (type === EXECUTE) add(prepared.get(bound) ?? `(statement ${bound})`);
  });
}

/** The text of a notice, which consists of fields: a letter and a text each. */
function messageOf(content) {
  for (let at = 0; content[at] !== 0;) {
    const { text, next } = textAt(content, at + 1);
    if (content[at] === 'M'.charCodeAt(0)) return text;
    at = next;
  }
  return '';
}

/**
 * Starts a proxy for the PostgreSQL server of a URL; `statements` holds the counts since the last `reset()`.
 * `onNotice` gets the text of each notice that PostgreSQL sends.
 */
export async function openWire(url, onNotice = null) {
  const target = new URL(url);
  const statements = new Map();
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const count = counting(statements);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true).on('error', () => undefined);
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      count(data);
      upstream.write(data);
    });
    const listen = onNotice && reader((type, content) => type === NOTICE && onNotice(messageOf(content)), 0);
    upstream.on('data', (data) => {
      listen?.(data);
      client.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: server.address().port }).href,
    /** The URL behind the proxy. */
    target: url,
    statements,
    reset: () => statements.clear(),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
