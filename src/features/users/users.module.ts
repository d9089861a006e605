import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { UsersController } from './users.controller.js';
import { UsersResolver } from './users.resolver.js';
import { UsersService } from './users.service.js';
import { UsersStore } from './users.store.js';

@Module({
  imports: [IdempotencyModule],
  controllers: [UsersController],
  providers: [UsersService, UsersStore, UsersResolver],
  exports: [UsersService],
})
export class UsersModule {}
