import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { GamesModule } from '../games/games.module.js';
import { UsersModule } from '../users/users.module.js';
import { HistoryController } from './history.controller.js';
import { HistoryResolver } from './history.resolver.js';
import { HistoryService } from './history.service.js';
import { HistoryStore } from './history.store.js';
import { HistoryView } from './history.view.js';
import { StatisticsStore } from './statistics.store.js';

@Module({
  imports: [EngineModule, GamesModule, UsersModule],
  controllers: [HistoryController],
  providers: [HistoryService, HistoryView, HistoryResolver, HistoryStore, StatisticsStore],
  exports: [HistoryView],
})
export class HistoryModule {}
