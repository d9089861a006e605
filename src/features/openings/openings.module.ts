import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { Cursors } from '../../platform/cursors.js';
import { ExplorerController } from './explorer.controller.js';
import { ExplorerCounter } from './explorer.counter.js';
import { ExplorerResolver } from './explorer.resolver.js';
import { ExplorerService } from './explorer.service.js';
import { ExplorerStore } from './explorer.store.js';

@Module({
  imports: [EngineModule],
  controllers: [ExplorerController],
  providers: [ExplorerService, ExplorerCounter, ExplorerResolver, ExplorerStore, Cursors],
})
export class OpeningsModule {}
