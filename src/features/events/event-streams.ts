import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../../config.js';
import { addressKey } from '../../platform/http/addresses.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DomainError } from '../../platform/errors/errors.js';
import { EventStream } from '../../platform/http/event-stream.js';
import { Streams } from '../../platform/limits/streams.js';
import { Sessions } from '../auth/sessions.js';
import type { Principal } from '../auth/principal.js';
import type { ShownEvent, Stream } from './events.service.js';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Prevents proxies from buffering events.
  'x-accel-buffering': 'no',
};

/** Event streams (Server-Sent Events), with the same limits as sockets. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Set<EventStream<ShownEvent>>();

  constructor(
    private readonly streams: Streams,
    private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Answers with a stream until the client disconnects, the session ends or the server shuts down. Throws RATE_LIMITED,
   * and as `begin`.
   */
  async answer(reply: FastifyReply, viewer: Principal | null, begin: () => Promise<Stream>): Promise<void> {
    const { maxSocketsPerUser, maxSocketsPerAddress } = this.config;
    const { id } = reply.request;
    const address = addressKey(reply.request.ip);
    const stream = await this.streams.bounded(bound(`address ${address}`, maxSocketsPerAddress), () =>
      viewer === null
        ? this.begun(id, viewer, begin)
        : this.streams.bounded(bound(`user ${viewer.userId}`, maxSocketsPerUser), () =>
            this.begun(id, viewer, begin),
          ),
    );
    // Otherwise a client that has disconnected, or a HEAD request, would be written to forever.
    if (reply.raw.destroyed || reply.request.method === 'HEAD') stream.destroy();
    void reply.headers(HEADERS).send(stream.destroyed ? '' : stream);
  }

  /** Runs before the HTTP server waits for its connections, because streams do not end by themselves. */
  onModuleDestroy(): void {
    for (const stream of this.open) stream.finish();
  }

  private async begun(
    requestId: string,
    viewer: Principal | null,
    begin: () => Promise<Stream>,
  ): Promise<EventStream<ShownEvent>> {
    const events = await begin();
    const stream = new EventStream<ShownEvent>(
      { from: events.from, events: events[Symbol.asyncIterator]() },
      {
        heartbeatMs: this.config.heartbeatSeconds * 1000,
        mayGoOn: () => this.mayGoOn(viewer),
        requestId,
      },
    );
    this.open.add(stream);
    return stream.once('close', () => this.open.delete(stream));
  }

  private async mayGoOn(viewer: Principal | null): Promise<boolean> {
    return viewer === null || this.sessions.assertSessionOpen(viewer).then(yes, isOver);
  }
}

const yes = () => true;

function isOver(error: unknown): false {
  if (error instanceof DomainError) return false;
  throw error;
}

const bound = (key: string, most: number) => ({
  key: `events ${key}`,
  most,
  refusal: `You already have ${most} event streams open, the maximum. Close one of them first.`,
});
