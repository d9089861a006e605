import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A proxy in front of the server that breaks connections: before the server gets the request, or after it has
 * handled the request but before its answer arrives.
 */
export type Dropped = 'request' | 'answer';

export interface DroppingProxy {
  readonly url: string;
  /** Drops the next requests or answers, one after the other; null lets one pass. */
  drop(...what: readonly (Dropped | null)[]): void;
  /** Drops the answers to the next requests with this text, whatever else is under way. */
  dropAnswersTo(text: string, count: number): void;
  /** The number still to be dropped. */
  left(): number;
  /** Breaks all connections now. */
  cut(): void;
  close(): Promise<void>;
}

export async function startDroppingProxy(target: string): Promise<DroppingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const drops: (Dropped | null)[] = [];
  const unanswered = { text: '', count: 0 };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const destroy = () => [client, upstream].forEach((socket) => socket.destroy());
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', destroy).on('close', () => {
        sockets.delete(socket);
        destroy();
      });
    }
    const pass = (what: Dropped, to: Socket) => (chunk: Buffer) => {
      const next = drops[0];
      if (next === what || next === null) drops.shift();
      return next === what || isUnanswered(what, chunk) ? destroy() : to.write(chunk);
    };
    let isMarked = false;
    const isUnanswered = (what: Dropped, chunk: Buffer): boolean => {
      if (what === 'answer') return isMarked;
      if (unanswered.count > 0 && chunk.includes(unanswered.text)) {
        unanswered.count -= 1;
        isMarked = true;
      }
      return false;
    };
    client.on('data', pass('request', upstream));
    upstream.on('data', pass('answer', client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop: (...what) => drops.push(...what),
    dropAnswersTo: (text, count) => Object.assign(unanswered, { text, count }),
    left: () => drops.length + unanswered.count,
    cut,
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
