import { Global, Module } from '@nestjs/common';
import { Announcer } from './announcer.js';
import { OutboxStore } from './outbox.store.js';
import { PubSub } from './pubsub.js';
import { Streams } from './streams.js';

/** How what is committed becomes known, in this process and the others; and how much goes out at a time. */
@Global()
@Module({
  providers: [PubSub, OutboxStore, Announcer, Streams],
  exports: [PubSub, OutboxStore, Announcer, Streams],
})
export class PlatformModule {}
