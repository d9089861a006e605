import { Global, Module } from '@nestjs/common';
import { AnnouncementsStore } from './events/announcements.store.js';
import { Announcer } from './events/announcer.js';
import { Background } from './process/background.js';
import { Cursors } from './contract/cursors.js';
import { PubSub } from './events/pubsub.js';
import { Streams } from './limits/streams.js';

/** Background work, and the announcement of commits to this process and others. */
@Global()
@Module({
  providers: [Background, Cursors, PubSub, AnnouncementsStore, Announcer, Streams],
  exports: [Background, Cursors, PubSub, Announcer, Streams],
})
export class PlatformModule {}
