import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections below HTTP, for what no client sends. */

/** A request that says more of its body than ever comes. */
export const HALF_A_REQUEST = [
  'POST /v1/sessions HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 90',
  '',
  '{"user',
].join('\r\n');

/** The upgrade to a socket of graphql-ws. */
export const UPGRADE = [
  'GET /graphql HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  '',
  '',
].join('\r\n');

/** A text of up to 125 bytes as a client's frame of a WebSocket, with a mask that changes nothing. */
export const frameOf = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

/** A connection to a server; one that is `halfOpen` does not end because the server has. */
export async function openWire(
  { url }: { readonly url: string },
  { halfOpen = false } = {},
): Promise<Socket> {
  const wire = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: halfOpen });
  wire.on('error', () => undefined);
  await once(wire, 'connect');
  return wire;
}

/** All that the server says on it until it ends. */
export async function toldOn(wire: Socket): Promise<string> {
  let answer = '';
  wire.on('data', (bytes) => (answer += String(bytes)));
  await once(wire, 'close');
  return answer;
}
