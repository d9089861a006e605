import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { components } from './generated/rest.js';
import { badAnswer, errorOf, HalfmoveError, noAnswer, type Problem } from './errors.js';
import type { TransportSettings } from './transport.js';
import { isTemporary, pause, waitBefore } from './retry.js';

/** An event; pass its `id` as `after` to continue behind it. */
export type HalfmoveEvent = components['schemas']['Event'];

export interface EventsOptions {
  /** The id of the event to continue behind; from now on by default. */
  readonly after?: string | null;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Called with false when the open stream breaks, and with true when it is open again, before the first event of it. */
  readonly onConnection?: (isOpen: boolean) => void;
}

export type Connect = (after: string | null, signal: AbortSignal) => Promise<Response>;

/** A stream that is silent for longer counts as broken, as the server sends heartbeats. */
const SILENT_TIMEOUTS = 2;

/**
 * The events of a user or of a game, each once and in order; a broken stream is reopened behind the last event. It opens
 * at once. It ends when the loop is left (`break`, `return`), when its signal is aborted, or with a permanent error such
 * as CURSOR_EXPIRED. The backoff is reset by an event, not by opening: a stream that only opens may still be broken.
 */
export class EventStream implements AsyncIterableIterator<HalfmoveEvent> {
  /** Resolves once the stream is open: from then on no event is missed. */
  readonly opened: Promise<void>;
  private readonly leaving = new AbortController();
  private readonly events: AsyncGenerator<HalfmoveEvent, undefined>;
  /** Removes the listener from the caller's signal. */
  private readonly release: () => void;
  private readonly onConnection: (isOpen: boolean) => void;
  private lastId: string | null;
  /** The reconnection time requested by the server. */
  private retryMs = 0;

  constructor(
    private readonly connect: Connect,
    private readonly settings: TransportSettings,
    { after, signal, onConnection }: EventsOptions = {},
  ) {
    this.onConnection = onConnection ?? (() => undefined);
    this.lastId = after ?? null;
    const leave = () => this.leaving.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    this.release = () => signal?.removeEventListener('abort', leave);
    if (signal?.aborted) leave();
    const first = this.open();
    this.opened = first.then(() => undefined);
    // Iterating throws the same error.
    this.opened.catch(this.release);
    this.events = this.follow(first);
  }

  next(): Promise<IteratorResult<HalfmoveEvent, undefined>> {
    return this.events.next();
  }

  return(): Promise<IteratorResult<HalfmoveEvent, undefined>> {
    this.leaving.abort();
    this.release();
    return this.events.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async *follow(
    first: Promise<AsyncGenerator<EventSourceMessage>>,
  ): AsyncGenerator<HalfmoveEvent, undefined> {
    try {
      return yield* this.reconnecting(first);
    } finally {
      this.release();
    }
  }

  private async *reconnecting(
    first: Promise<AsyncGenerator<EventSourceMessage>>,
  ): AsyncGenerator<HalfmoveEvent, undefined> {
    let messages = first;
    let isOpened = false;
    for (let failures = 0; ; failures += 1) {
      let fault: HalfmoveError | undefined;
      try {
        const open = await messages;
        if (isOpened) this.onConnection(true);
        isOpened = true;
        for await (const { id, data, event } of open) {
          if (event === 'end') {
            const fault = errorOf(JSON.parse(data) as Problem);
            // The next request renews the token, or tells that the session has ended.
            if (fault.code === 'UNAUTHENTICATED') break;
            throw fault;
          }
          failures = 0;
          if (id !== undefined) this.lastId = id;
          this.settings.heard?.(data);
          yield JSON.parse(data) as HalfmoveEvent;
        }
      } catch (error) {
        if (this.isLeft) return undefined;
        if (!isOpened || !isTemporary(error)) throw error;
        fault = error;
      }
      if (fault !== undefined && isOpened) this.onConnection(false);
      await this.backoff(failures + 1, fault);
      if (this.isLeft) return undefined;
      messages = this.open();
    }
  }

  private get isLeft(): boolean {
    return this.leaving.signal.aborted;
  }

  private backoff(retry: number, fault: HalfmoveError | undefined): Promise<void> {
    const { signal } = this.leaving;
    const asked = fault === undefined ? this.retryMs : 0;
    return pause(asked + waitBefore(retry, this.settings, fault), signal).catch(() => undefined);
  }

  private async open(): Promise<AsyncGenerator<EventSourceMessage>> {
    const response = await this.connect(this.lastId, this.leaving.signal);
    const onRetry = (ms: number) => (this.retryMs = ms);
    const messages = messagesOf(response.body!, SILENT_TIMEOUTS * this.settings.timeoutMs, onRetry);
    // The first message has the id from which to continue if the stream breaks before the first event.
    const { value: ready } = (await messages.next()) as IteratorYieldResult<EventSourceMessage | undefined>;
    if (ready?.event !== 'ready') {
      await messages.return(undefined);
      throw isEventStream(response) ? noAnswer(new Error('the stream did not begin')) : badAnswer(response);
    }
    this.lastId = ready.id ?? this.lastId;
    return messages;
  }
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  onRetry: (ms: number) => void,
): AsyncGenerator<EventSourceMessage, undefined> {
  const decoder = new TextDecoder();
  let messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message), onRetry });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await heard(reader.read(), silenceMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* messages;
      messages = [];
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reading fails after a long silence: some broken connections never report an error. */
async function heard<T>(chunk: Promise<T>, silenceMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(new Error('the stream went silent'))), silenceMs);
  });
  try {
    return await Promise.race([chunk, silence]);
  } catch (error) {
    throw error instanceof HalfmoveError ? error : noAnswer(error);
  } finally {
    clearTimeout(timer);
  }
}
