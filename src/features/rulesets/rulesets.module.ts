import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { AnalysisController } from './analysis.controller.js';
import { AnalysisResolver } from './analysis.resolver.js';
import { AnalysisService } from './analysis.service.js';
import { CatalogueController } from './catalogue.controller.js';
import { CatalogueResolver } from './catalogue.resolver.js';
import { GameRulesetResolver } from './game-ruleset.resolver.js';
import { CatalogueService } from './catalogue.service.js';

@Module({
  imports: [EngineModule],
  controllers: [CatalogueController, AnalysisController],
  providers: [CatalogueService, CatalogueResolver, GameRulesetResolver, AnalysisService, AnalysisResolver],
})
export class RulesetsModule {}
