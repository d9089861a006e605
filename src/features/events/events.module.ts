import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EventLogModule } from './event-log.module.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { EventsResolver } from './events.resolver.js';

/** No other module imports it: Nest ends it before the GraphQL server, which waits ten seconds for streams to end. */
@Module({
  imports: [AuthModule, EventLogModule],
  controllers: [EventsController],
  providers: [EventStreams, EventsResolver],
})
export class EventsModule {}
