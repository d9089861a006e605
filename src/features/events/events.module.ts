import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { GamesModule } from '../games/games.module.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { EventsResolver } from './events.resolver.js';
import { EventsService } from './events.service.js';
import { EventsStore } from './events.store.js';

@Module({
  imports: [AuthModule, ChangesModule, GamesModule],
  controllers: [EventsController],
  providers: [EventsService, EventsStore, EventStreams, EventsResolver],
})
export class EventsModule {}
