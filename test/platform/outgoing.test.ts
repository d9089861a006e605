import { createSocket } from 'node:dgram';
import { type Resolver } from 'node:dns/promises';
import { type AddressInfo, createServer as createConnections } from 'node:net';
import { Outgoing, pauseAsked, Unanswered } from '../../src/platform/http/outgoing.js';
import { openReceiver, OPEN_HOST } from '../support/hook-receiver.js';

/** To which addresses the server sends what users want sent. */

const MESSAGE = { headers: { 'content-type': 'application/json' }, body: '{"type":"test"}' };
const NEVER = new AbortController().signal;

/** A name server that answers each question for an IPv4 address with these, and others with none. */
async function openNameServer(addresses: readonly string[]) {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (question, { port, address }) => {
    asked += 1;
    const isForIpv4 = question.readUInt16BE(question.length - 4) === 1;
    const given = isForIpv4 ? addresses : [];
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(given.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = given.map((each) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, question.subarray(12), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { at: `127.0.0.1:${socket.address().port}`, asked: () => asked, close: () => socket.close() };
}

/** As the server has it, but for its name server. */
function outgoingBy(nameServer: string): Outgoing {
  const outgoing = new Outgoing({ outgoingNetworks: [`${OPEN_HOST}/32`] });
  (outgoing as unknown as { resolver: Resolver }).resolver.setServers([nameServer]);
  return outgoing;
}

it.each([
  ['an open address', [OPEN_HOST], 1],
  ['an open and an inner one', ['127.0.0.1', OPEN_HOST], 1],
  ['an inner address', ['127.0.0.1'], 0],
  ['none', [], 0],
])('connects to a name that resolves to %s, by what it resolves to', async (_, addresses, many) => {
  const inner = await openReceiver('127.0.0.1');
  const open = await openReceiver(OPEN_HOST);
  const names = await openNameServer(addresses);
  const url = new URL(open.url);
  url.hostname = 'hooks.springfield.org';
  const sent = outgoingBy(names.at).post(url.href, MESSAGE, NEVER);
  if (many === 1) expect(await sent).toMatchObject({ status: 204 });
  else await expect(sent).rejects.toThrow(addresses.length === 0 ? 'was not found' : 'private network');
  expect(open.received).toHaveLength(many);
  expect(inner.received).toEqual([]);
  names.close();
  await Promise.all([inner.close(), open.close()]);
});

it('asks nobody for names of documents and tests', async () => {
  const names = await openNameServer([]);
  const outgoing = outgoingBy(names.at);
  await expect(outgoing.post('https://hooks.example/', MESSAGE, NEVER)).rejects.toThrow('was not found');
  expect(names.asked()).toBe(0);
  await expect(outgoing.post('https://hooks.springfield.org/', MESSAGE, NEVER)).rejects.toThrow('not found');
  expect(names.asked()).toBeGreaterThan(0);
  names.close();
});

it('opens nothing but the internet and the networks of the operator', () => {
  const closed = new Outgoing({ outgoingNetworks: [] });
  expect(() => closed.require('http://8.8.8.8/', 'url')).toThrow('begins with https://');
  expect(closed.require('https://8.8.8.8/a?b=c#d', 'url')).toBe('https://8.8.8.8/a?b=c');
  expect(closed.require('https://[2606:4700::1111]/', 'url')).toBe('https://[2606:4700::1111]/');
  expect(() => closed.require('https://10.1.2.3/', 'url')).toThrow('on the internet');
  const opened = new Outgoing({ outgoingNetworks: ['10.1.0.0/16', 'fd00::/8'] });
  expect(opened.require('http://10.1.2.3/', 'url')).toBe('http://10.1.2.3/');
  expect(opened.require('https://[fd12::1]/', 'url')).toBe('https://[fd12::1]/');
  expect(() => opened.require('http://8.8.8.8/', 'url')).toThrow('on the internet');
  expect(() => opened.require('https://10.2.0.1/', 'url')).toThrow('on the internet');
});

it('posts many at once under one signal without a warning', async () => {
  const receiver = await openReceiver(OPEN_HOST);
  const { signal } = new AbortController();
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const outgoing = new Outgoing({ outgoingNetworks: [`${OPEN_HOST}/32`] });
  await Promise.all(Array.from({ length: 12 }, () => outgoing.post(receiver.url, MESSAGE, signal)));
  await receiver.close();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it.each([
  ['wants another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['ends before it is whole', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nHello'],
  ['is no HTTP', 'Hello\r\n\r\n'],
  ['is nothing', ''],
])('an answer that %s is none', async (_, answer) => {
  const server = createConnections((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, OPEN_HOST, resolve));
  const { port } = server.address() as AddressInfo;
  const outgoing = new Outgoing({ outgoingNetworks: [`${OPEN_HOST}/32`] });
  await expect(outgoing.post(`http://${OPEN_HOST}:${port}/`, MESSAGE, NEVER)).rejects.toThrow(Unanswered);
  server.close();
});

it('refuses IPv6 addresses that were never given out, and hosts that are too long for a name', () => {
  const outgoing = new Outgoing({ outgoingNetworks: [] });
  expect(() => outgoing.require('https://[::7f00:1]/', 'url')).toThrow('on the internet');
  expect(() => outgoing.require('https://[::a9fe:a9fe]/', 'url')).toThrow('on the internet');
  expect(() => outgoing.require(`https://${'a.'.repeat(130)}com/`, 'url')).toThrow('253 characters');
});

test('a pause that is asked for is neither shorter than 5 seconds nor longer than a day', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const of = (retryAfter: string | undefined, status = 429) =>
    pauseAsked({ status, retryAfter, beginning: '' }, now);
  expect([of('0'), of('600'), of('999999')]).toEqual([5000, 600_000, 86_400_000]);
  expect([of('Thu, 01 Jan 2026 00:01:00 GMT'), of('soon'), of(undefined), of('60', 500)]).toEqual([60_000, null, null, null]); // prettier-ignore
});
