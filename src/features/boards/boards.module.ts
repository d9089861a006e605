import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { GamesModule } from '../games/games.module.js';
import { BoardsController } from './boards.controller.js';
import { BoardsService } from './boards.service.js';
import { Rasters } from './rasters.js';

@Module({
  imports: [EngineModule, GamesModule],
  controllers: [BoardsController],
  providers: [BoardsService, Rasters],
  exports: [BoardsService],
})
export class BoardsModule {}
