import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Game } from './shown.js';
import type { Body, By, Rest } from './transport.js';

/** What came back over REST; null: the connection broke, and nobody knows what has happened. */
export type Reply<Shown = Game> = {
  readonly status: number;
  /** What was asked for, or problem details. */
  readonly body: Shown & { readonly code?: string };
} | null;

/** A client that keeps its connections, for many requests at once; each of them ends, within two minutes. */
export interface Line {
  send<Shown = Game>(url: string, by: By, request: Rest): Promise<Reply<Shown>>;
  close(): void;
}

const PATIENCE_MS = 120_000;

export function openLine(connections: number): Line {
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
        // Nothing at all is the answer of some verbs.
        const text = Buffer.concat(chunks).toString('utf8') || '{}';
        const whole = JSON.parse(text) as Body;
        const body = part === undefined ? whole : (whole[part] ?? whole);
        resolve({ status: response.statusCode!, body: body as Shown & { readonly code?: string } });
      });
    });
  });
}
