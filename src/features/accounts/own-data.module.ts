import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BlocksModule } from '../blocks/blocks.module.js';
import { GamesModule } from '../games/games.module.js';
import { HistoryModule } from '../history/history.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { MatchmakingModule } from '../matchmaking/matchmaking.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { NewsModule } from '../news/news.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { RecoveryModule } from '../recovery/recovery.module.js';
import { UsersModule } from '../users/users.module.js';
import { VacationsModule } from '../vacations/vacations.module.js';
import { OwnDataController } from './own-data.controller.js';
import { OwnGames } from './own-data.games.js';
import { OwnDataService } from './own-data.service.js';
import { OwnSections } from './own-data.sections.js';

@Module({
  imports: [
    AuthModule,
    BlocksModule,
    GamesModule,
    HistoryModule,
    ImportsModule,
    MatchmakingModule,
    MessagesModule,
    NewsModule,
    NotificationsModule,
    RatingsModule,
    RecoveryModule,
    WebhooksModule,
    UsersModule,
    VacationsModule,
  ],
  controllers: [OwnDataController],
  providers: [OwnDataService, OwnSections, OwnGames],
  exports: [OwnDataService],
})
export class OwnDataModule {}
