import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { EventStream, type StreamForm } from '../../platform/http/event-stream.js';
import { Streams } from '../../platform/limits/streams.js';
import { Sessions } from '../auth/sessions.js';
import type { Principal } from '../auth/principal.js';
import type { Party } from '../../platform/limits/rotation.js';
import type { Event } from './events.model.js';
import type { Stream } from './events.service.js';
import { EventsView } from './events.view.js';

/** Prevents proxies from buffering events. */
const UNBUFFERED = { 'x-accel-buffering': 'no' };

/** Event streams over HTTP, with the same limits as sockets. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Set<EventStream<Event>>();

  constructor(
    private readonly streams: Streams,
    private readonly sessions: Sessions,
    private readonly view: EventsView,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Answers with a stream until the client disconnects or the server shuts down; if it is of a viewer, until their access
   * token expires or their session ends. Throws RATE_LIMITED, and as `begin`.
   */
  async answer(
    reply: FastifyReply,
    { address, user }: Party,
    viewer: Principal | null,
    form: StreamForm,
    begin: () => Promise<Stream>,
  ): Promise<void> {
    const { maxSocketsPerUser, maxSocketsPerAddress } = this.config;
    const begun = () => this.begun({ requestId: reply.request.id, form }, viewer, begin);
    const stream = await this.streams.bounded(bound(`address ${address}`, maxSocketsPerAddress), () =>
      user === '' ? begun() : this.streams.bounded(bound(`user ${user}`, maxSocketsPerUser), begun),
    );
    // Otherwise a client that has disconnected, or a HEAD request, would be written to forever.
    if (reply.raw.destroyed || reply.request.method === 'HEAD') stream.destroy();
    void reply
      .headers({ 'content-type': form.contentType, ...UNBUFFERED })
      .send(stream.destroyed ? '' : stream);
  }

  /** Runs before the HTTP server waits for its connections, because streams do not end by themselves. */
  onModuleDestroy(): void {
    for (const stream of this.open) stream.finish();
  }

  private async begun(
    manner: { readonly requestId: string; readonly form: StreamForm },
    viewer: Principal | null,
    begin: () => Promise<Stream>,
  ): Promise<EventStream<Event>> {
    const events = await begin();
    const stream = new EventStream<Event>(
      { from: events.from, events: this.view.documents(events[Symbol.asyncIterator]()) },
      {
        heartbeatMs: this.config.heartbeatSeconds * 1000,
        assertOpen: async () => {
          if (viewer !== null) await this.sessions.assertSessionOpen(viewer);
        },
        ...manner,
      },
    );
    this.open.add(stream);
    const stopWaiting = viewer && this.sessions.whenOver(viewer, ({ error }) => stream.refuse(error));
    return stream.once('close', () => {
      stopWaiting?.();
      this.open.delete(stream);
    });
  }
}

const bound = (key: string, most: number) => ({
  key: `events ${key}`,
  most,
  refusal: `You already have ${most} event streams open, the maximum. Close one of them first.`,
});
