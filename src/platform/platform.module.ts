import { Global, Module } from '@nestjs/common';
import { AnnouncementsStore } from './announcements.store.js';
import { Announcer } from './announcer.js';
import { Background } from './background.js';
import { Cursors } from './cursors.js';
import { PubSub } from './pubsub.js';
import { Streams } from './streams.js';

/** Background work, and the announcement of commits to this process and others. */
@Global()
@Module({
  providers: [Background, Cursors, PubSub, AnnouncementsStore, Announcer, Streams],
  exports: [Background, Cursors, PubSub, Announcer, Streams],
})
export class PlatformModule {}
