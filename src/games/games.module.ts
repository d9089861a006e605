import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { UsersModule } from '../users/users.module.js';
import { AnalysisController } from './analysis.controller.js';
import { AnalysisResolver } from './analysis.resolver.js';
import { Analyst } from './analysis.js';
import { CatalogueController } from './catalogue.controller.js';
import { Catalogue } from './catalogue.js';
import { CatalogueResolver } from './catalogue.resolver.js';
import { CommitStore } from './commit.store.js';
import { GamesController } from './games.controller.js';
import { GamesResolver } from './games.resolver.js';
import { GamesService } from './games.service.js';
import { GamesStore } from './games.store.js';
import { GamesView } from './games.view.js';
import { Sweep } from './sweep.js';

@Module({
  imports: [AuthModule, EngineModule, UsersModule],
  controllers: [GamesController, CatalogueController, AnalysisController],
  providers: [
    GamesService,
    GamesView,
    GamesResolver,
    GamesStore,
    CommitStore,
    Sweep,
    Catalogue,
    CatalogueResolver,
    Analyst,
    AnalysisResolver,
  ],
  exports: [GamesService, GamesView],
})
export class GamesModule {}
