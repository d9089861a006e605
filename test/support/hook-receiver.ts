import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address that takes webhooks, and answers as a test tells it to. */

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body, read. */
  readonly message: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: {
      readonly gameId?: string;
      readonly version?: number | null;
      readonly subject?: string | null;
      readonly receipt?: string | null;
    };
  };
}

export interface AnswerGiven {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Null for no answer at all. */
type Answering = (received: Received, count: number) => AnswerGiven | null | Promise<AnswerGiven | null>;

export interface HookReceiver {
  readonly url: string;
  readonly received: Received[];
  answer: Answering;
  /** Waits until it has got so many messages. */
  got(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

/** The address that tests let count as the internet; 127.0.0.1 does not. */
export const OPEN_HOST = '127.0.0.2';

export async function openReceiver(host = OPEN_HOST): Promise<HookReceiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const receiver = { answer: (() => ({ status: 204 })) as Answering };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      const one: Received = {
        headers: request.headers,
        body,
        message: JSON.parse(body) as Received['message'],
      };
      received.push(one);
      for (const wake of waiting) wake();
      void Promise.resolve(receiver.answer(one, received.length)).then((given) => {
        if (given === null) return;
        response.writeHead(given.status, given.headers ?? {});
        response.end(given.body ?? '');
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const got = (count: number) =>
    new Promise<readonly Received[]>((resolve) => {
      const look = () => {
        if (received.length < count) return;
        waiting.delete(look);
        resolve(received);
      };
      waiting.add(look);
      look();
    });
  return Object.assign(receiver, {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hooks`,
    received,
    got,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
