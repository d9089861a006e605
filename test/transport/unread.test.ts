import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openRawConnection } from '../support/raw-connections.js';
import { Unread } from '../../src/transport/unread.js';

/** Answers that nobody reads, on a Node server. */

const server = createServer();
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** An answer of ten megabytes to a client that reads nothing. */
async function unreadAnswer(unread: Unread, address: string): Promise<ServerResponse> {
  const requested = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const wire = await openRawConnection({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  wire.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, answer] = await requested;
  unread.add(address, answer);
  answer.end(Buffer.alloc(10_000_000));
  return answer;
}

test('cuts off the oldest unread answers of an address beyond 16 MiB, and no others', async () => {
  const unread = new Unread();
  const answers = [];
  for (const address of ['a', 'b', 'a', 'a', 'a']) answers.push(await unreadAnswer(unread, address));
  expect(answers.map(({ destroyed }) => destroyed)).toEqual([true, false, true, false, false]);
});
