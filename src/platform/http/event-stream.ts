import { Readable } from 'node:stream';
import { DomainError } from '../errors/errors.js';
import { problemOf } from './problem.filter.js';

/** An event of a stream. A client that reconnects sends its id as Last-Event-ID. */
export interface StreamedEvent {
  readonly id: string;
}

interface EventSource<Event extends StreamedEvent> {
  /** The id from which a client continues if it is disconnected before the first event. */
  readonly from: string;
  readonly events: AsyncIterator<Event>;
}

interface StreamOptions {
  readonly form: StreamForm;
  readonly heartbeatMs: number;
  /** Throws if the stream may not continue; asked before each event. */
  readonly assertOpen: () => Promise<void>;
  /** Of the request that the stream answers, for its last message. */
  readonly requestId: string;
}

/** How the messages of a stream are written. */
export interface StreamForm {
  readonly contentType: string;
  /** Tells where the stream begins. */
  readonly ready: (id: string) => string;
  readonly event: (event: StreamedEvent) => string;
  /** Tells why it cannot go on. */
  readonly end: (problem: object) => string;
  readonly heartbeat: string;
}

/** How soon a disconnected browser reconnects. */
const RETRY_MS = 2000;

/** Server-Sent Events. Some clients ignore the id of a message without data. */
export const SERVER_SENT: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  ready: (id) => `retry: ${RETRY_MS}\nid: ${id}\nevent: ready\ndata: {}\n\n`,
  event: (event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`,
  end: (problem) => `event: end\ndata: ${JSON.stringify(problem)}\n\n`,
  heartbeat: ':\n\n',
};

/** One JSON object a line, told apart by its key: no event has one named `ready` or `end`. */
export const LINES: StreamForm = {
  contentType: 'application/x-ndjson',
  ready: (id) => `${JSON.stringify({ ready: true, id })}\n`,
  event: (event) => `${JSON.stringify(event)}\n`,
  end: (problem) => `${JSON.stringify({ end: problem })}\n`,
  heartbeat: '\n',
};

/**
 * Events as they happen, with backpressure: the next event is read when there is room. The stream of a reader that has
 * read nothing between two heartbeats ends; it is told why if it goes on reading until the next one, and is cut off then.
 */
export class EventStream<Event extends StreamedEvent> extends Readable {
  private isAsking = false;
  private isOver = false;
  private taken = 0;
  private takenAtBeat = -1;
  private readonly beat: NodeJS.Timeout;

  constructor(
    private readonly told: EventSource<Event>,
    private readonly manner: StreamOptions,
  ) {
    super();
    this.beat = setInterval(() => this.beats(), manner.heartbeatMs);
    this.push(manner.form.ready(told.from));
  }

  /** Ends the stream completely, so that its client reconnects to another instance. */
  finish(): void {
    if (!this.isOver) this.push(null);
    this.isOver = true;
  }

  /** Ends the stream and says why. */
  refuse(error: DomainError): void {
    this.tell(this.manner.form.end(problemOf(error, this.manner.requestId)));
    this.finish();
  }

  override read(size?: number): string | Buffer | null {
    const chunk = super.read(size) as string | Buffer | null;
    if (chunk !== null) this.taken += 1;
    return chunk;
  }

  override _read(): void {
    if (!this.isAsking) void this.ask();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.isOver = true;
    clearInterval(this.beat);
    void this.told.events.return?.();
    done(error);
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      const next = await this.told.events.next();
      if (next.done !== true) await this.manner.assertOpen();
      this.isAsking = false;
      if (next.done) this.finish();
      else this.tell(this.manner.form.event(next.value));
    } catch (error) {
      if (error instanceof DomainError) this.refuse(error);
      else this.destroy(error as Error);
    }
  }

  private beats(): void {
    const isStuck = this.readableLength > 0 && this.taken === this.takenAtBeat;
    this.takenAtBeat = this.taken;
    if (isStuck && this.isOver) this.destroy();
    else if (isStuck) this.refuse(notRead());
    else this.tell(this.manner.form.heartbeat);
  }

  private tell(text: string): void {
    if (!this.isOver) this.push(text);
  }
}

const notRead = (): DomainError =>
  new DomainError(
    'REQUEST_TIMEOUT',
    'The stream was not read in time. Ask for it again after its last id, and read what it sends without a pause.',
  );
