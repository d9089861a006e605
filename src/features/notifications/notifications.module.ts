import { Module } from '@nestjs/common';
import { GamesModule } from '../games/games.module.js';
import { GameNews } from './game-news.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsResolver } from './notifications.resolver.js';
import { NotificationsService } from './notifications.service.js';
import { NotificationsStore } from './notifications.store.js';

@Module({
  imports: [GamesModule],
  controllers: [NotificationsController],
  providers: [GameNews, NotificationsService, NotificationsStore, NotificationsResolver],
  exports: [NotificationsService],
})
export class NotificationsModule {}
