import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { GamesModule } from '../games/games.module.js';
import { UsersModule } from '../users/users.module.js';
import { VacationSweep } from './vacation-sweep.js';
import { VacationsController } from './vacations.controller.js';
import { VacationsResolver } from './vacations.resolver.js';
import { VacationsService } from './vacations.service.js';
import { VacationsStore } from './vacations.store.js';
import { VacationsView } from './vacations.view.js';

@Module({
  imports: [AuthModule, GamesModule, IdempotencyModule, UsersModule],
  controllers: [VacationsController],
  providers: [VacationsService, VacationsView, VacationsResolver, VacationsStore, VacationSweep],
  exports: [VacationsView],
})
export class VacationsModule {}
