import { Global, Module } from '@nestjs/common';
import { Announcer } from './announcer.js';
import { OutboxStore } from './outbox.store.js';
import { PubSub } from './pubsub.js';

/** How what is committed becomes known, in this process and the others. */
@Global()
@Module({ providers: [PubSub, OutboxStore, Announcer], exports: [PubSub, OutboxStore, Announcer] })
export class PlatformModule {}
