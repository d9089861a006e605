import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EngineModule } from '../../engine/engine.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { UsersModule } from '../users/users.module.js';
import { ImportQueue } from './import-queue.js';
import { ImportsController } from './imports.controller.js';
import { ImportsResolver } from './imports.resolver.js';
import { ImportsService } from './imports.service.js';
import { ImportsStore } from './imports.store.js';
import { ImportsView } from './imports.view.js';

@Module({
  imports: [AuthModule, EngineModule, IdempotencyModule, UsersModule],
  controllers: [ImportsController],
  providers: [ImportsService, ImportsStore, ImportsView, ImportsResolver, ImportQueue],
  exports: [ImportsService, ImportsView],
})
export class ImportsModule {}
