import { Module } from '@nestjs/common';
import { GamesModule } from '../games/games.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { MatchmakingModule } from '../matchmaking/matchmaking.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { UsersModule } from '../users/users.module.js';
import { VacationsModule } from '../vacations/vacations.module.js';
import { ChangesController } from './changes.controller.js';
import { ChangesResolver } from './changes.resolver.js';
import { ChangesService } from './changes.service.js';
import { ChangesStore } from './changes.store.js';
import { ChangesView } from './changes.view.js';

@Module({
  imports: [
    GamesModule,
    ImportsModule,
    MatchmakingModule,
    MessagesModule,
    NotificationsModule,
    RatingsModule,
    UsersModule,
    VacationsModule,
  ],
  controllers: [ChangesController],
  providers: [ChangesService, ChangesView, ChangesResolver, ChangesStore],
  exports: [ChangesService],
})
export class ChangesModule {}
