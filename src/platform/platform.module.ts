import { Global, Module } from '@nestjs/common';
import { Announcer } from './announcer.js';
import { Cursors } from './cursors.js';
import { OutboxStore } from './outbox.store.js';
import { PubSub } from './pubsub.js';
import { Streams } from './streams.js';

/** How what is committed becomes known, in this process and the others; how much goes out at a time, and from where. */
@Global()
@Module({
  providers: [Cursors, PubSub, OutboxStore, Announcer, Streams],
  exports: [Cursors, PubSub, OutboxStore, Announcer, Streams],
})
export class PlatformModule {}
