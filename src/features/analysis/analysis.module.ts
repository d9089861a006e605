import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { AnalysisController } from './analysis.controller.js';
import { AnalysisResolver } from './analysis.resolver.js';
import { AnalysisService } from './analysis.service.js';

@Module({
  imports: [EngineModule],
  controllers: [AnalysisController],
  providers: [AnalysisService, AnalysisResolver],
})
export class AnalysisModule {}
