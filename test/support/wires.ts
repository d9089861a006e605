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

/** A connection to a server. */
export async function openWire({ url }: { readonly url: string }): Promise<Socket> {
  const wire = connect(Number(new URL(url).port), '127.0.0.1');
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
