import { Module } from '@nestjs/common';
import { DealsService } from './deals.service.js';
import { DealsStore } from './deals.store.js';
import { EngineService } from './engine.service.js';
import { NotaryService } from './notary.service.js';

@Module({
  providers: [EngineService, DealsService, DealsStore, NotaryService],
  exports: [EngineService, DealsService, NotaryService],
})
export class EngineModule {}
