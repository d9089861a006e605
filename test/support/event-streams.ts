import { get, type IncomingMessage } from 'node:http';
import { EventSource } from 'eventsource';
import type { Happened } from './operations/events.js';
import type { By } from './transport.js';

/** Streams of events, read like a browser or byte by byte. */

const PATIENCE_MS = 60_000;

export interface Stream {
  /** The next event; fails if none arrives within a minute. */
  next(): Promise<Happened>;
  close(): void;
}

/** Reads like a browser but with a token: reconnects and resumes when the connection breaks. */
export function browse(url: string, path: string, by: By): Stream & { readonly source: EventSource } {
  const source = new EventSource(`${url}/v1/${path}`, {
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...init.headers, ...(by === null ? {} : { authorization: by.authorization }) },
      }),
  });
  const come: Happened[] = [];
  let wake = (): void => undefined;
  source.addEventListener('message', ({ data, lastEventId }) => {
    const event = JSON.parse(String(data)) as Happened;
    if (event.id !== lastEventId) throw new Error('The id of the message differs from that of the event');
    come.push(event);
    wake();
  });
  const next = async (): Promise<Happened> => {
    while (come.length === 0) {
      const timer = AbortSignal.timeout(PATIENCE_MS);
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        timer.addEventListener('abort', () => reject(new Error('No event arrived')));
      });
    }
    return come.shift()!;
  };
  return { source, next, close: () => source.close() };
}

/** The options of a request for a stream. */
export interface Asking {
  readonly after?: string;
  readonly lastEventId?: string;
  /** Server-Sent Events when left out. */
  readonly accept?: string;
}

export interface RawStream extends Stream {
  readonly answer: IncomingMessage;
  /** Resolves when the stream ends: true if the server ended it, false if the connection broke. */
  readonly ended: Promise<boolean>;
  /** The position that the server named as the start, if any; and everything received. */
  from(): string | undefined;
  text(): string;
}

/** A stream that does not reconnect; with `paused` nothing is read from it. */
export async function openStream(
  url: string,
  path: string,
  by: By,
  { after, lastEventId, accept = 'text/event-stream' }: Asking = {},
  paused = false,
): Promise<RawStream> {
  const headers = {
    accept,
    'accept-encoding': 'br, gzip',
    ...(by === null ? {} : { authorization: by.authorization }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const query = after === undefined ? '' : `?after=${after}`;
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    get(`${url}/v1/${path}${query}`, { headers }, done).on('error', fail);
  });
  const parts: string[] = [];
  const text = () => parts.join('');
  let unread = '';
  const come: Happened[] = [];
  let wake = (): void => undefined;
  const ended = new Promise<boolean>((resolve) => answer.on('close', () => resolve(answer.complete)));
  void ended.then(() => wake());
  answer.on('error', () => undefined);
  if (!paused) {
    answer.setEncoding('utf8').on('data', (part: string) => {
      parts.push(part);
      unread += part;
      wake();
    });
  }
  /** What has been received but not read yet. */
  const events = () => {
    const isLines = answer.headers['content-type'] === 'application/x-ndjson';
    const blocks = unread.split(isLines ? '\n' : '\n\n');
    unread = blocks.pop()!;
    if (isLines) come.push(...blocks.filter((line) => line.includes('"type"')).map((line) => JSON.parse(line) as Happened)); // prettier-ignore
    for (const block of blocks) {
      const [, id, data] = /^id: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (data === undefined) continue;
      const event = JSON.parse(data) as Happened;
      if (event.id !== id) throw new Error('The id of the message differs from that of the event');
      come.push(event);
    }
    return come;
  };
  const next = async (): Promise<Happened> => {
    for (const end = Date.now() + PATIENCE_MS; come.length === 0 && events().length === 0;) {
      if (Date.now() > end || answer.closed) throw new Error(`No event arrived: ${text().slice(-1000)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, 1000).unref();
      });
    }
    return come.shift()!;
  };
  const from = () =>
    /^(?:retry: \d+\nid: (.+)\nevent: ready\ndata: \{\}\n\n|\{"ready":true,"id":"(.+)"\}\n)/
      .exec(text())
      ?.slice(1)
      .find((id) => id !== undefined);
  return { answer, ended, next, from, text, close: () => answer.destroy() };
}
