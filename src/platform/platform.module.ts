import { Global, Module } from '@nestjs/common';
import { Announcer } from './announcer.js';
import { Background } from './background.js';
import { Cursors } from './cursors.js';
import { OutboxStore } from './outbox.store.js';
import { PubSub } from './pubsub.js';
import { Streams } from './streams.js';

/** Background work, and the announcement of commits to this process and others. */
@Global()
@Module({
  providers: [Background, Cursors, PubSub, OutboxStore, Announcer, Streams],
  exports: [Background, Cursors, PubSub, OutboxStore, Announcer, Streams],
})
export class PlatformModule {}
