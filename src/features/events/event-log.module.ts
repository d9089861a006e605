import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { GamesModule } from '../games/games.module.js';
import { EventsService } from './events.service.js';
import { EventsStore } from './events.store.js';

/** The log of events, for features that read it. */
@Module({
  imports: [ChangesModule, GamesModule],
  providers: [EventsService, EventsStore],
  exports: [EventsService],
})
export class EventLogModule {}
