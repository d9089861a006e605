import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.js';
import { addressKey } from '../platform/http/addresses.js';

const FULL = [
  'HTTP/1.1 503 Service Unavailable',
  'Retry-After: 5',
  'Connection: close',
  'Content-Length: 0',
  '',
  '',
].join('\r\n');

/**
 * Limits the connections of one address to MAX_CONNECTIONS_PER_ADDRESS. Behind proxies all connections are theirs, so
 * the proxies must limit them.
 */
export function boundConnections(
  server: Server,
  { maxConnectionsPerAddress, trustProxy }: Pick<Config, 'maxConnectionsPerAddress' | 'trustProxy'>,
): void {
  if (trustProxy > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const key = addressKey(socket.remoteAddress ?? '');
    const many = (open.get(key) ?? 0) + 1;
    if (many > maxConnectionsPerAddress) {
      socket.on('error', () => undefined);
      socket.end(FULL);
      socket.destroySoon();
      return;
    }
    open.set(key, many);
    socket.once('close', () => {
      const left = open.get(key)! - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}
