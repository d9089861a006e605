import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Raw TCP connections, to send what no HTTP client sends. */

/** A request whose body is shorter than its Content-Length. */
export const HALF_A_REQUEST = [
  'POST /v1/sessions HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 90',
  '',
  '{"user',
].join('\r\n');

/** The upgrade request of a graphql-ws socket. */
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

/** A text of up to 125 bytes as a client's WebSocket frame, with a mask of zeros. */
export const frameOf = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

/** A connection to a server; with `halfOpen` it stays open after the server has ended its side. */
export async function openRawConnection(
  { url }: { readonly url: string },
  { halfOpen = false } = {},
): Promise<Socket> {
  const wire = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: halfOpen });
  wire.on('error', () => undefined);
  await once(wire, 'connect');
  return wire;
}

/** Everything that the server sends until the connection closes. */
export async function readUntilClosed(wire: Socket): Promise<string> {
  let answer = '';
  wire.on('data', (bytes) => (answer += String(bytes)));
  await once(wire, 'close');
  return answer;
}
