import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { answerBroken } from '../../src/transport/broken-requests.js';
import { HALF_A_REQUEST, openRawConnection, readUntilClosed } from '../support/raw-connections.js';

/** Answers to invalid requests, on a Node server that waits a tenth of a second for the rest of one. */

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

// Without an application the logger prints.
const { log } = Logger.prototype;
beforeAll(() => (Logger.prototype.log = () => undefined));
afterAll(() => (Logger.prototype.log = log));

let server: Server;
beforeEach(async () => {
  const options = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 10 };
  server = createServer(options).on('clientError', answerBroken({ corsOrigins: 'none' }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const opened = (halfOpen = false) =>
  openRawConnection({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, { halfOpen });

const requested = () => once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;

test('closes a connection that the client does not end, although it keeps sending', async () => {
  const wire = await opened(true);
  wire.write('hello\r\n\r\n');
  await once(wire, 'data');
  const closed = new Promise((resolve) => wire.once('close', resolve));
  const sending = setInterval(() => wire.write('more'), 10);
  await closed;
  clearInterval(sending);
});

test('a client that keeps sending and reads only then receives its answer', async () => {
  const arrived = once(server, 'connection') as Promise<[Socket]>;
  const wire = await opened();
  const [ours] = await arrived;
  const answered = once(ours, 'finish');
  wire.write('hello\r\n\r\n');
  await answered;
  // If the connection were gone, the first of these would be answered with a reset, and the others fail.
  for (let i = 0; i < 3; i += 1) {
    wire.write('more');
    await setTimeout(10);
  }
  const told = readUntilClosed(wire);
  expect(wire.destroyed).toBe(false);
  expect(await told).toMatch(/^HTTP\/1\.1 400 /);
});

test('a request that was refused as too late is not executed when its rest arrives', async () => {
  const wire = await opened(true);
  const asked = requested();
  wire.write(HALF_A_REQUEST);
  const [request] = await asked;
  let body = '';
  request.on('data', (bytes) => (body += String(bytes))).on('error', () => undefined);
  const closed = new Promise((resolve) => request.once('close', resolve));
  expect(String((await once(wire, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 /);
  wire.write('x'.repeat(84));
  await closed;
  expect([body, request.complete]).toEqual(['{"user', false]);
});

test('adds nothing to an answer that has begun', async () => {
  server.on('request', (_, response: ServerResponse) => response.write('begun'));
  const wire = await opened();
  wire.write(GET);
  await once(wire, 'data');
  const told = readUntilClosed(wire);
  wire.write('hello\r\n\r\n');
  expect(await told).toBe('');
});

test('writes nothing after the client has left', async () => {
  const [arrived] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, opened()]);
  const said: unknown[] = [];
  const [socket] = arrived;
  socket.end = (words: unknown) => (said.push(words), socket);
  const answer = answerBroken({ corsOrigins: 'none' });
  answer(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), socket);
  socket.destroy();
  answer(new Error('broken'), socket);
  expect(said).toEqual([]);
});
