import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressKey } from '../platform/http/addresses.js';

/** Requests of one address that wait for the answers before theirs; each takes about 6 KB. */
const MOST_WAITING = 1000;

/** The requests of a connection behind the one that is worked on. */
interface Line {
  readonly address: string;
  readonly waiting: (() => void)[];
  isBusy: boolean;
}

/**
 * Lets one request of a connection be worked on at a time: the next begins when the answer before it has been handed to
 * the system. A client that sends many requests and reads no answer so makes only one of them. A connection that goes
 * beyond the bound of its address is closed.
 */
export function holdPipelined(fastify: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
  const counts = new Map<string, number>();
  const count = (address: string, more: number): number => {
    const many = (counts.get(address) ?? 0) + more;
    if (many === 0) counts.delete(address);
    else counts.set(address, many);
    return many;
  };

  function lineOf(socket: Socket): Line {
    const found = lines.get(socket);
    if (found !== undefined) return found;
    const line: Line = { address: addressKey(socket.remoteAddress ?? ''), waiting: [], isBusy: false };
    lines.set(socket, line);
    socket.once('close', () => count(line.address, -line.waiting.splice(0).length));
    return line;
  }

  fastify.addHook('onRequest', ({ raw: { socket } }, { raw }, done) => {
    const line = lineOf(socket);
    const begin = (): void => {
      line.isBusy = true;
      raw.once('close', next);
      done();
    };
    const next = (): void => {
      line.isBusy = false;
      const begins = socket.destroyed ? undefined : line.waiting.shift();
      if (begins === undefined) return;
      count(line.address, -1);
      begins();
    };
    if (!line.isBusy) return begin();
    if (socket.destroyed) return;
    line.waiting.push(begin);
    if (count(line.address, 1) > MOST_WAITING) socket.destroy();
  });
}
