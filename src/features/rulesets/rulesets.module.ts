import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { CatalogueController } from './catalogue.controller.js';
import { CatalogueResolver } from './catalogue.resolver.js';
import { CatalogueService } from './catalogue.service.js';

@Module({
  imports: [EngineModule],
  controllers: [CatalogueController],
  providers: [CatalogueService, CatalogueResolver],
  exports: [CatalogueService],
})
export class RulesetsModule {}
