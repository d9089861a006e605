import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BlocksModule } from '../blocks/blocks.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { IdempotencyModule } from '../platform/idempotency.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { UsersModule } from '../users/users.module.js';
import { Absences } from './absences.js';
import { AnalysisController } from './analysis.controller.js';
import { AnalysisResolver } from './analysis.resolver.js';
import { Analyst } from './analysis.js';
import { CatalogueController } from './catalogue.controller.js';
import { Catalogue } from './catalogue.js';
import { CatalogueResolver } from './catalogue.resolver.js';
import { CommitStore } from './commit.store.js';
import { Departures } from './departures.js';
import { MessagesController } from './desk/messages.controller.js';
import { MessagesResolver } from './desk/messages.resolver.js';
import { MessagesService } from './desk/messages.service.js';
import { MessagesStore } from './desk/messages.store.js';
import { MessagesView } from './desk/messages.view.js';
import { SeatsController } from './desk/seats.controller.js';
import { SeatsResolver } from './desk/seats.resolver.js';
import { SeatsService } from './desk/seats.service.js';
import { SeatsStore } from './desk/seats.store.js';
import { GamesController } from './games.controller.js';
import { GamesResolver } from './games.resolver.js';
import { GamesService } from './games.service.js';
import { GamesStore } from './games.store.js';
import { GamesView } from './games.view.js';
import { GameLog } from './log.js';
import { LogStore } from './log.store.js';
import { PlayController } from './play.controller.js';
import { PlayResolver } from './play.resolver.js';
import { PlayService } from './play.service.js';
import { RatingPointsResolver } from './rating-points.resolver.js';
import { Referee } from './referee.js';
import { Replies } from './replies.js';
import { Sweep } from './sweep.js';
import { VacationsController } from './vacations.controller.js';
import { VacationsResolver } from './vacations.resolver.js';
import { VacationsService } from './vacations.service.js';
import { VacationsStore } from './vacations.store.js';
import { VacationsView } from './vacations.view.js';

@Module({
  imports: [
    AuthModule,
    BlocksModule,
    EngineModule,
    IdempotencyModule,
    NotificationsModule,
    RatingsModule,
    UsersModule,
  ],
  controllers: [
    GamesController,
    PlayController,
    CatalogueController,
    AnalysisController,
    MessagesController,
    SeatsController,
    VacationsController,
  ],
  providers: [
    GamesService,
    PlayService,
    PlayResolver,
    Referee,
    Replies,
    VacationsStore,
    VacationsService,
    VacationsView,
    VacationsResolver,
    Absences,
    Departures,
    GamesView,
    GamesResolver,
    RatingPointsResolver,
    GamesStore,
    GameLog,
    LogStore,
    CommitStore,
    Sweep,
    Catalogue,
    CatalogueResolver,
    Analyst,
    AnalysisResolver,
    MessagesService,
    MessagesView,
    MessagesResolver,
    MessagesStore,
    SeatsService,
    SeatsResolver,
    SeatsStore,
  ],
  exports: [Departures, GamesService, GamesView, MessagesView, SeatsService, VacationsView],
})
export class GamesModule {}
