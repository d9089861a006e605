import { Module } from '@nestjs/common';
import { DealsService } from './deals.service.js';
import { DealsStore } from './deals.store.js';
import { EngineService } from './engine.service.js';
import { SigningService } from './signing.service.js';

@Module({
  providers: [EngineService, DealsService, DealsStore, SigningService],
  exports: [EngineService, DealsService, SigningService],
})
export class EngineModule {}
