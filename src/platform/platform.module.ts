import { Global, Module } from '@nestjs/common';
import { AnnouncementsStore } from './events/announcements.store.js';
import { Announcer } from './events/announcer.js';
import { Background } from './process/background.js';
import { Counts } from './limits/counts.js';
import { CountsStore } from './limits/counts.store.js';
import { Cursors } from './contract/cursors.js';
import { OwnAddress } from './http/own-address.js';
import { PubSub } from './events/pubsub.js';
import { Streams } from './limits/streams.js';

/** Background work, the announcement of commits to this process and others, and where this server is. */
@Global()
@Module({
  providers: [
    Background,
    Cursors,
    PubSub,
    AnnouncementsStore,
    Announcer,
    OwnAddress,
    Streams,
    Counts,
    CountsStore,
  ],
  exports: [Background, Cursors, PubSub, Announcer, OwnAddress, Streams, Counts],
})
export class PlatformModule {}
