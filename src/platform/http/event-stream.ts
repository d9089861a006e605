import { Readable } from 'node:stream';
import { DomainError } from '../errors/errors.js';
import { problemOf } from './problem.filter.js';

/** A message of Server-Sent Events. A client that reconnects sends its id as Last-Event-ID. */
export interface ServerSentEvent {
  readonly id: string;
}

interface EventSource<Event extends ServerSentEvent> {
  /** The id from which a client continues if it is disconnected before the first event. */
  readonly from: string;
  readonly events: AsyncIterator<Event>;
}

interface StreamOptions {
  readonly heartbeatMs: number;
  /** Throws if the stream may not continue; asked before each event. */
  readonly assertOpen: () => Promise<void>;
  /** Of the request that the stream answers, for its last message. */
  readonly requestId: string;
}

/** How soon a disconnected client reconnects. */
const RETRY_MS = 2000;

/**
 * Server-Sent Events with backpressure: the next event is read when there is room. A comment serves as heartbeat; a
 * reader that has read nothing between two heartbeats is disconnected.
 */
export class EventStream<Event extends ServerSentEvent> extends Readable {
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
    // Some clients ignore the id of a message without data.
    this.push(`retry: ${RETRY_MS}\nid: ${told.from}\nevent: ready\ndata: {}\n\n`);
  }

  /** Ends the stream completely, so that its client reconnects to another instance. */
  finish(): void {
    if (!this.isOver) this.push(null);
    this.isOver = true;
  }

  /** Ends the stream and says why. */
  refuse(error: DomainError): void {
    this.tell(`event: end\ndata: ${JSON.stringify(problemOf(error, this.manner.requestId))}\n\n`);
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
      else this.tell(`id: ${next.value.id}\ndata: ${JSON.stringify(next.value)}\n\n`);
    } catch (error) {
      if (error instanceof DomainError) this.refuse(error);
      else this.destroy(error as Error);
    }
  }

  private beats(): void {
    const isStuck = this.readableLength > 0 && this.taken === this.takenAtBeat;
    this.takenAtBeat = this.taken;
    if (isStuck) this.destroy();
    else this.tell(':\n\n');
  }

  private tell(text: string): void {
    if (!this.isOver) this.push(text);
  }
}
