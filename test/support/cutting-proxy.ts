import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy in front of PostgreSQL that cuts connections at chosen statements: before the statement is
 * forwarded, while it is running, or after it has been executed but before its answer is forwarded. It can
 * also swallow a statement and everything after it while keeping the connection open, like a silent network,
 * append the message that PostgreSQL sends when it closes a connection, or hold the answer back until `release`.
 */
export type Cut = 'before' | 'during' | 'after' | 'swallowed' | 'terminated' | 'held';

export interface CuttingProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Cuts the next matching statements, one after the other; null lets one pass. */
  arm(statement: RegExp, cuts: readonly (Cut | null)[]): void;
  /** The number of cuts since `arm`. */
  made(): number;
  /** Stops cutting; returns the number of cuts since `arm`. */
  disarm(): readonly Cut[];
  /** Forwards the answers that were held back. */
  release(): void;
  close(): Promise<void>;
}

interface Armed {
  readonly statement: RegExp;
  readonly cuts: (Cut | null)[];
  readonly made: Cut[];
}

const NOTHING: Armed = { statement: /^\b$/, cuts: [], made: [] };

export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const held = new EventEmitter().setMaxListeners(0);
  let armed = NOTHING;
  const next = (sql: string): Cut | null => {
    const cut = armed.statement.test(sql) ? (armed.cuts.shift() ?? null) : null;
    if (cut !== null) armed.made.push(cut);
    return cut;
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
    }
    carry(client, upstream, next, held);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    arm: (statement, cuts) => (armed = { statement, cuts: [...cuts], made: [] }),
    made: () => armed.made.length,
    disarm: () => {
      const { made } = armed;
      armed = NOTHING;
      return made;
    },
    release: () => void held.emit('release'),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Forwards both directions until a statement is to be cut. */
function carry(
  client: Socket,
  upstream: Socket,
  next: (sql: string) => Cut | null,
  held: EventEmitter,
): void {
  const statementOf = statements();
  let cut: Cut | null = null;
  const waiting: Buffer[] = [];
  const release = () => {
    if (cut === 'held') cut = null;
    for (const message of waiting.splice(0)) client.write(message);
  };
  held.on('release', release);
  const fromClient = messages(true);
  const fromUpstream = messages(false);
  client.on('data', (chunk: Buffer) => {
    for (const message of fromClient(chunk)) {
      const sql = statementOf(message);
      if (sql !== null && cut === null) cut = next(sql);
      if (cut === 'before') return destroy(client, upstream);
      if (cut === 'swallowed') return;
      if (upstream.writable) upstream.write(message);
      // A statement is complete with Sync or, in the simple protocol, by itself.
      if (cut === 'during' && 'SQ'.includes(typeOf(message))) {
        client.destroy();
        upstream.end();
      }
    }
  });
  upstream.on('data', (chunk: Buffer) => {
    for (const message of fromUpstream(chunk)) {
      const isReady = typeOf(message) === 'Z';
      if (cut === 'terminated' && isReady) {
        client.end(Buffer.concat([message, TERMINATED]));
        upstream.destroy();
        return;
      }
      if (cut === 'held') waiting.push(message);
      if ((cut === null || cut === 'terminated') && client.writable) client.write(message);
      // ReadyForQuery: the statement is committed, but the client does not know.
      if (cut === 'after' && isReady) destroy(client, upstream);
    }
  });
  client.on('close', () => {
    held.off('release', release);
    upstream.end();
  });
  upstream.on('close', () => client.destroy());
}

const destroy = (...sockets: readonly Socket[]): void => sockets.forEach((socket) => socket.destroy());

/** An ErrorResponse of the protocol: FATAL 57P01, as sent by pg_terminate_backend. */
const TERMINATED = ((): Buffer => {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
})();

const typeOf = (message: Buffer): string => String.fromCharCode(message[0]!);

/** Splits a stream into messages. The first message of the client has a length but no type. */
function messages(hasStart: boolean): (chunk: Buffer) => readonly Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let isStart = hasStart;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const whole: Buffer[] = [];
    for (;;) {
      const type = isStart ? 0 : 1;
      if (rest.length < type + 4) return whole;
      const end = type + rest.readInt32BE(type);
      if (rest.length < end) return whole;
      // The startup message begins with zeros, unlike any typed message.
      whole.push(rest.subarray(0, end));
      rest = rest.subarray(end);
      isStart = false;
    }
  };
}

/** The text of the statement that a client message executes, or null. */
function statements(): (message: Buffer) => string | null {
  const prepared = new Map<string, string>();
  return (message) => {
    const texts = () => message.toString('latin1', 5).split('\0', 2) as [string, string];
    switch (typeOf(message)) {
      case 'Q':
        return texts()[0];
      case 'P': {
        const [name, sql] = texts();
        prepared.set(name, sql);
        return null;
      }
      case 'B': {
        const [, name] = texts();
        return prepared.get(name) ?? null;
      }
      default:
        return null;
    }
  };
}
