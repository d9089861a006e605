import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GamesStore } from '../../../src/features/games/games.store.js';
import { FairQueue } from '../../../src/platform/limits/fair-queue.js';
import { answerBroken } from '../../../src/transport/broken-requests.js';
import { Watchers } from '../../../src/transport/watchers.js';
import { send } from '../transport.js';
import { HALF_A_REQUEST, openRawConnection, readUntilClosed } from '../raw-connections.js';
import { NOWHERE, row, thrownBy, type Rows, type World } from './row.js';

/** Faults of the server, and what is no request at all. */

/** The answer to a game while its table fails so. */
const failing =
  (failure: Error) =>
  async ({ server }: World) => {
    const store = server.app.get(GamesStore);
    const find = store.find.bind(store);
    store.find = () => Promise.reject(failure);
    try {
      return await send(server.http, `/v1/games/${NOWHERE}`);
    } finally {
      store.find = find;
    }
  };

/** As PostgreSQL reports a state. */
const state = (originalCode: string) => new Error('', { cause: { originalCode } });

/** The body of what a server says on a wire. */
async function bodyOn(url: string, text: string): Promise<{ readonly text: string }> {
  const wire = await openRawConnection({ url });
  const told = readUntilClosed(wire);
  wire.write(text);
  return { text: (await told).replace(/^[^]*\r\n\r\n/, '') };
}

const wired =
  (text: string) =>
  ({ server }: World) =>
    bodyOn(server.url, text);

/** A server that waits a tenth of a second for a request. */
async function late(): Promise<{ readonly text: string }> {
  const options = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 10 };
  const server = createServer(options).on('clientError', answerBroken({ corsOrigins: 'none' }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await bodyOn(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, HALF_A_REQUEST);
  } finally {
    server.close();
  }
}

const forever = () => new Promise<void>(() => undefined);

const WATCHING = {
  maxSocketsPerUser: 1,
  maxSocketsPerAddress: 1,
  maxSubscriptionsPerSocket: 1,
  maxWatchingCostPerUser: 5,
  maxWatchingCostPerAddress: 5,
};
const watcher = { address: '127.0.0.1', userId: null };

const ANN = { address: '127.0.0.1', user: 'ann' };

export const FAULTS: Rows = {
  BAD_INPUT: [row(wired('hello\r\n\r\n'), 'not valid HTTP/1.1')],
  REQUEST_TIMEOUT: [row(late, 'too long to arrive')],
  HEADERS_TOO_LARGE: [
    row(wired(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`), '16 KiB', {
      max: 16_384,
    }),
  ],
  INTERNAL: [row(failing(new Error('secret')), /^(?!.*secret).*\(request [0-9a-f-]{36}\)/)],
  OVERLOADED: [
    row(failing(state('57014')), 'too busy', { retryAfter: 2 }),
    row(
      () => {
        const queue = new FairQueue(0, 0);
        return thrownBy(() => queue.run(ANN, forever));
      },
      'too busy',
      { retryAfter: 1 },
    ),
  ],
  RATE_LIMITED: [
    row(
      () => {
        const queue = new FairQueue(0, 2, 1);
        void queue.run(ANN, forever);
        return thrownBy(() => queue.run(ANN, forever));
      },
      'already has 1',
      { limit: 1, retryAfter: 1 },
    ),
  ],
  LIMIT_REACHED: [
    row(() => thrownBy(() => new Watchers(WATCHING).subscribe(watcher, 1, 1)), '1 subscriptions', {
      limit: 1,
    }),
    row(() => thrownBy(() => new Watchers(WATCHING).subscribe(watcher, 0, 6)), '6 fields', { limit: 5 }),
  ],
  STORAGE_FULL: [row(failing(state('53100')), 'disk is nearly full', { retryAfter: 60 })],
  UNAVAILABLE: [
    row(failing(Object.assign(new Error('gone'), { code: 'P1017' })), 'cannot be reached', { retryAfter: 2 }),
    row(failing(state('25006')), 'read-only', { retryAfter: 5 }),
  ],
};
