import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Game } from './api-types.js';
import type { Body, By, Rest } from './transport.js';

/** An answer over REST; null if the connection broke, so that the outcome is unknown. */
export type Reply<Shown = Game> = {
  readonly status: number;
  /** The requested object, or problem details. */
  readonly body: Shown & { readonly code?: string };
} | null;

/** A client with persistent connections for many requests at once; each ends within two minutes. */
export interface HttpClient {
  send<Shown = Game>(url: string, by: By, request: Rest): Promise<Reply<Shown>>;
  close(): void;
}

const PATIENCE_MS = 120_000;

export function openHttpClient(connections: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    send: (url, by, { method, path, body = {}, key, part }) => {
      const text = method === 'get' ? '' : JSON.stringify(body);
      const headers = {
        ...(text === ''
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...(by === null ? {} : { authorization: by.authorization }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      };
      const options = { agent, method, timeout: PATIENCE_MS, headers };
      const sent = request(`${url}/v1/${path}`, options);
      sent.end(text);
      return replyTo(sent, part);
    },
    close: () => agent.destroy(),
  };
}

function replyTo<Shown>(sent: ClientRequest, part: string | undefined): Promise<Reply<Shown>> {
  return new Promise((resolve) => {
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(null));
    sent.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(null));
      response.on('end', () => {
        // Some operations answer without a body.
        const text = Buffer.concat(chunks).toString('utf8') || '{}';
        const whole = JSON.parse(text) as Body;
        const body = part === undefined ? whole : (whole[part] ?? whole);
        resolve({ status: response.statusCode!, body: body as Shown & { readonly code?: string } });
      });
    });
  });
}
