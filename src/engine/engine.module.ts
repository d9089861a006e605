import { Module } from '@nestjs/common';
import { DealsService } from './deals.service.js';
import { DealsStore } from './deals.store.js';
import { EngineService } from './engine.service.js';

@Module({ providers: [EngineService, DealsService, DealsStore], exports: [EngineService, DealsService] })
export class EngineModule {}
