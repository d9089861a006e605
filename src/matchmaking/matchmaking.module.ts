import { Module } from '@nestjs/common';
import { EngineModule } from '../engine/engine.module.js';
import { GamesModule } from '../games/games.module.js';
import { IdempotencyModule } from '../platform/idempotency.module.js';
import { UsersModule } from '../users/users.module.js';
import { ChallengesController } from './challenges.controller.js';
import { ChallengesResolver } from './challenges.resolver.js';
import { ChallengesService } from './challenges.service.js';
import { ChallengesStore } from './challenges.store.js';
import { ChallengesView } from './challenges.view.js';

@Module({
  imports: [EngineModule, GamesModule, UsersModule, IdempotencyModule],
  controllers: [ChallengesController],
  providers: [ChallengesService, ChallengesView, ChallengesResolver, ChallengesStore],
})
export class MatchmakingModule {}
