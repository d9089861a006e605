import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { ExplorerController } from './explorer.controller.js';
import { ExplorerCounter } from './explorer.counter.js';
import { ExplorerResolver } from './explorer.resolver.js';
import { ExplorerService } from './explorer.service.js';
import { ExplorerStore } from './explorer.store.js';

@Module({
  imports: [EngineModule],
  controllers: [ExplorerController],
  providers: [ExplorerService, ExplorerCounter, ExplorerResolver, ExplorerStore],
})
export class OpeningsModule {}
