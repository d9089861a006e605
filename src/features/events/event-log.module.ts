import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { GamesModule } from '../games/games.module.js';
import { EventsService } from './events.service.js';
import { EventsStore } from './events.store.js';
import { EventsView } from './events.view.js';

/** The log of events, for features that read it. */
@Module({
  imports: [ChangesModule, GamesModule],
  providers: [EventsService, EventsStore, EventsView],
  exports: [EventsService, EventsView],
})
export class EventLogModule {}
