import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { Outgoing } from '../../platform/http/outgoing.js';
import { AuthModule } from '../auth/auth.module.js';
import { BoardsModule } from '../boards/boards.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { GamesModule } from '../games/games.module.js';
import { UsersModule } from '../users/users.module.js';
import { CurrentNews } from './current-news.js';
import { NewsController } from './news.controller.js';
import { NewsLog } from './news-log.js';
import { NewsMails } from './news.mails.js';
import { NewsResolver } from './news.resolver.js';
import { NewsService } from './news.service.js';
import { NewsStore } from './news.store.js';
import { PushKeys } from './push-keys.js';
import { PushSender } from './push-sender.js';
import { PushStore } from './push.store.js';
import { PushSubscriptions } from './push-subscriptions.js';
import { Unsubscribing } from './unsubscribing.js';

@Module({
  imports: [AuthModule, BoardsModule, DeliveryModule, EngineModule, GamesModule, UsersModule],
  controllers: [NewsController],
  providers: [
    ...[NewsLog, NewsResolver, NewsService, NewsStore, CurrentNews, NewsMails, Unsubscribing],
    Outgoing,
    ...[PushKeys, PushSender, PushStore, PushSubscriptions],
  ],
  exports: [NewsService, Unsubscribing],
})
export class NewsModule {}
