import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { UsersModule } from '../users/users.module.js';
import { Distributions } from './distributions.js';
import { RatingsController } from './ratings.controller.js';
import { RatingsResolver } from './ratings.resolver.js';
import { RatingsService } from './ratings.service.js';
import { RatingsStore } from './ratings.store.js';
import { RatingsView } from './ratings.view.js';

@Module({
  imports: [EngineModule, UsersModule],
  controllers: [RatingsController],
  providers: [RatingsService, RatingsView, RatingsResolver, RatingsStore, Distributions],
  exports: [RatingsService, RatingsView],
})
export class RatingsModule {}
