import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { GamesModule } from '../games/games.module.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { UsersModule } from '../users/users.module.js';
import { ExportsController } from './exports.controller.js';
import { ExportsResolver } from './exports.resolver.js';
import { ExportsService } from './exports.service.js';
import { ExportsStore } from './exports.store.js';

@Module({
  imports: [EngineModule, GamesModule, RatingsModule, UsersModule],
  controllers: [ExportsController],
  providers: [ExportsService, ExportsStore, ExportsResolver],
})
export class ExportsModule {}
